// The verb journal with `at`: the layout at an earlier time, also after a restart.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "manager/journal/journal_writer.h"
#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

class WallAsItWasTest : public PeopledManagerTest {
 protected:
  WallAsItWasTest() { options.state_folder = folder_.path(); }

  static double now() { return static_cast<double>(sail::calendar_now_ns()) / 1e9; }
  sail::Result<Json> layout(double at) { return console->call("journal", {{"at", at}}); }
  // Waits until the clock of the notes, in milliseconds, has moved on.
  void pass() {
    const double begin = now();
    wait([&] { return now() > begin + 0.002; });
  }

  const sail::TempFolder folder_;
};

TEST_F(WallAsItWasTest, WindowsAreWhereTheyWereAtThatTime) {
  const uint32_t window = open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  const auto first = layout(1e10);  // Notes the layout now.
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ((*first)["windows"],
            (Json{{{"window", window}, {"title", "film"}, {"rect", {0, 0, 1920, 1080}}}}));
  EXPECT_EQ((*first)["size"], (Json{3840, 1080}));
  pass();
  const double before = now();
  pass();
  console->expect("move", {{"window", window}, {"x", 500}, {"y", 0}});
  EXPECT_EQ((*layout(1e10))["windows"][0]["rect"][0], 500);
  EXPECT_EQ((*layout(before))["windows"][0]["rect"][0], 0);
  EXPECT_EQ(layout(1).error().code, ErrorCode::kNotFound);

  end();
  fs_manager.reset();
  ended = false;
  start();
  console = ui();
  EXPECT_EQ((*layout(before))["windows"][0]["rect"][0], 0);
  EXPECT_EQ((*layout(1e10))["total"], 0);
}

// So a file and the one before have a line with all windows, however large the lines are.
TEST_F(WallAsItWasTest, ALineWithAllWindowsComesBeforeTheChangesAreLarger) {
  const std::vector<uint32_t> windows = {open_stream(*app), open_stream(*app), open_stream(*app)};
  ASSERT_TRUE(layout(1e10));
  for (int x = 1; x <= 12; ++x) {
    console->expect("move", {{"window", windows.at(x % 2)}, {"x", x}, {"y", 0}});
    ASSERT_TRUE(layout(1e10));
  }
  size_t lines = 0, wholes = 0, changed = 0;
  for (const JournalFile& file : journal_files(options.state_folder / "past-layouts")) {
    std::ifstream text(file.path);
    for (std::string line; std::getline(text, line); ++lines) {
      const auto noted = sail::parse_json(line, 4096);
      ASSERT_TRUE(noted) << line;
      const bool is_whole = noted->contains("size");
      wholes += is_whole ? 1 : 0;
      changed = is_whole ? 0 : changed + (*noted)["windows"].size();
      EXPECT_LE(changed, windows.size()) << line;
    }
  }
  EXPECT_GE(lines, 12U);
  EXPECT_LT(wholes, lines);
}

TEST_F(WallAsItWasTest, OtherChoicesAreRefused) {
  for (const char* other : {"since", "count", "before", "window"}) {
    EXPECT_EQ(console->call("journal", {{"at", 5}, {other, 1}}).error().code,
              ErrorCode::kInvalidParams)
        << other;
  }
  EXPECT_EQ(console->call("journal", {{"at", 5}, {"verify", true}}).error().code,
            ErrorCode::kInvalidParams);
}

TEST_F(ManagerTest, WithoutAStateFolderNothingIsKeptOfTheWall) {
  start();
  EXPECT_EQ(ui()->call("journal", {{"at", 1e10}}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace manager
