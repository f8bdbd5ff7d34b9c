#include "sail/apps/server/rtsp/rtsp_headers.h"

#include <gtest/gtest.h>

#include "sail/apps/server/rtsp/digest.h"
#include "sail/apps/server/rtsp/rtcp.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

TEST(RtspUri, NamesATitleAndATrack) {
  EXPECT_EQ(parse_rtsp_uri("rtsp://h:554/lobby/a%20film.mp4"),
            (RtspPath{"lobby/a film.mp4", std::nullopt}));
  EXPECT_EQ(parse_rtsp_uri("rtsp://h/film.mp4?best_effort"),
            (RtspPath{"film.mp4", std::nullopt, true}));
  EXPECT_EQ(parse_rtsp_uri("RTSP://[::1]/film.mp4/?x=1"), (RtspPath{"film.mp4", std::nullopt}));
  EXPECT_EQ(parse_rtsp_uri("rtsp://h/film.mp4//streamid=1/"), (RtspPath{"film.mp4", 1}));
  EXPECT_EQ(parse_rtsp_uri("rtsp://h"), (RtspPath{"", std::nullopt}));
  for (const char* uri : {"", "*", "http://h/film", "rtsp:/h/film", "rtsp://h/%4", "rtsp://h/%zz",
                          "rtsp://h/film/streamid=", "rtsp://h/film/streamid=x",
                          "rtsp://h/film/streamid=99999999999999999999"}) {
    EXPECT_EQ(parse_rtsp_uri(uri), std::nullopt) << uri;
  }
}

TEST(RtspTransport, TheFirstWishThatCanBeMetCounts) {
  const auto choose = [](std::string_view header) { return choose_transport(header, "10.0.0.7"); };
  using Pair = std::pair<uint16_t, uint16_t>;
  EXPECT_EQ(choose("RTP/AVP;unicast;client_port=5000-5001"),
            (RtspTransport{false, Pair(5000, 5001)}));
  EXPECT_EQ(choose("RTP/AVP/UDP;unicast;client_port=5000;mode=\"PLAY\""),
            (RtspTransport{false, Pair(5000, 5001)}));
  EXPECT_EQ(choose("rtp/avp/tcp;unicast;interleaved=4-5"), (RtspTransport{true, Pair(4, 5)}));
  EXPECT_EQ(choose("RTP/AVP/TCP"), (RtspTransport{true, std::nullopt}));
  EXPECT_EQ(choose("RTP/AVP;multicast;client_port=1-2, RTP/AVP/TCP;interleaved=0-1"),
            (RtspTransport{true, Pair(0, 1)}));
  EXPECT_EQ(choose("RTP/AVP;unicast;destination=10.0.0.7;client_port=5000-5001"),
            (RtspTransport{false, Pair(5000, 5001)}));
}

TEST(RtspTransport, NothingGoesElsewhereOrNowhere) {
  for (const char* header :
       {"", "RTP/AVP", "RTP/AVP;client_port=", "RTP/AVP;client_port=0-1", "RTP/AVP;client_port=7-7",
        "RTP/AVP;client_port=65535", "RTP/AVP;client_port=70000-70001", "RTP/SAVP;client_port=1-2",
        "RTP/AVP/TCP;interleaved=255-256", "RTP/AVP/TCP;interleaved=a-b",
        "RTP/AVP;destination=10.0.0.8;client_port=5000-5001",
        "RTP/AVP;client_port=5000-5001;mode=record"}) {
    EXPECT_EQ(choose_transport(header, "10.0.0.7"), std::nullopt) << header;
  }
}

TEST(RtspRange, IsReadAndWritten) {
  EXPECT_EQ(parse_range("npt=0-"), (RtspRange{0, std::nullopt}));
  EXPECT_EQ(parse_range("npt=1.5-20;time=19970123T143720Z"),
            (RtspRange{sail::kSecondNs * 3 / 2, 20 * sail::kSecondNs}));
  EXPECT_EQ(parse_range("npt = 1:02:03.25 - "),
            (RtspRange{3723 * sail::kSecondNs + sail::kSecondNs / 4, {}}));
  EXPECT_EQ(parse_range("npt=now-"), (RtspRange{}));
  EXPECT_EQ(parse_range("npt=-7"), (RtspRange{std::nullopt, 7 * sail::kSecondNs}));
  for (const char* header :
       {"", "npt", "npt=", "npt=-", "npt=x-", "npt=5-4", "npt=5-5", "npt=1:2-", "npt=0:60:00-",
        "npt=-1-", "npt=1.x-", "npt=99999999999-", "clock=19961108T142300Z-", "smpte=0:10:00-"}) {
    EXPECT_EQ(parse_range(header), std::nullopt) << header;
  }
  EXPECT_EQ(range_text(sail::kSecondNs * 3 / 2, 20 * sail::kSecondNs), "npt=1.500000-20.000000");
  EXPECT_EQ(range_text(0, std::nullopt), "npt=0.000000-");
}

TEST(RtspReply, IsWritten) {
  EXPECT_EQ(reply_text({.status = 200, .headers = {{"Public", "PLAY"}}, .body = "v=0\r\n"}, 7),
            "RTSP/1.0 200 OK\r\nCSeq: 7\r\nPublic: PLAY\r\nContent-Length: 5\r\n\r\nv=0\r\n");
  EXPECT_EQ(reply_text({.status = 454, .headers = {}, .body = {}}, std::nullopt),
            "RTSP/1.0 454 Session Not Found\r\n\r\n");
}

// The example of RFC 2617, 3.5.
TEST(Digest, IsAsTheStandardHasIt) {
  const auto answer = parse_digest(
      "Digest username=\"Mufasa\", realm=\"testrealm@host.com\", "
      "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", uri=\"/dir/index.html\", qop=auth, "
      "nc=00000001, cnonce=\"0a4f113b\", response=\"6629fae49393a05397450978507c4ef1\"");
  ASSERT_TRUE(answer);
  EXPECT_EQ(digest_response(*answer, "Circle Of Life", "GET"), answer->response);
  EXPECT_NE(digest_response(*answer, "Circle Of Life", "PUT"), answer->response);
}

TEST(Digest, NonsenseIsNoAnswer) {
  for (const char* header : {"", "Digest", "Digest ", "Basic abc", "Digest username",
                             "Digest =,=,=", "Digest username=\"x, response=y", "Digest username=x",
                             "Digest ,,,,", "Digest username=\"\", response=\"\""}) {
    EXPECT_FALSE(parse_digest(header)) << header;
  }
}

TEST(Rtcp, ReportsAreAsTheStandardHasThem) {
  const SenderReport report{
      .ssrc = 0x01020304, .unix_ns = 500'000'000, .rtp_time = 90'000, .packets = 2, .octets = 300};
  const std::vector<uint8_t> expected = {
      0x80, 200,  0,    6,    1,    2, 3, 4,  // sender report without receivers
      0x83, 0xaa, 0x7e, 0x80, 0x80, 0, 0, 0,  // half a second after the start of 1970
      0,    1,    0x5f, 0x90, 0,    0, 0, 2, 0, 0, 1,   0x2c,  // bytes sent until then
      0x81, 202,  0,    3,    1,    2, 3, 4, 1, 3, 'a', 'b',  'c', 0, 0, 0};
  EXPECT_EQ(write_report(report, "abc"), expected);
  std::vector<uint8_t> last = expected;
  last.insert(last.end(), {0x81, 203, 0, 1, 1, 2, 3, 4});
  EXPECT_EQ(write_goodbye(report, "abc"), last);
  EXPECT_EQ(write_report(report, std::string(300, 'n')).size() % 4, 0U);
}

}  // namespace
}  // namespace server
