#include "sail/core/wire/scene_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sail {
namespace {

SceneWindow window(uint32_t number, int x = 0) {
  return {.window = number,
          .secret = number,
          .epoch = 1,
          .wall_rect = {x, 0, 100, 100},
          .frame_size = {64, 64},
          .block_size = {16, 16}};
}

Scene scene(uint64_t epoch, const std::vector<SceneWindow>& windows) {
  return {.epoch = epoch, .windows = windows, .identify = false};
}

void expect_same(const Scene& a, const Scene& b) {
  EXPECT_EQ(to_json(a), to_json(b));
}

TEST(SceneChange, NamesOnlyWhatIsOtherwise) {
  const Scene before = scene(4, {window(1), window(2), window(3)});
  const SceneChange moved = scene_change(before, scene(5, {window(1), window(2, 7), window(3)}));
  EXPECT_EQ(moved.base, 4U);
  ASSERT_EQ(moved.windows.size(), 1U);
  EXPECT_EQ(moved.windows[0].window, 2U);
  EXPECT_TRUE(moved.removed.empty());
  EXPECT_FALSE(moved.order);

  const SceneChange closed = scene_change(before, scene(5, {window(1), window(3)}));
  EXPECT_TRUE(closed.windows.empty());
  EXPECT_EQ(closed.removed, std::vector<uint32_t>{2});
  EXPECT_FALSE(closed.order) << "the others stand as they stood";

  const SceneChange raised = scene_change(before, scene(5, {window(2), window(3), window(1)}));
  EXPECT_TRUE(raised.windows.empty());
  EXPECT_EQ(raised.order, (std::vector<uint32_t>{2, 3, 1}));
}

TEST(SceneChange, MakesTheOneOfTheOther) {
  std::mt19937 random(19);
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  Scene before;
  uint32_t next = 1;
  for (int step = 0; step < 500; ++step) {
    Scene now = before;
    ++now.epoch;
    now.identify = pick(0, 9) == 0;
    now.pattern = static_cast<TestPattern>(pick(0, 6));
    now.fade_ms = pick(0, 1) * pick(0, kMaxSceneFadeMs);
    for (int i = pick(0, 4); i > 0; --i) {
      const int last = static_cast<int>(now.windows.size()) - 1;
      const auto any = now.windows.begin() + (last < 0 ? 0 : pick(0, last));
      const int what = pick(0, 4);
      if (last < 3 || what == 0) {
        now.windows.insert(any, window(next++));
      } else if (what == 1) {
        now.windows.erase(any);
      } else if (what == 2) {
        std::rotate(now.windows.begin(), any, now.windows.end());
      } else {
        any->wall_rect.x += 1;
      }
    }
    const auto reported = message_from_json<SceneChange>(to_json(scene_change(before, now)));
    ASSERT_TRUE(reported);
    const auto again = changed_scene(before, *reported);
    ASSERT_TRUE(again) << again.error().message;
    expect_same(*again, now);
    before = now;
  }
}

TEST(SceneChange, OfAnotherSceneIsRefused) {
  const Scene before = scene(4, {window(1), window(2)});
  const SceneChange good = scene_change(before, scene(5, {window(2), window(3)}));
  ASSERT_TRUE(changed_scene(before, good));
  const auto refused = [&](const auto& spoil) {
    SceneChange change = good;
    spoil(change);
    const auto result = changed_scene(before, change);
    return !result && result.error().code == ErrorCode::kConflict;
  };
  EXPECT_TRUE(refused([](SceneChange& change) { change.base = 3; }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.removed = {9}; }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.removed.clear(); }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.removed.push_back(2); }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.order->push_back(9); }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.order->pop_back(); }));
  EXPECT_TRUE(refused([](SceneChange& change) { change.order.reset(); }))
      << "where is the new one?";
  SceneChange unordered{.epoch = 5, .base = 4, .windows = {}, .removed = {9}, .order = {}};
  EXPECT_FALSE(changed_scene(before, unordered));
}

}  // namespace
}  // namespace sail
