#include "sail/apps/camera/camera_url.h"

#include <gtest/gtest.h>

#include <string>

#include "sail/apps/camera/camera_search.h"

namespace sail {
namespace {

TEST(CameraUrlTest, PartsAreReadAndWritten) {
  const auto url = parse_camera_url("RTSP://ann:p%40ss%3Aword@Gate.example:8554/a/b?c=1&d=e:f@g");
  ASSERT_TRUE(url);
  EXPECT_EQ(*url, (CameraUrl{.scheme = "rtsp",
                             .user = "ann",
                             .password = "p@ss:word",
                             .host = "gate.example",
                             .port = "8554",
                             .path = "/a/b?c=1&d=e:f@g"}));
  EXPECT_EQ(url->text(), "rtsp://ann:p%40ss%3Aword@gate.example:8554/a/b?c=1&d=e:f@g");
  EXPECT_EQ(url->without_login().text(), "rtsp://gate.example:8554/a/b?c=1&d=e:f@g");
  EXPECT_EQ(parse_camera_url("http://[fe80::1]:81")->host, "[fe80::1]");
  EXPECT_EQ(parse_camera_url("https://[fe80::1]/x")->port, "");
}

TEST(CameraUrlTest, OtherTextIsRefused) {
  for (const std::string text :
       {"", "camera", "ftp://camera/", "file:///etc/passwd", "http://", "http:///path",
        "http://a b/", "http://camera/a b", "http://camera/\r\nX: y", "http://camera:port/",
        "http://camera:123456/", "http://u%zz:p@camera/", "http://camera/\"><a>"}) {
    EXPECT_FALSE(parse_camera_url(text)) << text;
  }
  EXPECT_FALSE(parse_camera_url("http://camera/" + std::string(2000, 'a')));
}

TEST(CameraUrlTest, ADeviceMayBeOnlyAHost) {
  EXPECT_EQ(parse_device("10.0.0.7")->text(), "http://10.0.0.7/onvif/device_service");
  EXPECT_EQ(parse_device("10.0.0.7:8080")->text(), "http://10.0.0.7:8080/onvif/device_service");
  EXPECT_EQ(parse_device("https://ann:x@gate/")->text(), "https://ann:x@gate/onvif/device_service");
  EXPECT_EQ(parse_device("http://gate/other")->text(), "http://gate/other");
  EXPECT_EQ(parse_device("rtsp://gate").error().code, ErrorCode::kInvalidParams);
  EXPECT_EQ(parse_device("a b").error().code, ErrorCode::kInvalidParams);
}

// Behind address translation, or hostile.
TEST(CameraUrlTest, OnlyTheAskedHostIsUsed) {
  const CameraUrl asked = *parse_device("gate.example:8080");
  const auto used = [&](const char* told) {
    return at_asked_host(*parse_camera_url(told), asked, "10.0.0.7");
  };
  EXPECT_EQ(used("http://10.0.0.7:81/onvif/media").url.text(),
            "http://gate.example:81/onvif/media");
  EXPECT_FALSE(used("http://10.0.0.7:81/onvif/media").is_moved);
  EXPECT_FALSE(used("http://GATE.example:81/onvif/media").is_moved);
  EXPECT_EQ(used("http://192.168.0.2/onvif/media").url.text(),
            "http://gate.example:8080/onvif/media");
  EXPECT_TRUE(used("http://192.168.0.2/onvif/media").is_moved);
  EXPECT_EQ(used("rtsp://192.168.0.2:8554/main").url.text(), "rtsp://gate.example:8554/main");
}

TEST(CameraUrlTest, AFoundCameraIsWhereItAnsweredFrom) {
  ProbeMatch match{.name = "Gate", .model = "C1"};
  EXPECT_EQ(found_camera(match, "10.0.0.7").device, "http://10.0.0.7/onvif/device_service");
  match.addresses = {"http://[fe80::1]/onvif/device_service", "nonsense"};
  EXPECT_EQ(found_camera(match, "10.0.0.7").device, "http://10.0.0.7/onvif/device_service");
  match.addresses.emplace_back("http://10.0.0.7:8080/onvif/other");
  EXPECT_EQ(found_camera(match, "10.0.0.7"),
            (FoundCamera{"Gate", "C1", "http://10.0.0.7:8080/onvif/other"}));
}

}  // namespace
}  // namespace sail
