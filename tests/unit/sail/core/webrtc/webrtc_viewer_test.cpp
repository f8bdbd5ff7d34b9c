#include "sail/core/webrtc/webrtc_viewer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>

namespace sail {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kModes =
    "a=rtpmap:97 H264/90000\r\n"
    "a=fmtp:97 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f\r\n"
    "a=rtpmap:98 H264/90000\r\n"
    "a=fmtp:98 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f\r\n"
    "a=rtpmap:99 H264/90000\r\n"
    "a=fmtp:99 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f\r\n";

std::string head(const std::string& mids = "0") {
  return "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE " + mids + "\r\n";
}

std::string medium(const std::string& line, const std::string& id, const std::string& direction,
                   const std::string& formats) {
  std::string print = "00";
  for (int i = 1; i < 32; ++i) print += ":0" + std::to_string(i % 10);
  return "m=" + line + "\r\nc=IN IP4 0.0.0.0\r\na=ice-ufrag:abcd\r\n" +
         "a=ice-pwd:0123456789abcdef01234567\r\na=fingerprint:sha-256 " + print +
         "\r\na=setup:actpass\r\na=mid:" + id + "\r\na=" + direction + "\r\na=rtcp-mux\r\n" +
         formats;
}

std::string video(const std::string& formats, const std::string& direction = "recvonly") {
  return medium("video 9 UDP/TLS/RTP/SAVPF 96 97 98 99", "0", direction,
                "a=rtpmap:96 VP8/90000\r\n" + formats);
}

std::string audio() {
  return medium("audio 9 UDP/TLS/RTP/SAVPF 111", "1", "recvonly",
                "a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\n");
}

// The answer to an offer, or the error.
Result<std::string> answer_to(const std::string& offer, bool sound = false) {
  std::promise<Result<std::string>> promise;
  auto answer = promise.get_future();
  auto viewer = WebrtcViewer::start(
      offer, "127.0.0.1", sound,
      {.on_answer = [&promise](Result<std::string> sdp) { promise.set_value(std::move(sdp)); },
       .on_key_wanted = [] {},
       .on_left = [] {}});
  if (!viewer) return viewer.error();
  if (answer.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
    return fail(ErrorCode::kTimeout, "no answer");
  }
  return answer.get();
}

TEST(WebrtcViewer, AViewerGetsConstrainedBaselineInPacketizationMode1) {
  const auto answer = answer_to(head("0 1") + video(kModes) + audio());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(*answer, ContainsRegex("m=video [1-9][0-9]* UDP/TLS/RTP/SAVPF 99\r\n"));
  EXPECT_THAT(*answer, HasSubstr("a=sendonly"));
  EXPECT_THAT(*answer, ContainsRegex("a=ssrc:[1-9][0-9]* cname:"));
  EXPECT_THAT(*answer, HasSubstr("packetization-mode=1"));
  EXPECT_THAT(*answer, HasSubstr("127.0.0.1"));
  EXPECT_THAT(answer->substr(answer->find("m=audio")), HasSubstr("a=inactive"));
}

TEST(WebrtcViewer, SoundIsOpus) {
  const auto answer = answer_to(head("0 1") + video(kModes) + audio(), true);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_THAT(*answer, ContainsRegex("m=audio [1-9][0-9]* UDP/TLS/RTP/SAVPF 111\r\n"));
  const auto silent = answer_to(head() + video(kModes), true);
  ASSERT_TRUE(silent) << silent.error().message;
  EXPECT_THAT(*silent, Not(HasSubstr("m=audio")));
}

TEST(WebrtcViewer, OtherOffersAreRefused) {
  std::string many = head() + video(kModes);
  for (int i = 0; i < 20; ++i) many += audio();
  for (const std::string& offer :
       {std::string(), std::string("nonsense"), head(), head() + audio(), head() + video(""),
        head() + video("a=rtpmap:97 H264/90000\r\na=fmtp:97 packetization-mode=0\r\n"),
        head() + video(kModes, "sendonly"), head() + video(kModes, "inactive"), many}) {
    const auto answer = answer_to(offer);
    ASSERT_FALSE(answer) << offer;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams) << offer;
  }
}

}  // namespace
}  // namespace sail
