#include "sail/apps/server/rtsp/rtsp_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace server {
namespace {

using sail::ErrorCode;
using testing::ElementsAre;

void add(RtspReader& reader, std::string_view text) {
  reader.add({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// The parsed methods; the last entry is the error at the end.
std::vector<std::string> methods(RtspReader& reader) {
  std::vector<std::string> methods;
  for (;;) {
    const auto request = reader.next();
    if (!request) methods.push_back(error_name(request.error().code));
    if (!request || !*request) return methods;
    methods.push_back((*request)->method);
  }
}

std::vector<std::string> methods_of(std::string_view text) {
  RtspReader reader;
  add(reader, text);
  return methods(reader);
}

TEST(RtspReader, ReadsARequest) {
  RtspReader reader;
  add(reader,
      "SETUP rtsp://h/a%20b/streamid=1 RTSP/1.0\r\nCSeq: 42\r\nTRANSPORT:RTP/AVP;unicast\r\n"
      "Session:  abc \r\n\r\n");
  const auto request = reader.next().value().value();
  EXPECT_EQ(request.method, "SETUP");
  EXPECT_EQ(request.uri, "rtsp://h/a%20b/streamid=1");
  EXPECT_EQ(request.version, "RTSP/1.0");
  EXPECT_EQ(request.cseq, 42U);
  EXPECT_EQ(request.header("transport"), "RTP/AVP;unicast");
  EXPECT_EQ(request.header("session"), "abc");
  EXPECT_EQ(request.header("range"), "");
  EXPECT_EQ(reader.kept_bytes(), 0U);
}

TEST(RtspReader, ReadsWhatComesByteByByte) {
  RtspReader reader;
  std::vector<std::string> all;
  for (const char byte : std::string("\r\nOPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n") +
                             std::string("$\1\0\3abc", 7) + "PLAY rtsp://h/f RTSP/1.0\r\n\r\n") {
    add(reader, {&byte, 1});
    for (const std::string& method : methods(reader)) all.push_back(method);
  }
  EXPECT_THAT(all, ElementsAre("OPTIONS", "PLAY"));
}

TEST(RtspReader, ReadsOneBehindTheOtherWithBodiesAndPacketsBetweenThem) {
  EXPECT_THAT(methods_of("OPTIONS * RTSP/1.0\r\n\r\n"
                         "SET_PARAMETER * RTSP/1.0\r\nContent-Length: 4\r\n\r\n\r\n$x"
                         "PAUSE rtsp://h/ RTSP/1.0\r\n\r\n"),
              ElementsAre("OPTIONS", "SET_PARAMETER", "PAUSE"));
}

TEST(RtspReader, RefusesWhatIsNoRequest) {
  for (const char* text :
       {"GET / HTTP/1.1\r\n\r\n", "OPTIONS\r\n\r\n", "OPTIONS * RTSP/1.0 more\r\n\r\n",
        "OPT IONS * RTSP/1.0\r\n\r\n", "OPTIONS  * RTSP/1.0\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nno header\r\n\r\n", "OPTIONS * RTSP/1.0\r\nA: 1\r\n 2\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nA: \x01\r\n\r\n", "OPTIONS \xff RTSP/1.0\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nContent-Length: -1\r\n\r\n",
        "OPTIONS * RTSP/1.0\r\nContent-Length: 1x\r\n\r\n"}) {
    EXPECT_THAT(methods_of(text), ElementsAre("bad_data")) << text;
  }
}

TEST(RtspReader, TakesNoMemoryForWhatIsTooLarge) {
  EXPECT_THAT(methods_of("OPTIONS * RTSP/1.0\r\nContent-Length: 4097\r\n\r\n"),
              ElementsAre("limit"));
  EXPECT_THAT(methods_of(std::string(kMaxRtspHead, 'A')), ElementsAre("limit"));
  std::string many = "OPTIONS * RTSP/1.0\r\n";
  for (size_t i = 0; i <= kMaxRtspHeaders; ++i) many += "A: b\r\n";
  EXPECT_THAT(methods_of(many + "\r\n"), ElementsAre("limit"));
}

TEST(RtspReader, AMissingOrStrangeNumberIsNone) {
  for (const char* cseq : {"", "CSeq: x\r\n", "CSeq: -1\r\n", "CSeq: 4294967296\r\n"}) {
    RtspReader reader;
    add(reader, std::string("OPTIONS * RTSP/1.0\r\n") + cseq + "\r\n");
    EXPECT_EQ(reader.next().value().value().cseq, std::nullopt) << cseq;
  }
}

}  // namespace
}  // namespace server
