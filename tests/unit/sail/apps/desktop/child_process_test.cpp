#include "sail/apps/desktop/child_process.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

class ScratchFolderTest : public testing::Test {
 protected:
  ScratchFolder make() {
    auto made = ScratchFolder::make("vitrail-test");
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  // Creates a folder as left by a killed program.
  fs::path leave(const char* name) {
    fs::create_directories(there_.path() / name / "Default" / "Cache");
    there_.write(std::string(name) + "/Default/History", "where people were");
    return there_.path() / name;
  }

  TempFolder there_;
  test::EnvironmentVariable temporary_{"TMPDIR", there_.path().string().c_str()};
};

TEST_F(ScratchFolderTest, IsItsUsersAloneAndGoneInTheEnd) {
  fs::path path;
  {
    const ScratchFolder folder = make();
    path = folder.path();
    EXPECT_EQ(path.parent_path(), there_.path());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    there_.write((path / "file").lexically_relative(there_.path()).string(), "bytes");
    EXPECT_TRUE(fs::exists(path / "file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolderTest, WhatAKilledProgramLeftIsRemovedByTheNext) {
  const fs::path left = leave("vitrail-test-aB3xY9");
  const ScratchFolder folder = make();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(folder.path()));
}

TEST_F(ScratchFolderTest, WhatAnotherProgramUsesStays) {
  const ScratchFolder one = make();
  const ScratchFolder other = make();
  const ScratchFolder third = make();
  EXPECT_TRUE(fs::exists(one.path()));
  EXPECT_TRUE(fs::exists(other.path()));
}

TEST_F(ScratchFolderTest, WhatIsNotItsOwnStays) {
  const fs::path longer = leave("vitrail-test-aB3xY9-films");
  const fs::path other = leave("vitrail-tests-aB3xY9");
  const fs::path elsewhere = leave("films");
  fs::create_directory_symlink(elsewhere, there_.path() / "vitrail-test-symlnk");
  there_.write("vitrail-test-afile1", "bytes");
  const ScratchFolder folder = make();
  for (const char* each : {"vitrail-test-symlnk", "vitrail-test-afile1"}) {
    EXPECT_TRUE(fs::exists(there_.path() / each)) << each;
  }
  for (const fs::path& each : {longer, other, elsewhere}) {
    EXPECT_TRUE(fs::exists(each / "Default" / "History")) << each;
  }
}

TEST_F(ScratchFolderTest, SaysWhereNoneCanBeMade) {
  const test::EnvironmentVariable nowhere("TMPDIR", there_.file("none").c_str());
  const auto made = ScratchFolder::make("vitrail-test");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace sail
