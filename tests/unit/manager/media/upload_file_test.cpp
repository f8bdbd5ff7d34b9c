// The file of an upload, next to files with the same name or content.
#include "manager/media/upload_file.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "manager/media/sources.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

namespace fs = std::filesystem;

class UploadFileTest : public testing::Test {
 protected:
  std::shared_ptr<UploadFile> upload(const std::string& id, const std::string& bytes) {
    auto file = UploadFile::create(folder, id, ".png", bytes.size());
    EXPECT_TRUE(file) << file.error().message;
    EXPECT_TRUE((*file)->write(bytes, 0));
    return *file;
  }
  std::string publish(const std::string& id, const std::string& bytes, const std::string& name) {
    const auto published = upload(id, bytes)->publish(name);
    EXPECT_TRUE(published) << published.error().message;
    EXPECT_EQ(published->file.path, folder / published->name);
    EXPECT_EQ(published->file.stamp, file_stamp(published->file.path));
    return published->name;
  }
  size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  const sail::TempFolder temporary;
  const fs::path folder = fs::canonical(temporary.path());
};

TEST_F(UploadFileTest, TheSameBytesAreTheSameFile) {
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(publish("1", large, "a.png"), "a.png");
  EXPECT_EQ(publish("2", large, "a.png"), "a.png");
  EXPECT_EQ(publish("3", large, "another.png"), "a.png");
  EXPECT_EQ(publish("4", large.substr(1) + "y", "a.png"), "a (2).png");
  EXPECT_EQ(publish("5", large.substr(1), "a.png"), "a (3).png");
  EXPECT_EQ(files(), 3U);
}

TEST_F(UploadFileTest, OnlyFilesOfTheListAreTwins) {
  std::ofstream(folder / ".hidden.png") << "bytes";
  std::ofstream(folder / "notes.txt") << "bytes";
  fs::create_directory(folder / "folder.png");
  const auto unfinished = upload("1", "bytes");
  EXPECT_EQ(publish("2", "bytes", "a.png"), "a.png");
}

TEST_F(UploadFileTest, AnUnfinishedFileHasItsEndingAndItsStampStays) {
  const auto file = upload("1", "bytes");
  const FileVersion before = file->version();
  EXPECT_EQ(fs::path(before.path).extension(), ".png");
  const auto published = file->publish("a.png");
  ASSERT_TRUE(published);
  EXPECT_EQ(published->file.stamp, before.stamp);
}

TEST_F(UploadFileTest, FilesAreRenamedButNeverReplaced) {
  publish("1", "first", "a.png");
  publish("2", "second", "b.png");
  const auto taken = rename_upload(folder / "a.png", folder / "b.png");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, sail::ErrorCode::kConflict);
  EXPECT_TRUE(rename_upload(folder / "a.png", folder / "a.png"));
  EXPECT_TRUE(rename_upload(folder / "a.png", folder / "c.png"));
  EXPECT_FALSE(fs::exists(folder / "a.png"));
  EXPECT_EQ(files(), 2U);
  EXPECT_FALSE(rename_upload(folder / "gone.png", folder / "d.png"));
}

TEST_F(UploadFileTest, AreForTheManagersUserOnly) {
  publish("1", "first", "a.png");
  const auto others = fs::perms::group_all | fs::perms::others_all;
  EXPECT_EQ(fs::status(folder / "a.png").permissions() & others, fs::perms::none);
  EXPECT_EQ(fs::status(folder).permissions() & others, fs::perms::none);
}

TEST_F(UploadFileTest, WhatIsRemovedComesBackFromTheBin) {
  publish("1", "first", "a.png");
  const auto binned = bin_upload(folder, folder / "a.png");
  ASSERT_TRUE(binned) << binned.error().message;
  EXPECT_FALSE(fs::exists(folder / "a.png"));
  EXPECT_EQ(bin_upload(folder, folder / "a.png").error().code, sail::ErrorCode::kNotFound);
  ASSERT_EQ(binned_uploads(folder).size(), 1U);
  EXPECT_EQ(binned_uploads(folder)[0].name, "a.png");
  EXPECT_EQ(binned_uploads(folder)[0].bytes, 5U);
  EXPECT_EQ(publish("2", "first", "a.png"), "a.png") << "what is in the bin is no twin";
  EXPECT_EQ(restore_upload(folder, *binned).value_or(""), "a (2).png");
  EXPECT_TRUE(binned_uploads(folder).empty());
  for (const std::string& wrong : {*binned, std::string("../a.png"), std::string("1-abcdefgh-/x"),
                                   std::string("1-abcdefgh-../../a.png"), std::string()}) {
    EXPECT_EQ(restore_upload(folder, wrong).error().code, sail::ErrorCode::kNotFound) << wrong;
  }
}

TEST_F(UploadFileTest, TheBinKeepsAMonthAndNoMoreThanItMay) {
  const fs::path bin = folder / ".bin";
  fs::create_directory(bin);
  const auto put = [&](int64_t days_ago, const char* name) {
    std::ofstream(bin / fmt::format("{}-12345678-{}", std::time(nullptr) - days_ago * 86400, name))
        << "12345";
  };
  const auto names = [&] {
    std::string all;
    for (const BinnedUpload& file : binned_uploads(folder)) all += file.name + ' ';
    return all;
  };
  put(kBinDays + 1, "old.png");
  put(2, "b.png");
  put(1, "c.png");
  std::ofstream(bin / "notes") << "of somebody else";
  empty_bin(folder, 1000);
  EXPECT_EQ(names(), "b.png c.png ");
  empty_bin(folder, 5);
  EXPECT_EQ(names(), "c.png ");
  empty_bin(folder, 0);
  EXPECT_EQ(names(), "");
  EXPECT_TRUE(fs::exists(bin / "notes"));
}

TEST_F(UploadFileTest, NoMoreThanTheDiskHas) {
  const auto none = UploadFile::create(folder, "1", ".png", uint64_t{1} << 60);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, sail::ErrorCode::kLimit);
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace manager
