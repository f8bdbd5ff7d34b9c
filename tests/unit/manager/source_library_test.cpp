// The files that the wall can show, looked for again when they may have changed.
#include "manager/source_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/support/loop_test.h"

namespace manager {
namespace {

class SourceLibraryTest : public testing::Test {
 protected:
  SourceLibraryTest() {
    std::string name = std::filesystem::temp_directory_path() / "vitrail-sources-XXXXXX";
    folder = mkdtemp(name.data());
    SourceLibrary::Options options;
    options.uploads = folder;
    library =
        std::make_unique<SourceLibrary>(loop, options, sail::Log("test", sail::LogLevel::kOff));
  }
  ~SourceLibraryTest() override { std::filesystem::remove_all(folder); }

  sail::Loop loop;
  std::string folder;
  std::unique_ptr<SourceLibrary> library;
};

// The list is asked for as soon as a file has arrived, and before that is answered the file is to
// be played: both were told of the list before the file.
TEST_F(SourceLibraryTest, EverybodyWhoAsksDuringAScanWaitsForIt) {
  bool scanned = false;
  library->refresh([&] { scanned = true; });
  ASSERT_TRUE(sail::run_until(loop, [&] { return scanned; }));
  std::ofstream(folder + "/new.mp4") << "film";
  library->changed_on_disk();
  int found = 0;
  int answered = 0;
  for (int person = 0; person < 2; ++person) {
    library->refresh([&] {
      ++answered;
      found += library->find(SourceLibrary::upload_id("new.mp4")) != nullptr ? 1 : 0;
    });
  }
  ASSERT_TRUE(sail::run_until(loop, [&] { return answered == 2; }));
  EXPECT_EQ(found, 2);
}

}  // namespace
}  // namespace manager
