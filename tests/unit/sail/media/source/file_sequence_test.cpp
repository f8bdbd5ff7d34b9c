#include "sail/media/source/file_sequence.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

constexpr std::array<std::string_view, 2> kExtensions = {".j2c", ".jp2"};

std::vector<std::string> names(const Result<std::vector<SequenceFile>>& files) {
  std::vector<std::string> found;
  for (const SequenceFile& file : files.value()) {
    found.push_back(std::filesystem::path(file.name).filename().string() + "@" +
                    std::to_string(file.number));
  }
  return found;
}

TEST(FileSequence, PatternsAreThoseOfPrintf) {
  const auto pattern = parse_pattern("folder/name.%05d.j2c");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->before, "folder/name.");
  EXPECT_EQ(pattern->after, ".j2c");
  EXPECT_EQ(pattern->digits, 5);
  EXPECT_EQ(parse_pattern("%d.png")->digits, 1);
  for (const char* none : {"name.j2c", "a%/b.j2c", "%05d/b.j2c", "%5d.j2c", "%s.j2c", "%d%d.j2c",
                           "%0d.j2c", "%099999999999d.j2c", "%"}) {
    EXPECT_FALSE(parse_pattern(none)) << none;
  }
}

TEST(FileSequence, APatternsFilesComeByTheirNumbers) {
  const TempFolder folder;
  for (const char* name : {"a.0009.j2c", "a.0010.j2c", "a.0013.j2c", "a.12345.j2c", "a.00014.j2c",
                           "a.11.j2c", "b.0011.j2c", "a.0012.jp2", "a.001x.j2c"}) {
    folder.write(name, "x");
  }
  EXPECT_EQ(names(list_sequence(folder.file("a.%04d.j2c"), kExtensions)),
            (std::vector<std::string>{"a.0009.j2c@0", "a.0010.j2c@1", "a.0013.j2c@4",
                                      "a.12345.j2c@12336"}));
  EXPECT_EQ(list_sequence(folder.file("c.%04d.j2c"), kExtensions).error().code,
            ErrorCode::kNotFound);
}

TEST(FileSequence, AFoldersFilesComeByTheirNames) {
  const TempFolder folder;
  for (const char* name : {"10.j2c", "9.J2C", "readme.txt", "1.j2c"}) folder.write(name, "x");
  EXPECT_EQ(names(list_sequence(folder.file(""), kExtensions)),
            (std::vector<std::string>{"1.j2c@0", "9.J2C@1", "10.j2c@2"}));
  EXPECT_EQ(list_sequence(folder.file("nowhere/"), kExtensions).error().code, ErrorCode::kIo);
}

TEST(FileSequence, AGapOfAMillionTakesNoMemoryAndManyExtensionsNoNumbers) {
  const TempFolder folder;
  for (const char* name : {"a.0000000.png", "a.1000000.png"}) folder.write(name, "x");
  EXPECT_EQ(names(list_pictures(folder.file("a.%07d.png"))),
            (std::vector<std::string>{"a.0000000.png@0", "a.1000000.png@1000000"}));
  EXPECT_EQ(names(list_pictures(folder.file(""))),
            (std::vector<std::string>{"a.0000000.png@0", "a.1000000.png@1"}));
  folder.write("a.0000001.tif", "x");
  folder.write("a.0000002.png", "x");
  EXPECT_EQ(names(list_pictures(folder.file(""))),
            (std::vector<std::string>{"a.0000000.png@0", "a.0000002.png@1", "a.1000000.png@2"}));
}

std::string closed_gaps_of(const std::string& name) {
  const auto files = list_pictures(name);
  return closed_gaps(name, files.value()).value_or(ClosedGaps()).sentence;
}

TEST(FileSequence, GapsThatAreClosedAreReported) {
  const TempFolder folder;
  for (const char* name : {"a.08.png", "a.09.png", "a.12.png"}) folder.write(name, "x");
  EXPECT_EQ(closed_gaps_of(folder.path().string()), "") << "the gaps are kept";
  folder.write("a.17.png", "x");
  const std::string sentence = closed_gaps_of(folder.path().string());
  EXPECT_NE(sentence.find("6 of 10 numbers are missing, the first after a.09.png"),
            std::string::npos)
      << sentence;
  EXPECT_EQ(closed_gaps_of(folder.file("a.%02d.png")), "") << "a pattern keeps its gaps";
  folder.write("cover.png", "x");
  EXPECT_EQ(closed_gaps_of(folder.path().string()), "") << "the names are not numbers";
}

TEST(FileSequence, PicturesOfAFolderAreThoseOfTheFirstOnesKind) {
  const TempFolder folder;
  for (const char* name : {"b.png", "a.tif", "c.tif", "d.txt"}) folder.write(name, "x");
  EXPECT_EQ(names(list_pictures(folder.file(""))),
            (std::vector<std::string>{"a.tif@0", "c.tif@1"}));
  EXPECT_TRUE(names_sequence(folder.file("")));
  EXPECT_TRUE(names_sequence(folder.file("%d.tif")));
  EXPECT_FALSE(names_sequence("http://host/%d.tif"));
  folder.write("%d.tif", "x");
  EXPECT_FALSE(names_sequence(folder.file("%d.tif")));
}

}  // namespace
}  // namespace sail
