#include "sail/core/text/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace sail {
namespace {

std::vector<uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

// The examples of RFC 4648, section 10.
TEST(Base64, WritesAndReadsTheExamplesOfTheStandard) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, text] : examples) {
    EXPECT_EQ(base64_text(bytes_of(plain)), text);
    EXPECT_EQ(base64_bytes(text), bytes_of(plain)) << text;
    EXPECT_EQ(base64_length(std::string_view(plain).size()), std::string_view(text).size());
  }
}

TEST(Base64, TakesAllBytes) {
  std::vector<uint8_t> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
  EXPECT_EQ(base64_bytes(base64_text(bytes)), bytes);
}

TEST(Base64, RefusesWhatNobodyWrites) {
  for (const char* text : {"Z", "Zg", "Zg=", "====", "Z===", "Zg==Zg==", "Zm9v\n", "Zm 9", "Zm9-",
                           "Zh==", "Zm9=", "=m9v", "Zm\xc3\xa9"}) {
    EXPECT_EQ(base64_bytes(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace sail
