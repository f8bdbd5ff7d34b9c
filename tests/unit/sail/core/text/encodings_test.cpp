#include "sail/core/text/encodings.h"

#include <gtest/gtest.h>

#include <string>

namespace sail {
namespace {

std::vector<uint8_t> bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

TEST(HexText, IsTwoDigitsPerByte) {
  EXPECT_EQ(hex_text(bytes_of("\x01\xfe z")), "01fe207a");
  EXPECT_TRUE(is_hex_text("01fe"));
  for (const char* text : {"01FE", "g", " "}) EXPECT_FALSE(is_hex_text(text)) << text;
}

TEST(PercentEncoding, ComesBack) {
  const std::string plain = "a/b c%d\xc3\xa9~";
  const std::string text = percent_encoded(plain, is_unreserved);
  EXPECT_EQ(text, "a%2Fb%20c%25d%C3%A9~");
  EXPECT_EQ(percent_decoded(text), plain);
  EXPECT_EQ(percent_decoded("%c3%a9"), "\xc3\xa9");
  for (const char* wrong : {"%", "%4", "%4g", "%+4", "a%"}) {
    EXPECT_EQ(percent_decoded(wrong), std::nullopt) << wrong;
  }
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
