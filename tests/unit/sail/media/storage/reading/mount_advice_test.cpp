// Advice for mounts that are slower than necessary.
#include "sail/media/storage/reading/mount_advice.h"

#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <filesystem>
#include <string>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

TEST(MountAdvice, NamesTheSettingAndTheCommand) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.file("0:52"));
  const std::string setting = folder.write("0:52/read_ahead_kb", "128\n");
  const std::string devices = folder.file("");
  const auto advice = read_ahead_advice("/films", makedev(0, 52), devices);
  ASSERT_TRUE(advice);
  EXPECT_NE(advice->find("/films is on"), std::string::npos) << *advice;
  EXPECT_NE(advice->find("128 KB"), std::string::npos) << *advice;
  EXPECT_NE(advice->find("0:52/read_ahead_kb`"), std::string::npos) << *advice;
  folder.write("0:52/read_ahead_kb", "4096\n");
  EXPECT_FALSE(read_ahead_advice("/films", makedev(0, 52), devices));
  EXPECT_FALSE(read_ahead_advice("/films", makedev(0, 53), devices)) << "nothing is known of it";
}

TEST(MountAdvice, LocalFilesNeedNone) {
  const TempFolder folder;
  EXPECT_FALSE(mount_advice(folder.write("film", "x")));
  EXPECT_FALSE(mount_advice("/nowhere/at/all"));
}

}  // namespace
}  // namespace sail
