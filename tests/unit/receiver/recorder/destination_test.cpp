#include "receiver/recorder/destination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace receiver {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Destination, FilesAreNotLive) {
  for (const char* file :
       {"talk.mkv", "/films/a:b.mp4", "talk 10:30.mkv", "a//b.webm", "m3u8", ""}) {
    EXPECT_FALSE(is_live(file)) << file;
    EXPECT_EQ(destination_mistake(file), "") << file;
  }
}

TEST(Destination, EachKindHasItsMuxerAndOnlyItsProtocols) {
  struct Case {
    const char* to;
    const char* format;
    const char* protocols;
  };
  for (const Case& one :
       {Case{"rtmp://host/live/key", "flv", "rtmp,tcp"},
        Case{"rtmps://host/live/key", "flv", "rtmps,tls,tcp"},
        Case{"rtsp://ann:pw@host:8554/wall", "rtsp", "tcp"},
        Case{"srt://host:9000?latency=200000", "mpegts", "srt"},
        Case{"udp://239.1.2.3:5004?ttl=4", "mpegts", "udp"},
        Case{"rtp://[ff18::1]:5004", "rtp_mpegts", "rtp,udp"},
        Case{"tcp://127.0.0.1:7", "mpegts", "tcp"}, Case{"v4l2:/dev/video9", "v4l2", "none"},
        Case{"http://127.0.0.1:7491/whep", "mpegts", "none"},
        Case{"https://[::]:0/whep", "mpegts", "none"}, Case{"www/wall.m3u8", "hls", "file"}}) {
    const LiveDestination* found = live_destination(one.to);
    ASSERT_NE(found, nullptr) << one.to;
    EXPECT_STREQ(found->format, one.format) << one.to;
    EXPECT_STREQ(found->protocols, one.protocols) << one.to;
    EXPECT_EQ(destination_mistake(one.to), "");
  }
}

TEST(Destination, WrongUrlsAreExplained) {
  for (const auto& [url, words] : {std::pair{"foo://host:1", "unknown kind of URL"},
                                   {"http://host/a.m3u8", "local FILE.m3u8"},
                                   {"http://host:1", "http://HOST:PORT/whep only"},
                                   {"http://ann@host:1/whep", "HOST:PORT/whep only"},
                                   {"https://host:1/whep?a", "https://HOST:PORT/whep only"},
                                   {"http:///whep", "the host is missing"},
                                   {"http://host:99999/whep", "from 0 to 65535"},
                                   {"RTMP://host/a", "unknown kind of URL"},
                                   {"file:///a.mkv", "unknown kind of URL"},
                                   {"rtmp:///live/key", "the host is missing"},
                                   {"rtsp://", "the host is missing"},
                                   {"srt://host", "the port is missing: srt://HOST:PORT"},
                                   {"udp://host:0", "the port is missing"},
                                   {"rtp://host/5004", "the port is missing"},
                                   {"tcp://host:99999", "from 0 to 65535"},
                                   {"rtmp://host:abc/live", "from 0 to 65535"},
                                   {"rtmp://a b/live", "the host name is invalid"},
                                   {"udp://[::1:5004", "closing bracket"}}) {
    EXPECT_THAT(destination_mistake(url), HasSubstr(words)) << url;
  }
  EXPECT_THAT(destination_mistake("rtmp://host/" + std::string(2000, 'a')), HasSubstr("longer"));
}

TEST(Destination, ServedOnesHaveAnAddressToListen) {
  EXPECT_TRUE(is_served("http://127.0.0.1:0/whep"));
  EXPECT_FALSE(is_served("rtmp://host/live"));
  EXPECT_FALSE(is_served("talk.mkv"));
  EXPECT_EQ(served_address("http://127.0.0.1/whep"), (sail::Address{"127.0.0.1", 7491}));
  EXPECT_EQ(served_address("https://[::1]:8443/whep"), (sail::Address{"::1", 8443}));
}

TEST(Destination, MistakesShowNoSecret) {
  for (const char* url : {"foo://ann:secret@host", "srt://host?passphrase=secret",
                          "srt://host?streamid=secret", "rtmp://:9/live/secret"}) {
    EXPECT_THAT(destination_mistake(url), Not(HasSubstr("secret"))) << url;
    EXPECT_NE(destination_mistake(url), "") << url;
  }
}

}  // namespace
}  // namespace receiver
