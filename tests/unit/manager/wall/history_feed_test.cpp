// A client that applies history updates has the manager's complete history.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/wall_state.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class HistoryFeedTest : public ManagerTest {
 protected:
  void begin() {
    start();
    anna = welcome(sail::Role::kUi, "Anna");
    app = application();
    for (int i = 0; i < 2; ++i) open_stream(*app, sail::Rect{0, 0, 400, 200});
    follower = welcome(sail::Role::kUi, "Follower");
    state.begin(follower->expect("subscribe"));
  }
  // All updates sent before this answer have arrived with it.
  Json history_now() {
    Json listed = follower->expect("list");
    while (static_cast<int64_t>(state.revision()) < listed["revision"].get<int64_t>()) {
      const Json change = follower->next("changed");
      bytes = change.dump().size();
      EXPECT_TRUE(state.apply(change));
    }
    return listed["history"];
  }

  std::unique_ptr<ScriptedPeer> anna;
  std::unique_ptr<ScriptedPeer> app;
  std::unique_ptr<ScriptedPeer> follower;
  test::WallState state;
  size_t bytes = 0;  // size of the last change
};

TEST_F(HistoryFeedTest, AFollowerKnowsAllOfItAtAnyTime) {
  begin();
  std::minstd_rand random(7);
  for (int i = 0; i < 300; ++i) {
    // Mostly small changes, sometimes a long undo; now and then several between two checks.
    const auto dice = random() % 10;
    const int times = i % 40 == 39 ? 25 : 1;
    for (int n = 0; n < times; ++n) {
      if (dice < 6 && times == 1) {
        anna->call("move", {{"window", 1}, {"x", i * 100 + n}, {"y", 0}});
      } else if (dice == 6) {
        // Merges into one step until the other window moves, too.
        anna->call("move", {{"window", 1 + i % 2}, {"x", i}, {"y", 7}, {"gesture", "drag"}});
      } else if (dice == 7) {
        anna->call("redo", Json::object());
      } else {
        anna->call("undo", Json::object());
      }
    }
    if (random() % 3 == 0) continue;
    const Json history = history_now();
    ASSERT_EQ(state.other("history"), history) << "after " << i;
  }
}

TEST_F(HistoryFeedTest, AChangeTellsNothingOfItTwice) {
  begin();
  for (int i = 1; i <= 30; ++i) {
    anna->expect("move", {{"window", 1}, {"x", i}, {"y", 0}});
    history_now();
  }
  const size_t late = bytes;
  anna->expect("undo");
  const Json history = history_now();
  EXPECT_EQ(history["entries"].size(), 20U);
  EXPECT_EQ(history["done"], 29);
  EXPECT_LT(bytes, 700U);
  EXPECT_LT(late, 700U);
}

}  // namespace
}  // namespace manager
