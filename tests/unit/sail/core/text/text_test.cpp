#include "sail/core/text/text.h"

#include <gmock/gmock.h>
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
      {"\xc2\x9b"sv, "??"},  // C1: starts a terminal's escape sequence
      {"\x80"sv, "?"},       // a continuation byte alone
      {"\xc3"sv, "?"},       // continuation byte missing
      {"\xc3("sv, "?("},     // no continuation byte
      {"\xe2\x82"sv, "??"},  // truncated
      {"\xc1\xa1"sv, "??"},  // overlong forms
      {"\xe0\x9f\xbf"sv, "???"},
      {"\xf0\x8f\xbf\xbf"sv, "????"},
      {"\xed\xa0\x80"sv, "???"},       // a surrogate
      {"\xf4\x90\x80\x80"sv, "????"},  // beyond the last code point
      {"\xf8\x88\x80\x80\x80"sv, "?????"},
      {"\xff"sv, "?"},
  };
  for (const Case& c : cases) {
    EXPECT_FALSE(is_plain_text(c.text)) << c.plain;
    EXPECT_EQ(make_plain_text(c.text, 100), c.plain);
  }
}

TEST(PlainText, NamesAreWhatTheySeemToBe) {
  struct Case {
    std::string_view text;
    const char* name;
    const char* why;
  };
  const Case cases[] = {
      {"invoice\u202ecod.exe"sv, "invoicecod.exe",
       "must not contain U+202E, which changes the text"},
      {"a\u2066b\u2069"sv, "ab", "U+2066"},
      {"a\u200e\u200fb\u061c"sv, "ab", "U+200E"},
      {"door\u200b"sv, "door", "must not contain U+200B, which is invisible"},
      {"\ufeffdoor"sv, "door", "U+FEFF"},
      {"do\u00ador"sv, "door", "U+00AD"},
      {"door\u2060\u2028"sv, "door", "U+2060"},
      {"\u3164"sv, "", "U+3164"},
      {"do\u200dor"sv, "door", "U+200D"},  // joins nothing
      {"\u200c"sv, "", "U+200C"},
      {"می\u200c\u200cخ"sv, "می\u200cخ", "U+200C"},
      {"a\U000e0067b"sv, "ab", "U+E0067"},
      {"a\nb"sv, "a?b", "control"},
  };
  for (const Case& c : cases) {
    const auto wrong = name_mistake(c.text);
    ASSERT_TRUE(wrong) << c.name;
    EXPECT_NE(wrong->find(c.why), std::string::npos) << *wrong;
    EXPECT_EQ(make_plain_text(c.text, 100), c.name);
    EXPECT_FALSE(name_mistake(make_plain_text(c.text, 100))) << c.name;
  }
}

TEST(PlainText, NamesOfAllScriptsStay) {
  for (const auto text :
       {""sv, "Büro – 東京 🎬"sv, "می\u200cخواهم"sv, "क्\u200dष"sv, "ශ්\u200dරී"sv, "👩\u200d🔬"sv,
        "❤️\u200d🔥"sv, "#️⃣"sv, "שלום עולם"sv, "مرحبا"sv, "e\u0301"sv,
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"sv}) {
    EXPECT_EQ(name_mistake(text), std::nullopt) << text;
    EXPECT_EQ(make_plain_text(text, 100), text);
    EXPECT_TRUE(is_plain_text(text)) << text;
  }
}

TEST(PlainText, IsCutBetweenCharacters) {
  EXPECT_EQ(make_plain_text("ab€c", 7), "ab€c");
  EXPECT_EQ(make_plain_text("ab€c", 5), "ab€");
  EXPECT_EQ(make_plain_text("ab€c", 4), "ab");
  EXPECT_EQ(make_plain_text("ab€c", 0), "");
}

TEST(SplitWords, KeepsQuotedBlanksAndLeavesCommentsOut) {
  EXPECT_THAT(split_words("move 3  10\t20"), testing::ElementsAre("move", "3", "10", "20"));
  EXPECT_THAT(split_words("play 'my film.mp4' \"\""),
              testing::ElementsAre("play", "my film.mp4", ""));
  EXPECT_THAT(split_words("ls # all of them"), testing::ElementsAre("ls"));
  EXPECT_THAT(split_words("# nothing"), testing::IsEmpty());
  EXPECT_THAT(split_words("play a#b"), testing::ElementsAre("play", "a#b"));
  EXPECT_THAT(split_words("ls\r"), testing::ElementsAre("ls"));
  EXPECT_THAT(split_words("'/opt/my ssh' -F \"a b\""),
              testing::ElementsAre("/opt/my ssh", "-F", "a b"));
}

TEST(Text, OnlyStarAndQuestionMarkAreSpecialInPatterns) {
  for (const auto& [pattern, text] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"", ""},
                                                                  {"*", ""},
                                                                  {"*", ".a/b"},
                                                                  {"a*", "a"},
                                                                  {"a*c*e", "abcce"},
                                                                  {"*ab", "aab"},
                                                                  {"??", "ab"},
                                                                  {"caf?", "café"},
                                                                  {"*?x", "éx"},
                                                                  {"cam[1]", "cam[1]"},
                                                                  {"a\\*", "a\\b"},
                                                                  {"a*b", "a*b"}}) {
    EXPECT_TRUE(fits_pattern(pattern, text)) << pattern << " " << text;
  }
  for (const auto& [pattern, text] :
       std::vector<std::pair<std::string_view, std::string_view>>{{"", "a"},
                                                                  {"?", ""},
                                                                  {"a", "ab"},
                                                                  {"*b", "ba"},
                                                                  {"a*c", "ab"},
                                                                  {"caf??", "café"},
                                                                  {"*??", "é"},
                                                                  {"cam[1]", "cam1"},
                                                                  {"a\\*b", "a*b"},
                                                                  {"A", "a"}}) {
    EXPECT_FALSE(fits_pattern(pattern, text)) << pattern << " " << text;
  }
}

}  // namespace
}  // namespace sail
