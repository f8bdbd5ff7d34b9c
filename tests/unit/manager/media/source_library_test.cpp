// Files that the wall can show, scanned again when they may have changed.
#include "manager/media/source_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

class SourceLibraryTest : public testing::Test {
 protected:
  SourceLibraryTest() {
    SourceLibrary::Options options;
    options.uploads.folder = folder;
    options.poster_program = "/no/such/program";
    library =
        std::make_unique<SourceLibrary>(loop, options, sail::Log("test", sail::LogLevel::kOff));
  }

  sail::Loop loop;
  const sail::TempFolder temporary;
  const std::string folder = temporary.path();
  std::unique_ptr<SourceLibrary> library;
};

// A list request arrives with a new file. A play request for the file arrives before the answer:
// both requests came before the scan that finds the file.
TEST_F(SourceLibraryTest, EverybodyWhoAsksDuringAScanWaitsForIt) {
  bool scanned = false;
  library->refresh([&] { scanned = true; });
  ASSERT_TRUE(sail::run_until(loop, [&] { return scanned; }));
  std::ofstream(folder + "/new.mp4") << "film";
  library->add_upload("other.mp4", 1, {.path = folder + "/other.mp4", .stamp = ""});
  int found = 0;
  int answered = 0;
  for (int person = 0; person < 2; ++person) {
    library->refresh([&] {
      ++answered;
      found += library->find("uploads/new.mp4") != nullptr ? 1 : 0;
    });
  }
  ASSERT_TRUE(sail::run_until(loop, [&] { return answered == 2; }));
  EXPECT_EQ(found, 2);
}

TEST_F(SourceLibraryTest, ACameraStaysWithItsUrl) {
  const SavedCamera camera{"http://10.0.0.7/d", "http://10.0.0.7/p", "main"};
  const std::string url = "rtsp://ann:secret@10.0.0.7/1";
  const Source saved = *library->save_url(url, "Door", camera);
  EXPECT_TRUE(source_json(saved)["moves"]);
  EXPECT_EQ(library->save_url("rtsp://ann:changed@10.0.0.7/1", "Gate")->camera, camera);
  EXPECT_EQ(urls_from_json(library->urls_json())->at(0).camera, camera);
  std::optional<RemovedSource> removed;
  library->remove(saved.id, [&](const auto& done) { removed = *done; });
  EXPECT_EQ(library->find(saved.id), nullptr);
  library->restore(*removed, [&](const auto& restored) { EXPECT_EQ(restored->camera, camera); });
  // A damaged camera cannot be moved, but its stream can be shown.
  const auto read = urls_from_json(sail::Json::array(
      {sail::Json{{"url", url}, {"title", "Door"}, {"camera", {{"device", 7}}}}}));
  ASSERT_EQ(read->size(), 1U);
  EXPECT_FALSE(read->at(0).camera);
}

TEST(MediaScan, NamesThatAreNotUtf8AreCounted) {
  const sail::TempFolder folder;
  std::ofstream(folder.file("alt\xfc.mp4")) << "film";
  std::ofstream(folder.file("new.mp4")) << "film";
  std::ofstream(folder.file("notes\xfc.txt")) << "no film";
  const FoundMedia found = scan_media({{.id = "media1", .path = folder.path()}});
  ASSERT_EQ(found.sources.size(), 1U);
  EXPECT_EQ(found.sources[0].id, "media1/new.mp4");
  EXPECT_EQ(found.unlisted, 1U);
  EXPECT_TRUE(found.example.ends_with("/alt?.mp4")) << found.example;
}

TEST(MediaScan, TilesOfADeepZoomPictureAreNotListed) {
  const sail::TempFolder folder;
  for (const char* tiles : {"map_files/9", "other_files/9"}) {
    std::filesystem::create_directories(folder.file(tiles));
    std::ofstream(folder.file(std::string(tiles) + "/0_0.jpg")) << "tile";
  }
  std::ofstream(folder.file("map.dzi")) << "descriptor";
  const FoundMedia found = scan_media({{.id = "media1", .path = folder.path()}});
  ASSERT_EQ(found.sources.size(), 2U);
  EXPECT_EQ(found.sources[0].id, "media1/map.dzi");
  EXPECT_EQ(found.sources[1].id, "media1/other_files/9/0_0.jpg");
}

TEST_F(SourceLibraryTest, WhatIsUploadedIsListedCountedRenamedAndRemoved) {
  std::ofstream(folder + "/a.mp4") << "12345";
  bool done = false;
  const auto wait = [&] {
    ASSERT_TRUE(sail::run_until(loop, [&] { return std::exchange(done, false); }));
  };
  library->refresh([&] { done = true; });
  wait();
  EXPECT_EQ(library->upload_bytes(), 5U);
  library->rename("uploads/a.mp4", "b", [&](const sail::Result<Source>& renamed) {
    ASSERT_TRUE(renamed) << renamed.error().message;
    EXPECT_EQ(renamed->id, "uploads/b.mp4");
    done = true;
  });
  wait();
  EXPECT_EQ(library->find("uploads/a.mp4"), nullptr);
  ASSERT_NE(library->find("uploads/b.mp4"), nullptr);
  EXPECT_TRUE(std::filesystem::exists(library->find("uploads/b.mp4")->media));
  library->remove("uploads/b.mp4", [&](const sail::Result<RemovedSource>& removed) {
    EXPECT_TRUE(removed);
    done = true;
  });
  wait();
  EXPECT_EQ(library->find("uploads/b.mp4"), nullptr);
  EXPECT_EQ(library->upload_bytes(), 0U);
  EXPECT_FALSE(std::filesystem::exists(folder + "/b.mp4"));
}

TEST_F(SourceLibraryTest, WithoutAPosterNothingIsWaitedFor) {
  std::ofstream(folder + "/a.mp4") << "12345";
  bool known = false;
  library->refresh([&] { library->inspect(library->all(), [&] { known = true; }); });
  ASSERT_TRUE(sail::run_until(loop, [&] { return known; }));
  EXPECT_EQ(library->count_unprobed(library->all()), 0U);
}

}  // namespace
}  // namespace manager
