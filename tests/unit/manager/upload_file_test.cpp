// The file that an upload becomes, beside others of its name and of its bytes.
#include "manager/upload_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "manager/sources_scan.h"
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

TEST_F(UploadFileTest, FilesAreRenamedAndRemovedButNeverReplaced) {
  publish("1", "first", "a.png");
  publish("2", "second", "b.png");
  const auto taken = rename_upload(folder / "a.png", folder / "b.png");
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, sail::ErrorCode::kConflict);
  EXPECT_TRUE(rename_upload(folder / "a.png", folder / "a.png"));
  EXPECT_TRUE(rename_upload(folder / "a.png", folder / "c.png"));
  EXPECT_FALSE(fs::exists(folder / "a.png"));
  EXPECT_TRUE(remove_upload(folder / "c.png"));
  EXPECT_TRUE(remove_upload(folder / "c.png")) << "it is gone, as was asked";
  EXPECT_EQ(files(), 1U);
  EXPECT_FALSE(rename_upload(folder / "gone.png", folder / "d.png"));
}

TEST_F(UploadFileTest, NoMoreThanTheDiskHas) {
  const auto none = UploadFile::create(folder, "1", ".png", uint64_t{1} << 60);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, sail::ErrorCode::kLimit);
  EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace manager
