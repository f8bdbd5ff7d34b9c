#include "sail/core/text/text.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(WithoutPasswords, HidesThemInUrls) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtsp://user:pass@cam/1", "rtsp://user:…@cam/1"},
      {"rtsp://user:p@ss:w@cam:554/1?x=1#f", "rtsp://user:…@cam:554/1?x=1#f"},
      {"rtsp://user:pass@[fe80::1]:554", "rtsp://user:…@[fe80::1]:554"},
      {"rtsp://:pass@cam", "rtsp://:…@cam"},
      {"https://cam/live?user=a&password=b&size=2", "https://cam/live?user=a&password=…&size=2"},
      {"srt://host:1?mode=caller&PassPhrase=long one", "srt://host:1?mode=caller&PassPhrase=… one"},
      {"rtsp://cam/a=1;pwd=2;c=3", "rtsp://cam/a=1;pwd=…;c=3"},
      {"https://u:@host/", "https://u:…@host/"},
      {"https://h/a.mkv?X-Amz-Signature=1&sig=2&design=3",
       "https://h/a.mkv?X-Amz-Signature=…&sig=…&design=3"},
      {"ibp://h:6714/key/77/READ?size=5", "ibp://h:6714/…"},
      {"ibp://h:6714", "ibp://h:6714"},
  };
  for (const auto& [url, shown] : cases) EXPECT_EQ(without_passwords(url), shown);
}

TEST(WithoutStreamKeys, HidesKeysAndPasswords) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtmp://host/live2/abcd-efgh?x=1", "rtmp://host/live2/…"},
      {"rtmps://u:p@host:443/app/instance/key", "rtmps://u:…@host:443/app/…"},
      {"rtmp://host/app", "rtmp://host/app"},
      {"RTMPS://host/app/key", "RTMPS://host/app/…"},
      {"rtmp://host/app?pass=a/b", "rtmp://host/app?pass=…"},
      {"srt://host:1?mode=caller&streamid=publish:wall:ann:pw",
       "srt://host:1?mode=caller&streamid=…"},
      {"rtsp://u:p@host/wall/left", "rtsp://u:…@host/wall/left"},
      {"talk.mkv", "talk.mkv"},
  };
  for (const auto& [url, shown] : cases) {
    EXPECT_EQ(without_stream_keys(url), shown);
    EXPECT_EQ(without_stream_keys(shown), shown);
  }
  EXPECT_EQ(without_passwords("rtmp://host/live/camera"), "rtmp://host/live/camera")
      << "the titles of windows keep the stream's name";
}

TEST(WithoutPasswords, HidesThemInSentences) {
  EXPECT_EQ(without_passwords("cannot open 'rtsp://u:a@b/c': refused; nor http://u:d@e."),
            "cannot open 'rtsp://u:…@b/c': refused; nor http://u:…@e.");
}

TEST(WithoutPasswords, LeavesTheRestAlone) {
  for (const char* text :
       {"", "film.mp4", "/a:b@c/d.mp4", "test:640x480", "://", "rtsp://", "rtsp://user@cam/a:b@c",
        "http://host:80/a?b=c", "http://host/pass=1/x", "a film: x@y"}) {
    EXPECT_EQ(without_passwords(text), text);
  }
}

TEST(WithoutPasswords, TwiceIsOnce) {
  const std::string once = without_passwords("rtsp://user:pass@cam/1?key=2");
  EXPECT_EQ(without_passwords(once), once);
}

}  // namespace
}  // namespace sail
