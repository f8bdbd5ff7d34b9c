#include "sail/media/storage/http/web_address.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(WebAddress, EncodesWhatMayNotStandInIt) {
  for (const auto& [url, address] : {std::pair("http://h/a b.mp4", "http://h/a%20b.mp4"),
                                     {"https://h:1/ü?q=<x>", "https://h:1/%C3%BC?q=%3Cx%3E"},
                                     {"http://h/a%20b;c&d+e?f=g#h", "http://h/a%20b;c&d+e?f=g#h"},
                                     {"http://[::1]:80/a", "http://[::1]:80/a"},
                                     {"http://h", "http://h"}}) {
    EXPECT_EQ(as_web_address(url), address);
  }
}

}  // namespace
}  // namespace sail
