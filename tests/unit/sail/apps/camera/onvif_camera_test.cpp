// Conversations with cameras, which the test plays.
#include "sail/apps/camera/onvif_camera.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sail/apps/camera/camera_jobs.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr int64_t kNowS = 1284620000;
constexpr int64_t kAheadS = 3445;  // of the camera's clock

std::string answer_of(const std::string& name, const std::string& content) {
  return fmt::format(
      "<e:Envelope xmlns:e=\"http://www.w3.org/2003/05/soap-envelope\"><e:Body>"
      "<{0}Response>{1}</{0}Response></e:Body></e:Envelope>",
      name, content);
}

class OnvifCameraTest : public testing::Test {
 protected:
  OnvifCameraTest() {
    answer("GetSystemDateAndTime",
           "<SystemDateAndTime><UTCDateTime><Time><Hour>7</Hour><Minute>50</Minute><Second>45"
           "</Second></Time><Date><Year>2010</Year><Month>9</Month><Day>16</Day></Date>"
           "</UTCDateTime></SystemDateAndTime>");
    answer("GetDeviceInformation", "<Manufacturer>Acme</Manufacturer><Model>Acme C1</Model>");
    answer("GetServices", service(kMediaService, "media") + service(kMovingService, "ptz"));
    answer("GetProfiles",
           R"(<Profiles token="a"><Name>Main</Name><PTZConfiguration token="p"/></Profiles>)");
    answer("GetStreamUri", "<MediaUri><Uri>rtsp://10.0.0.7:8554/main</Uri></MediaUri>");
  }
  static std::string service(const char* name, const char* path) {
    return fmt::format(
        "<Service><Namespace>{}</Namespace><XAddr>http://10.0.0.7/{}</XAddr></Service>", name,
        path);
  }
  void answer(const std::string& name, const std::string& content, int status = 200) {
    replies_[name] = {.status = status, .body = answer_of(name, content), .from = "10.0.0.7"};
  }
  Result<CameraReply> post(const CameraPost& request) {
    posts_.push_back(request);
    const std::string name = request.action.substr(request.action.rfind('/') + 1);
    if (demands_digest_ && !request.by_digest && name != "GetSystemDateAndTime") {
      return CameraReply{.status = 401, .offers_digest = true, .from = "10.0.0.7"};
    }
    const auto found = replies_.find(name);
    if (found == replies_.end()) return CameraReply{.status = 400, .from = "10.0.0.7"};
    return found->second;
  }
  CameraHands hands() {
    return {.post = [this](const CameraPost& request) { return post(request); },
            .ask_stream = [this](const CameraUrl& url) -> Result<StreamProof> {
              asked_ = url.without_login().text();
              return proof_;
            },
            .try_stream = [this](const std::string& url) -> Result<std::string> {
              tried_ = url;
              return shows_;
            },
            .now_s = [] { return kNowS; }};
  }
  Result<Json> save(const std::string& device = "http://ann:secret@10.0.0.7") {
    return do_camera_job({{"do", "save"}, {"device", device}, {"profile", ""}}, hands());
  }
  // Of the requests, in order.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const CameraPost& request : posts_) {
      names.push_back(request.action.substr(request.action.rfind('/') + 1));
    }
    return names;
  }

  std::map<std::string, CameraReply> replies_;
  std::vector<CameraPost> posts_;
  bool demands_digest_ = false;
  std::string asked_;
  std::string tried_;
  Result<StreamProof> proof_ = StreamProof::kDigest;
  Result<std::string> shows_ = "h264, 1280x720, 25 fps";
};

TEST_F(OnvifCameraTest, AProofHasTheTimeOfTheCamera) {
  ASSERT_TRUE(save());
  EXPECT_THAT(posts_.at(0).body, testing::Not(HasSubstr("Username")));
  EXPECT_THAT(posts_.at(1).body, HasSubstr("<Username>ann</Username>"));
  EXPECT_THAT(posts_.at(1).body, HasSubstr(">2010-09-16T07:50:45Z<"));
  static_assert(kNowS + kAheadS == 1284623445);
  for (const CameraPost& request : posts_) {
    EXPECT_THAT(request.body, testing::Not(HasSubstr("secret")));
  }
}

TEST_F(OnvifCameraTest, ACameraIsTriedBeforeItIsSaved) {
  const auto saved = save();
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(tried_, "rtsp://ann:secret@10.0.0.7:8554/main");
  EXPECT_EQ((*saved)["url"], tried_);
  EXPECT_EQ((*saved)["title"], "Acme C1");
  EXPECT_EQ((*saved)["camera"], (Json{{"device", "http://10.0.0.7/onvif/device_service"},
                                      {"moving", "http://10.0.0.7/ptz"},
                                      {"profile", "a"}}));
  shows_ = fail(ErrorCode::kTimeout, "no picture");
  EXPECT_EQ(save().error().code, ErrorCode::kTimeout);
}

TEST_F(OnvifCameraTest, ALoginIsSentInTheClearOnlyIfThatIsAllowed) {
  proof_ = StreamProof::kBasic;
  EXPECT_EQ(save().error().code, ErrorCode::kConflict);
  EXPECT_EQ(asked_, "rtsp://10.0.0.7:8554/main");
  EXPECT_EQ(tried_, "");
  proof_ = fail(ErrorCode::kTimeout, "no answer");
  EXPECT_EQ(save().error().code, ErrorCode::kTimeout);
  EXPECT_EQ(tried_, "");
  EXPECT_TRUE(do_camera_job({{"do", "save"},
                             {"device", "http://ann:secret@10.0.0.7"},
                             {"profile", ""},
                             {"plain_login", true}},
                            hands()));
  tried_ = asked_ = "";
  EXPECT_TRUE(save("http://10.0.0.7")) << "there is no login";
  EXPECT_EQ(asked_, "");
  answer("GetStreamUri", "<MediaUri><Uri>rtsps://10.0.0.7/main</Uri></MediaUri>");
  EXPECT_TRUE(save()) << "TLS protects it";
  EXPECT_EQ(asked_, "");
}

TEST_F(OnvifCameraTest, ServersOfStreamsSayHowUsersProveThemselves) {
  const auto proof = [](const char* status, const char* lines) {
    return stream_proof_in(fmt::format("RTSP/1.0 {}\r\nCSeq: 1\r\n{}\r\n", status, lines));
  };
  const char* const basic = "WWW-Authenticate: Basic realm=\"c\"\r\n";
  const char* const digest = "www-authenticate: Digest realm=\"c\", nonce=\"1\"\r\n";
  EXPECT_EQ(proof("401 Unauthorized", basic), StreamProof::kBasic);
  EXPECT_EQ(proof("401 Unauthorized", digest), StreamProof::kDigest);
  EXPECT_EQ(proof("401 No", (std::string(basic) + digest).c_str()), StreamProof::kDigest);
  EXPECT_EQ(proof("401 No", (std::string(digest) + basic).c_str()), StreamProof::kDigest);
  EXPECT_EQ(proof("401 No", ""), StreamProof::kNone);
  EXPECT_EQ(proof("200 OK", basic), StreamProof::kNone);
  for (const char* odd : {"", "RTSP/1.0", "401", " 401\nwww-authenticate:"}) {
    EXPECT_EQ(stream_proof_in(odd), StreamProof::kNone) << odd;
  }
}

TEST_F(OnvifCameraTest, ProfilesHaveNoPasswords) {
  answer("GetStreamUri",
         "<MediaUri><Uri>rtsp://10.0.0.7/cam?user=admin&amp;password=tlJwpbo6&amp;channel=1</Uri>"
         "</MediaUri>");
  const auto looked = do_camera_job({{"do", "look"}, {"device", "10.0.0.7"}}, hands());
  ASSERT_TRUE(looked) << looked.error().message;
  EXPECT_EQ((*looked)["profiles"][0]["url"], "rtsp://10.0.0.7/cam?user=admin&password=…&channel=1");
}

TEST_F(OnvifCameraTest, HttpDigestIsUsedIfItIsDemanded) {
  demands_digest_ = true;
  ASSERT_TRUE(save());
  EXPECT_FALSE(posts_.at(1).by_digest);
  EXPECT_TRUE(posts_.at(2).by_digest);
  EXPECT_EQ(posts_.at(2).url.password, "secret");
  EXPECT_TRUE(posts_.back().by_digest);
  EXPECT_EQ(save("10.0.0.7").error().code, ErrorCode::kUnauthorized);
}

TEST_F(OnvifCameraTest, TheTimeMayNeedAProof) {
  CameraHands strict = hands();
  strict.post = [&](const CameraPost& request) -> Result<CameraReply> {
    if (request.body.find("Username") == std::string::npos) return CameraReply{.status = 401};
    return post(request);
  };
  EXPECT_TRUE(do_camera_job({{"do", "look"}, {"device", "http://ann:secret@10.0.0.7"}}, strict));
  EXPECT_EQ(do_camera_job({{"do", "look"}, {"device", "10.0.0.7"}}, strict).error().code,
            ErrorCode::kUnauthorized);
}

TEST_F(OnvifCameraTest, OldCamerasAreAskedForCapabilities) {
  replies_.erase("GetServices");
  EXPECT_FALSE(save());
  replies_["GetServices"] = {
      .status = 500,
      .body =
          "<e:Envelope "
          "xmlns:e=\"http://www.w3.org/2003/05/"
          "soap-envelope\"><e:Body><e:Fault><e:Code><e:Value>e:Sender</e:Value>"
          "</e:Code></e:Fault></e:Body></e:Envelope>",
      .from = "10.0.0.7"};
  answer("GetCapabilities",
         "<Capabilities><Media><XAddr>http://10.0.0.7/media</XAddr></Media></Capabilities>");
  const auto saved = save();
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ((*saved)["camera"]["moving"], "");
}

TEST_F(OnvifCameraTest, TheSecondMediaServiceComesFirst) {
  answer("GetServices", service(kMediaService, "media") + service(kMedia2Service, "media2"));
  ASSERT_TRUE(save());
  EXPECT_EQ(posts_.at(3).url.path, "/media2");
  EXPECT_EQ(posts_.back().url.path, "/media2");
}

TEST_F(OnvifCameraTest, AddressesOfOtherHostsAreNotUsed) {
  answer("GetServices",
         fmt::format("<Service><Namespace>{}</Namespace><XAddr>http://192.0.2.1/media</XAddr>"
                     "</Service>",
                     kMediaService));
  answer("GetStreamUri", "<MediaUri><Uri>rtsp://192.0.2.9/main</Uri></MediaUri>");
  const auto saved = save();
  ASSERT_TRUE(saved) << saved.error().message;
  for (const CameraPost& request : posts_) EXPECT_EQ(request.url.host, "10.0.0.7");
  EXPECT_EQ(tried_, "rtsp://ann:secret@10.0.0.7/main");
  EXPECT_EQ((*saved)["notes"].size(), 2U);
  answer("GetStreamUri", "<MediaUri><Uri>file:///etc/passwd</Uri></MediaUri>");
  EXPECT_THAT(save().error().message, HasSubstr("cannot be used"));
}

TEST_F(OnvifCameraTest, SlowCamerasTakeTooLong) {
  CameraHands slow = hands();
  int64_t now_s = kNowS;
  slow.now_s = [&now_s] { return now_s; };
  slow.post = [&](const CameraPost& request) {
    now_s += (OnvifCamera::kLongestS + 1) / 2;
    return post(request);
  };
  const auto looked = do_camera_job({{"do", "look"}, {"device", "10.0.0.7"}}, slow);
  EXPECT_EQ(looked.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(posts_.size(), 2U);
}

TEST_F(OnvifCameraTest, Movements) {
  const Json camera = {{"device", "http://10.0.0.7/onvif/device_service"},
                       {"moving", "http://10.0.0.7/ptz"},
                       {"profile", "a"}};
  const auto ask = [&](Json job) {
    job.update({{"camera", camera}, {"login", "rtsp://ann:secret@10.0.0.7:8554/main"}});
    return do_camera_job(job, hands());
  };
  answer("ContinuousMove", "");
  answer("Stop", "");
  answer("GotoPreset", "");
  answer("GetPresets", R"(<Preset token="1"><Name>Door</Name></Preset><Preset token="door"/>)");
  const Json left = {{"do", "move"}, {"move", "left"}, {"speed", 0.5}, {"ms", 500}};
  ASSERT_TRUE(ask(left));
  EXPECT_THAT(posts_.back().body, HasSubstr("<Username>ann</Username>"));
  EXPECT_THAT(posts_.back().body, HasSubstr(R"(x="-0.500")"));
  EXPECT_EQ(names(), (std::vector<std::string>{"GetSystemDateAndTime", "ContinuousMove"}));
  EXPECT_TRUE(ask({{"do", "move"}, {"move", "stop"}, {"speed", 0.5}, {"ms", 500}}));
  EXPECT_FALSE(ask({{"do", "move"}, {"move", "sideways"}, {"speed", 0.5}, {"ms", 500}}));
  // A token comes before a name; names in any case.
  EXPECT_EQ((*ask({{"do", "preset"}, {"preset", "door"}}))["preset"], "door");
  EXPECT_EQ((*ask({{"do", "preset"}, {"preset", "DOOR"}}))["preset"], "1");
  EXPECT_EQ(ask({{"do", "preset"}, {"preset", "gate"}}).error().code, ErrorCode::kNotFound);
  // An answer to another request does not count.
  replies_["ContinuousMove"].body = answer_of("Stop", "");
  EXPECT_EQ(ask(left).error().code, ErrorCode::kBadData);
}

}  // namespace
}  // namespace sail
