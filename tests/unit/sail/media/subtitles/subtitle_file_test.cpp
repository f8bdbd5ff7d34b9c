#include "sail/media/subtitles/subtitle_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

std::vector<uint8_t> bytes_of_text(std::string_view text) {
  return {text.begin(), text.end()};
}

std::string only_event(const Result<SubtitleFile>& file) {
  EXPECT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file && file->cues.size() == 1 && file->cues[0].events.size() == 1);
  return file && file->cues.size() == 1 ? file->cues[0].events.at(0) : "";
}

constexpr std::string_view kCue = "1\n00:00:01,000 --> 00:00:02,500\n";

TEST(SubtitleFile, ReadsTimesAndText) {
  const auto file = parse_subtitle_file("a.srt", bytes_of_text(std::string(kCue) + "Hello\n"));
  EXPECT_TRUE(only_event(file).ends_with(",Hello"));
  EXPECT_EQ(file->cues[0].start_ns, 1'000'000'000);
  EXPECT_EQ(file->cues[0].end_ns, 2'500'000'000);
  EXPECT_NE(file->header.find("[V4+ Styles]"), std::string::npos);
  EXPECT_TRUE(file->complaints.empty());
}

TEST(SubtitleFile, ReadsUtf8WithItsMarkUtf16AndWindows1252) {
  const std::string text = std::string(kCue) + "\xc3\xa9t\xc3\xa9\n";
  EXPECT_TRUE(only_event(parse_subtitle_file("a.srt", bytes_of_text("\xef\xbb\xbf" + text)))
                  .ends_with(",\xc3\xa9t\xc3\xa9"));

  std::vector<uint8_t> wide = {0xff, 0xfe};
  for (const char letter : std::string(kCue) + "\xe9t\xe9\n") {
    wide.push_back(static_cast<uint8_t>(letter));
    wide.push_back(0);
  }
  EXPECT_TRUE(only_event(parse_subtitle_file("a.srt", wide)).ends_with(",\xc3\xa9t\xc3\xa9"));

  const auto old =
      parse_subtitle_file("a.srt", bytes_of_text(std::string(kCue) + "\xe9t\xe9 \x80 \x81\n"));
  EXPECT_TRUE(only_event(old).ends_with(",\xc3\xa9t\xc3\xa9 \xe2\x82\xac ?"));
  ASSERT_EQ(old->complaints.size(), 1U);
  EXPECT_NE(old->complaints[0].find("Windows-1252"), std::string::npos);
}

TEST(SubtitleFile, LimitsSizeNumberAndLength) {
  const TempFolder folder;
  const std::string large = folder.write("large.srt", "");
  std::filesystem::resize_file(large, 100 << 20);
  const auto refused = read_subtitle_file(large, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("has 100 MB"), std::string::npos);

  const auto bomb = parse_subtitle_file(
      "a.srt", bytes_of_text(std::string(kCue) + std::string(100'000, 'x') + "\n\n" +
                             "2\n00:00:03,000 --> 00:00:04,000\nshort\n"));
  EXPECT_TRUE(only_event(bomb).ends_with(",short"));
  EXPECT_EQ(bomb->complaints.size(), 1U);
}

TEST(SubtitleFile, RefusesWhatIsNoText) {
  EXPECT_FALSE(parse_subtitle_file("a.srt", {0xff, 0xfe, 0x31}));
  EXPECT_FALSE(parse_subtitle_file("a.srt", {}));
  EXPECT_FALSE(parse_subtitle_file("a.srt", bytes_of_text("no times here")));
  EXPECT_FALSE(parse_subtitle_file("a.m3u8", bytes_of_text("#EXTM3U\n#EXTINF:1\n/etc/passwd\n")));
}

}  // namespace
}  // namespace sail
