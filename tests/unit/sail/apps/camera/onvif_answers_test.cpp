#include "sail/apps/camera/onvif_answers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sail/apps/camera/onvif_calls.h"

namespace sail {
namespace {

using testing::HasSubstr;

std::string soap(const std::string& body) {
  return fmt::format(
      R"(<?xml version="1.0"?><x:Envelope xmlns:x="http://www.w3.org/2003/05/soap-envelope" )"
      R"(xmlns:tt="http://www.onvif.org/ver10/schema"><x:Header/><x:Body>{}</x:Body></x:Envelope>)",
      body);
}

std::string clock_xml(const char* date, const char* time) {
  return soap(fmt::format(
      "<q:GetSystemDateAndTimeResponse xmlns:q=\"{}\"><q:SystemDateAndTime><tt:UTCDateTime>"
      "<tt:Time>{}</tt:Time><tt:Date>{}</tt:Date></tt:UTCDateTime></q:SystemDateAndTime>"
      "</q:GetSystemDateAndTimeResponse>",
      kDeviceService, time, date));
}

TEST(OnvifCallsTest, TheDigestIsThatOfWsSecurity) {
  // The example of ONVIF's guide for programmers.
  const std::string nonce = "\x2c\xaa\x88\xe8\x6f\xc0\x8a\x42\x82\x42\xb3\x74\xce\xa6\x45\x96";
  const OnvifLogin login{
      .user = "user", .password = "userpassword", .nonce = nonce, .time_s = 1284623445};
  EXPECT_EQ(password_digest(login), "tuOSpGlFlIXsozq4HFNeeGeFLEI=");
  const std::string message = soap_message(get_device(), login);
  EXPECT_THAT(message, HasSubstr(">LKqI6G/AikKCQrN0zqZFlg==<"));
  EXPECT_THAT(message, HasSubstr(">2010-09-16T07:50:45Z<"));
  EXPECT_THAT(message, testing::Not(HasSubstr("userpassword")));
}

TEST(OnvifCallsTest, TextIsEscaped) {
  const OnvifLogin login{.user = "a<b", .password = "c", .nonce = "d", .time_s = 0};
  EXPECT_THAT(soap_message(get_device(), login), HasSubstr("<Username>a&lt;b</Username>"));
  EXPECT_THAT(go_to_preset("p&q", "\"1\"").content,
              HasSubstr("<ProfileToken>p&amp;q</ProfileToken><PresetToken>&quot;1&quot;<"));
}

TEST(OnvifCallsTest, AMovementHasAnEndAndOnlyItsKindOfSpeed) {
  const std::string pan = move_camera("p", {.pan = -1}, 500).content;
  EXPECT_THAT(pan, HasSubstr(R"(<PanTilt x="-1.000" y="0.000")"));
  EXPECT_THAT(pan, HasSubstr("<Timeout>PT0.5S</Timeout>"));
  EXPECT_THAT(pan, testing::Not(HasSubstr("Zoom")));
  EXPECT_THAT(move_camera("p", {.zoom = 0.5}, 2000).content, testing::Not(HasSubstr("PanTilt")));
}

TEST(OnvifAnswersTest, TheClock) {
  const auto time = [](const char* date, const char* clock) {
    return read_time(clock_xml(date, clock));
  };
  constexpr const char* kDate = "<tt:Year>2010</tt:Year><tt:Month>9</tt:Month><tt:Day>16</tt:Day>";
  constexpr const char* kClock =
      "<tt:Hour>7</tt:Hour><tt:Minute>50</tt:Minute><tt:Second>45</tt:Second>";
  EXPECT_EQ(*time(kDate, kClock), 1284623445);
  // The UTC time is optional; nonsense counts as missing.
  EXPECT_EQ(*time(kDate, ""), std::nullopt);
  EXPECT_EQ(*time("<tt:Year>2010</tt:Year><tt:Month>2</tt:Month><tt:Day>30</tt:Day>", kClock),
            std::nullopt);
  EXPECT_EQ(*time("<tt:Year>99999999999</tt:Year><tt:Month>2</tt:Month><tt:Day>3</tt:Day>", kClock),
            std::nullopt);
}

TEST(OnvifAnswersTest, ServicesOfBothCalls) {
  const auto service = [](const char* name, const char* at) {
    return fmt::format("<Service><Namespace>{}</Namespace><XAddr> {} </XAddr></Service>", name, at);
  };
  const auto services =
      read_services(soap("<GetServicesResponse>" + service(kMediaService, "http://c/m") +
                         service(kMovingService, "http://c/p") +
                         service("http://other", "http://c/o") + "</GetServicesResponse>"));
  ASSERT_TRUE(services) << services.error().message;
  EXPECT_EQ(services->media, "http://c/m");
  EXPECT_EQ(services->media2, "");
  EXPECT_EQ(services->moving, "http://c/p");
  const auto older = read_capabilities(
      soap("<GetCapabilitiesResponse><Capabilities><tt:Media><tt:XAddr>http://c/m</tt:XAddr>"
           "</tt:Media><tt:Events><tt:XAddr>http://c/e</tt:XAddr></tt:Events></Capabilities>"
           "</GetCapabilitiesResponse>"));
  EXPECT_EQ(older->media, "http://c/m");
  EXPECT_EQ(older->moving, "");
}

TEST(OnvifAnswersTest, ProfilesOfBothMediaServices) {
  const auto first = read_profiles(
      soap(R"(<m:GetProfilesResponse xmlns:m="http://www.onvif.org/ver10/media/wsdl">)"
           R"(<m:Profiles token="a"><tt:Name>Main</tt:Name><tt:VideoSourceConfiguration>)"
           R"(<tt:Name>not this</tt:Name></tt:VideoSourceConfiguration>)"
           R"(<tt:VideoEncoderConfiguration><tt:Name>nor this</tt:Name><tt:Encoding>H264)"
           R"(</tt:Encoding><tt:Resolution><tt:Width>1920</tt:Width><tt:Height>1080</tt:Height>)"
           R"(</tt:Resolution><tt:RateControl><tt:FrameRateLimit>12.5</tt:FrameRateLimit>)"
           R"(</tt:RateControl></tt:VideoEncoderConfiguration><tt:PTZConfiguration token="p"/>)"
           R"(</m:Profiles><m:Profiles token="b"/></m:GetProfilesResponse>)"));
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_EQ(first->size(), 2U);
  EXPECT_EQ(first->at(0).token, "a");
  EXPECT_EQ(first->at(0).name, "Main");
  EXPECT_EQ(first->at(0).codec, "H264");
  EXPECT_EQ(first->at(0).size, (Size{1920, 1080}));
  EXPECT_EQ(first->at(0).fps, 12.5);
  EXPECT_TRUE(first->at(0).moves);
  EXPECT_EQ(first->at(1).token, "b");
  EXPECT_FALSE(first->at(1).moves);
  const auto second = read_profiles(
      soap(R"(<GetProfilesResponse><Profiles token="a"><Name>M</Name><Configurations>)"
           R"(<VideoEncoder><tt:Encoding>H265</tt:Encoding></VideoEncoder><PTZ token="p"/>)"
           R"(</Configurations></Profiles></GetProfilesResponse>)"));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->at(0).codec, "H265");
  EXPECT_TRUE(second->at(0).moves);
}

TEST(OnvifAnswersTest, StreamsOfBothMediaServices) {
  EXPECT_EQ(*read_stream(soap("<GetStreamUriResponse><MediaUri><tt:Uri>rtsp://c/1?a=1&amp;b=2"
                              "</tt:Uri></MediaUri></GetStreamUriResponse>")),
            "rtsp://c/1?a=1&b=2");
  EXPECT_EQ(
      *read_stream(soap("<GetStreamUriResponse><Uri>rtsp://c/1</Uri></GetStreamUriResponse>")),
      "rtsp://c/1");
  EXPECT_FALSE(read_stream(soap("<GetStreamUriResponse/>")));
}

TEST(OnvifAnswersTest, PresetsMayHaveNoName) {
  const auto presets =
      read_presets(soap(R"(<GetPresetsResponse><Preset token="1"><tt:Name>Door</tt:Name></Preset>)"
                        R"(<Preset token="2"/></GetPresetsResponse>)"));
  ASSERT_EQ(presets->size(), 2U);
  EXPECT_EQ(presets->at(0).name, "Door");
  EXPECT_EQ(presets->at(1).name, "");
}

TEST(OnvifAnswersTest, EntriesWithoutAGoodTokenAreLeftOut) {
  for (const std::string& token : {std::string(), std::string("a&#10;b"), std::string(200, 'a')}) {
    const auto profiles = read_profiles(
        soap(fmt::format(R"(<GetProfilesResponse><Profiles token="{}"><Name>x</Name></Profiles>)"
                         R"(<Profiles token="b"/></GetProfilesResponse>)",
                         token)));
    ASSERT_EQ(profiles->size(), 1U);
    EXPECT_EQ(profiles->at(0).token, "b");
    const auto presets = read_presets(soap(
        fmt::format(R"(<GetPresetsResponse><Preset><Name>x</Name></Preset><Preset token="{}"/>)"
                    R"(<Preset token="b"/></GetPresetsResponse>)",
                    token)));
    ASSERT_EQ(presets->size(), 1U);
    EXPECT_EQ(presets->at(0).token, "b");
  }
}

TEST(OnvifAnswersTest, TokensMayHaveReferences) {
  const auto profiles = read_profiles(
      soap(R"(<GetProfilesResponse><Profiles token="a&amp;b&#60;&quot;"/></GetProfilesResponse>)"));
  ASSERT_EQ(profiles->size(), 1U);
  EXPECT_EQ(profiles->at(0).token, "a&b<\"");
}

TEST(OnvifAnswersTest, Faults) {
  const auto fault = [](const char* code, const char* reason) {
    return soap(fmt::format(
        "<x:Fault><x:Code><x:Value>x:Sender</x:Value><x:Subcode><x:Value>{}</x:Value></x:Subcode>"
        "</x:Code><x:Reason><x:Text xml:lang=\"en\">{}</x:Text></x:Reason></x:Fault>",
        code, reason));
  };
  const auto denied = read_services(fault("ter:NotAuthorized", "who are you"));
  EXPECT_EQ(denied.error().code, ErrorCode::kUnauthorized);
  EXPECT_THAT(denied.error().message, HasSubstr("who are you"));
  EXPECT_EQ(read_services(fault("wsse:FailedAuthentication", "")).error().code,
            ErrorCode::kUnauthorized);
  const auto refused = read_done(fault("ter:InvalidArgVal", "no such profile"), "Stop");
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("no such profile"));
}

TEST(OnvifAnswersTest, HostileAnswersAreRefused) {
  const auto words = [](const std::string& xml) {
    const auto read = read_profiles(xml);
    return read ? "" : read.error().message;
  };
  EXPECT_THAT(words(""), HasSubstr("XML"));
  EXPECT_THAT(words("<html><body>welcome</body></html>"), HasSubstr("ONVIF"));
  EXPECT_THAT(words("<!DOCTYPE a [<!ENTITY b SYSTEM \"/etc/passwd\">]><a>&b;</a>"),
              HasSubstr("document type"));
  EXPECT_THAT(words(std::string(kMaxOnvifAnswer + 1, ' ')), HasSubstr("256 KiB"));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "<a>";
  EXPECT_THAT(words(deep), HasSubstr("nested"));
  std::string many;
  for (size_t i = 0; i <= kMaxCameraProfiles; ++i) many += R"(<Profiles token="a"/>)";
  EXPECT_THAT(words(soap("<GetProfilesResponse>" + many + "</GetProfilesResponse>")),
              HasSubstr("more than 64 profiles"));
}

TEST(OnvifAnswersTest, OnlyCamerasAnswerAProbe) {
  const auto matches = [](const char* types, const char* scopes) {
    return read_probe_matches(fmt::format(
        R"(<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Header>)"
        R"(<RelatesTo>urn:uuid:7</RelatesTo></e:Header><e:Body><ProbeMatches><ProbeMatch>)"
        R"(<Types>{}</Types><Scopes>{}</Scopes><XAddrs>http://10.0.0.7/a http://[fe80::1]/a)"
        R"(</XAddrs></ProbeMatch></ProbeMatches></e:Body></e:Envelope>)",
        types, scopes));
  };
  const auto found = matches("dn:NetworkVideoTransmitter",
                             "onvif://www.onvif.org/hardware/C1\n"
                             "onvif://www.onvif.org/name/Gate%20North");
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->at(0).answers, "urn:uuid:7");
  EXPECT_EQ(found->at(0).name, "Gate North");
  EXPECT_EQ(found->at(0).model, "C1");
  EXPECT_EQ(found->at(0).addresses.size(), 2U);
  EXPECT_EQ(matches("NetworkVideoTransmitter", "")->size(), 1U);
  EXPECT_EQ(matches("wsdp:Device wprt:PrintDeviceType", "")->size(), 0U);
}

}  // namespace
}  // namespace sail
