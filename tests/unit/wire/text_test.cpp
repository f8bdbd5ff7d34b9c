#include "sail/wire/text.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

using namespace std::string_view_literals;

TEST(PlainText, IsUtf8WithoutControlCharacters) {
  for (const auto text :
       {""sv, "bplay"sv, "Büro, 東京 🎬"sv, "\u00a0"sv, "\uffff"sv, "\U0010ffff"sv}) {
    EXPECT_TRUE(is_plain_text(text)) << text;
    EXPECT_EQ(make_plain_text(text, 100), text);
  }
}

TEST(PlainText, RefusesTheRest) {
  struct Case {
    std::string_view text;
    const char* plain;
  };
  const Case cases[] = {
      {"a\nb"sv, "a?b"},
      {"\0"sv, "?"},
      {"\x1b[2J"sv, "?[2J"},
      {"\x7f"sv, "?"},
      {"\xc2\x9b"sv, "??"},  // C1: a terminal's escape
      {"\x80"sv, "?"},       // a tail alone
      {"\xc3"sv, "?"},       // a tail missing
      {"\xc3("sv, "?("},     // no tail
      {"\xe2\x82"sv, "??"},  // cut short
      {"\xc1\xa1"sv, "??"},  // overlong forms
      {"\xe0\x9f\xbf"sv, "???"},
      {"\xf0\x8f\xbf\xbf"sv, "????"},
      {"\xed\xa0\x80"sv, "???"},       // a surrogate
      {"\xf4\x90\x80\x80"sv, "????"},  // past the last character
      {"\xf8\x88\x80\x80\x80"sv, "?????"},
      {"\xff"sv, "?"},
  };
  for (const Case& c : cases) {
    EXPECT_FALSE(is_plain_text(c.text)) << c.plain;
    EXPECT_EQ(make_plain_text(c.text, 100), c.plain);
  }
}

TEST(PlainText, IsCutBetweenCharacters) {
  EXPECT_EQ(make_plain_text("ab€c", 7), "ab€c");
  EXPECT_EQ(make_plain_text("ab€c", 5), "ab€");
  EXPECT_EQ(make_plain_text("ab€c", 4), "ab");
  EXPECT_EQ(make_plain_text("ab€c", 0), "");
}

}  // namespace
}  // namespace sail
