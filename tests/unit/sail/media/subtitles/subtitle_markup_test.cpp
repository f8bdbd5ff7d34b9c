#include "sail/media/subtitles/subtitle_markup.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sail {
namespace {

constexpr MarkupScript kScript{.size = {384, 288}, .font_size = 16, .border = 1};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(SubtitleMarkup, TextIsCountedWithoutTags) {
  const auto markup = read_markup(R"(Hello {\i1}you{\i0}\NAgain)", kScript);
  EXPECT_FALSE(markup.excessive);
  EXPECT_EQ(markup.characters, 16U);
  EXPECT_EQ(markup.plain, R"(Hello you\NAgain)");
  EXPECT_LT(markup.ink, 0.1);
}

TEST(SubtitleMarkup, UsualSignsAndDrawingsAreWithinTheLimits) {
  for (const char* text : {R"({\an5\pos(100,50)\fs40\bord2\blur1\t(0,500,\fscx120\fscy120)}A sign)",
                           R"({\clip(m 0 0 l 384 0 384 100 0 100)\be2\fs60}Half of it)",
                           R"({\k20}la{\k30}la)", "An unfinished { is text"}) {
    EXPECT_FALSE(read_markup(text, kScript).excessive) << text;
  }
  for (const char* whole : {R"({\p1}m 0 0 l 384 0 384 288 0 288{\p0})",
                            R"({\p4}m 0 0 l 3072 0 3072 2304 0 2304{\p0})"}) {
    const auto drawing = read_markup(whole, kScript);
    EXPECT_FALSE(drawing.excessive) << whole;
    EXPECT_NEAR(drawing.ink, 1, 0.05) << whole;
    EXPECT_EQ(drawing.plain, "") << whole;
  }
}

TEST(SubtitleMarkup, BombsAreExcessive) {
  const std::string letters(100, 'x');
  for (const std::string& bomb : std::vector<std::string>{
           std::string(5000, 'x'), R"(\{)" + std::string(5000, 'x') + "}", R"({\fs9999}abc)",
           R"({\ fs( 9999)}abc)", R"({\fs1e400}abc)", R"({\fs+90\fs+90}a)",
           R"({\t(0,100,\fs9999)}abc)", R"({\fscx50000})" + letters, R"({\fax1000})" + letters,
           R"({\bord500})" + letters, R"({\xbord500})" + letters, R"({\blur100})" + letters,
           R"({\be1000})" + letters, repeated(R"({\b1})", 5000) + "a",
           "{" + repeated(R"(\t()", 300) + "}a", R"({\p1}m 0 0 l)" + repeated(" 1 1", 10'000),
           R"({\p1}m 0 0 l 100000 0 100000 100000)",
           repeated(R"({\clip(m 0 0 l 9 9 9 0)})", 100) + "a"}) {
    const auto markup = read_markup(bomb, kScript);
    EXPECT_TRUE(markup.excessive) << bomb.substr(0, 40);
    EXPECT_LE(markup.plain.size(), kMostPlainCharacters) << bomb.substr(0, 40);
    EXPECT_FALSE(read_markup(markup.plain, kScript).excessive) << bomb.substr(0, 40);
  }
}

TEST(SubtitleMarkup, PlainTextIsCutAtALetterAndFitsTheStyles) {
  const auto accents = read_markup(repeated("\xc3\xa9", 5000), kScript);
  EXPECT_EQ(accents.plain, repeated("\xc3\xa9", kMostPlainCharacters));
  const MarkupScript large{.size = {384, 288}, .font_size = 288};
  EXPECT_EQ(read_markup(std::string(5000, 'x'), large).plain, std::string(21, 'x'));
}

}  // namespace
}  // namespace sail
