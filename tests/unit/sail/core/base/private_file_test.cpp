#include "sail/core/base/private_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <iterator>

#include "tests/support/file_size_limit.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const fs::path& path) {
  struct stat facts {};
  EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 0777U;
}

size_t entries(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(PrivateFile, IsReadByNobodyElseWhateverItWasBefore) {
  const TempFolder folder;
  const fs::path file = folder.write("a", "old");
  fs::permissions(file, fs::perms::all);
  for (const Lasting lasting : {Lasting::kThisBoot, Lasting::kAnyCrash}) {
    ASSERT_TRUE(write_private_file(file, "new", lasting));
    EXPECT_EQ(text_of(file), "new");
    EXPECT_EQ(mode_of(file), 0600U);
  }
  EXPECT_EQ(entries(folder.file("")), 1U);
}

TEST(PrivateFile, NoFileIsNotAFileThatCannotBeRead) {
  const TempFolder folder;
  EXPECT_EQ(read_file(folder.file("none"), 10).error().code, ErrorCode::kNotFound);
  const Result<std::string> closed = read_file(folder.path(), 10);
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().code, ErrorCode::kIo);
  EXPECT_NE(closed.error().message.find(folder.path().string()), std::string::npos);
  EXPECT_EQ(*read_file(folder.write("a", "0123456789"), 10), "0123456789");
  EXPECT_EQ(*read_file(folder.file("a"), 4), "01234") << "one more, which shows that it is longer";
  const std::string pieces(20'000, 'x');
  EXPECT_EQ(*read_file(folder.write("b", pieces), 30'000), pieces);
  EXPECT_EQ(read_file(folder.file("b"), 10'000)->size(), 10'001U);
  EXPECT_EQ(read_file(folder.file("b"), 20'000)->size(), 20'000U);
  // The system states no size for this file.
  EXPECT_FALSE(read_file("/proc/self/maps", 1 << 20)->empty());
}

TEST(PrivateFile, TheOldOneStandsWhenThereIsNoRoom) {
  const TempFolder folder;
  const fs::path file = folder.file("a");
  ASSERT_TRUE(write_private_file(file, "old"));
  Result<void> written;
  {
    const test::FileSizeLimit full(1000);
    written = write_private_file(file, std::string(5000, 'x'));
  }
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find(file.string()), std::string::npos);
  EXPECT_EQ(text_of(file), "old");
  EXPECT_EQ(entries(folder.file("")), 1U) << "half a file stayed";
}

TEST(PrivateFile, WhatIsSetAsideIsNeverOverwritten) {
  const TempFolder folder;
  const fs::path file = folder.file("a.json");
  for (const char* expected : {"a.json.damaged", "a.json.damaged-2", "a.json.damaged-3"}) {
    folder.write("a.json", expected);
    const auto aside = set_aside(file);
    ASSERT_TRUE(aside) << aside.error().message;
    EXPECT_EQ(aside->filename(), expected);
    EXPECT_FALSE(fs::exists(file));
  }
  for (const char* name : {"a.json.damaged", "a.json.damaged-2", "a.json.damaged-3"}) {
    EXPECT_EQ(text_of(folder.file(name)), name);
  }
  EXPECT_FALSE(set_aside(file));
}

TEST(PrivateFile, ALinkInItsPlaceIsNotFollowed) {
  const TempFolder folder;
  const fs::path other = folder.write("other", "theirs");
  const fs::path file = folder.file("a");
  fs::create_symlink(other, file);
  ASSERT_TRUE(write_private_file(file, "ours"));
  EXPECT_EQ(text_of(other), "theirs");
  EXPECT_EQ(text_of(file), "ours");
}

TEST(PrivateFolder, IsMadeAndTakenFromOthers) {
  const TempFolder folder;
  const fs::path deep = fs::path(folder.file("a")) / "b" / "c";
  ASSERT_TRUE(make_private_folder(deep));
  EXPECT_EQ(mode_of(deep), 0700U);
  fs::permissions(deep, fs::perms::all);
  ASSERT_TRUE(make_private_folder(deep));
  EXPECT_EQ(mode_of(deep), 0700U);
  const Result<void> refused = make_private_folder(fs::path(folder.write("f", "")) / "g");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace sail
