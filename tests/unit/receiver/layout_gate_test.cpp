#include "receiver/layout_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sail/core/text/limits.h"

namespace receiver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t kWindow = 3;
constexpr uint32_t kOtherWindow = 4;

// Records the gate's decisions. Both streams exist from the start, without a layout.
class NotedScreen final : public LayoutGate::Screen {
 public:
  std::optional<uint64_t> epoch_of(uint32_t stream) const override {
    const auto it = epochs_.find(stream);
    return it == epochs_.end() ? std::nullopt : std::optional(it->second);
  }
  void show_layout(std::shared_ptr<const sail::Scene> layout, int64_t at_ns,
                   const std::vector<sail::Go::Frame>& frames, uint32_t asked_by) override {
    for (const sail::SceneWindow& window : layout->windows) epochs_[window.window] = window.epoch;
    std::string text = "layout " + std::to_string(layout->epoch) + " at " + std::to_string(at_ns);
    for (const sail::Go::Frame& frame : frames) {
      text += " with " + std::to_string(frame.stream) + "/" + std::to_string(frame.frame);
    }
    if (asked_by != 0) text += " by " + std::to_string(asked_by);
    done.push_back(text);
  }
  bool is_behind(uint32_t stream) const override { return stream == behind; }
  void show_frame(uint32_t stream, const sail::FrameShow& show) override {
    done.push_back("frame " + text(stream, show) + " at " + std::to_string(show.at_ns));
  }
  void skip(uint32_t stream, const sail::FrameShow& show) override {
    done.push_back("without " + text(stream, show));
  }

  std::vector<std::string> done;
  uint32_t behind = 0;

 private:
  static std::string text(uint32_t stream, const sail::FrameShow& show) {
    return std::to_string(stream) + "/" + std::to_string(show.frame);
  }
  std::map<uint32_t, uint64_t> epochs_{{kWindow, 0}, {kOtherWindow, 0}};
};

sail::Scene layout(uint64_t epoch) {
  sail::Scene scene{.epoch = epoch, .windows = {}};
  for (const uint32_t stream : {kWindow, kOtherWindow}) {
    sail::SceneWindow& window = scene.windows.emplace_back();
    window.window = stream;
    window.epoch = epoch;
  }
  return scene;
}

class LayoutGateTest : public testing::Test {
 protected:
  // A manager shows a layout at that time.
  void show_layout(uint64_t epoch, int64_t at_ns) {
    gate_.announce(layout(epoch));
    gate_.go({.at_ns = at_ns, .scene_epoch = epoch, .frames = {}});
    screen_.done.clear();
  }

  NotedScreen screen_;
  LayoutGate gate_{screen_};
};

TEST_F(LayoutGateTest, ALayoutIsShownWhenTheManagerSaysSo) {
  gate_.manager_connected();
  gate_.announce(layout(5));
  EXPECT_THAT(screen_.done, IsEmpty());
  gate_.go({.at_ns = 70, .scene_epoch = 4, .frames = {}});
  EXPECT_THAT(screen_.done, IsEmpty());  // another layout's
  gate_.go({.at_ns = 70, .scene_epoch = 5, .frames = {{kWindow, 9, 5}}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 5 at 70 with 3/9"));
  gate_.go({.at_ns = 80, .scene_epoch = 5, .frames = {}});
  EXPECT_EQ(screen_.done.size(), 1u);
}

TEST_F(LayoutGateTest, FramesOfTheShownLayoutAreShownOrDroppedAtOnce) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.show(kWindow, {.frame = 10, .epoch = 5, .at_ns = 80});
  gate_.show(kOtherWindow, {.frame = 11, .epoch = 5, .at_ns = 0});
  gate_.show(99, {.frame = 1, .epoch = 5, .at_ns = 80});  // no such stream
  EXPECT_THAT(screen_.done, ElementsAre("frame 3/10 at 80", "frame 4/11 at 0"));
}

TEST_F(LayoutGateTest, FramesOfTheNextLayoutWaitForIt) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.announce(layout(6));
  gate_.show(kOtherWindow, {.frame = 20, .epoch = 6, .at_ns = 110});
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  gate_.show(kWindow, {.frame = 11, .epoch = 6, .at_ns = 110});
  EXPECT_THAT(screen_.done, IsEmpty());
  gate_.go({.at_ns = 90, .scene_epoch = 6, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 6 at 90", "frame 3/10 at 100", "frame 3/11 at 110",
                                        "frame 4/20 at 110"));
}

TEST_F(LayoutGateTest, FramesWaitForTheSceneOfTheirLayout) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  gate_.show(kWindow, {.frame = 11, .epoch = 6, .at_ns = 0});
  gate_.show(kWindow, {.frame = 12, .epoch = 7, .at_ns = 120});
  gate_.announce(layout(6));
  EXPECT_THAT(screen_.done, IsEmpty());
  gate_.go({.at_ns = 90, .scene_epoch = 6, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 6 at 90", "frame 3/10 at 100", "frame 3/11 at 0"));
  screen_.done.clear();
  gate_.announce(layout(7));
  gate_.go({.at_ns = 115, .scene_epoch = 7, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 7 at 115", "frame 3/12 at 120"));
}

TEST_F(LayoutGateTest, FramesOfALostManagersSceneWaitForTheNextManager) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  gate_.manager_lost();
  gate_.manager_connected();
  EXPECT_THAT(screen_.done, IsEmpty());
  // The next manager keeps the stream's map, so the frame is not sent again.
  sail::Scene scene = layout(8);
  scene.windows.front().epoch = 6;
  gate_.announce(scene);
  gate_.go({.at_ns = 200, .scene_epoch = 8, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 8 at 200", "frame 3/10 at 100"));
}

TEST_F(LayoutGateTest, FramesOfALayoutThatNeverCameAreDropped) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  gate_.announce(layout(8));
  gate_.go({.at_ns = 90, .scene_epoch = 8, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 8 at 90"));
}

TEST_F(LayoutGateTest, OnlyAsManyFramesWaitAsMayBeInFlight) {
  gate_.manager_connected();
  for (int i = 1; i <= sail::kMaxFramesInFlight + 1; ++i) {
    if (i == sail::kMaxFramesInFlight / 2) gate_.announce(layout(6));
    gate_.show(kWindow, {.frame = static_cast<uint64_t>(i), .epoch = 6, .at_ns = 100 + i});
  }
  gate_.go({.at_ns = 90, .scene_epoch = 6, .frames = {}});
  ASSERT_EQ(screen_.done.size(), static_cast<size_t>(1 + sail::kMaxFramesInFlight));
  EXPECT_EQ(screen_.done[1], "frame 3/2 at 102");
}

TEST_F(LayoutGateTest, AFrameOfTheLayoutBeforeIsShownOnlyIfItsTimeIsBeforeThisOne) {
  gate_.manager_connected();
  show_layout(5, 70);
  show_layout(6, 90);
  gate_.show(kWindow, {.frame = 10, .epoch = 5, .at_ns = 89});
  gate_.show(kWindow, {.frame = 11, .epoch = 5, .at_ns = 90});
  EXPECT_THAT(screen_.done, ElementsAre("frame 3/10 at 89"));
}

// The sender may have rolled the layout back, as other receivers have.
TEST_F(LayoutGateTest, AFrameOfTheLayoutBeforeIsShownIfItsSenderIsBehind) {
  show_layout(5, 70);
  show_layout(6, 90);
  screen_.behind = kOtherWindow;
  gate_.show(kWindow, {.frame = 10, .epoch = 5, .at_ns = 95});
  gate_.show(kOtherWindow, {.frame = 20, .epoch = 5, .at_ns = 95});
  EXPECT_THAT(screen_.done, ElementsAre("frame 4/20 at 95"));
}

// Its sender waits until they are reported, whether or not their layout is known here.
TEST_F(LayoutGateTest, FramesOfALaterLayoutThatAreNeverShownAreDroppedAtOnce) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 0});
  EXPECT_THAT(screen_.done, ElementsAre("without 3/10"));
}

TEST_F(LayoutGateTest, WithoutManagerTheSenderDecidesForIt) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.announce(layout(6));
  gate_.manager_lost();
  EXPECT_THAT(screen_.done, IsEmpty());
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 0});
  gate_.show(kWindow, {.frame = 11, .epoch = 6, .at_ns = 100});
  gate_.show(kOtherWindow, {.frame = 20, .epoch = 6, .at_ns = 100});
  EXPECT_THAT(screen_.done,
              ElementsAre("without 3/10", "layout 6 at 100 with 3/11 by 3", "frame 4/20 at 100"));
}

TEST_F(LayoutGateTest, WhatALostManagerHadDecidedIsShown) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.announce(layout(6));
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  gate_.manager_lost();
  EXPECT_THAT(screen_.done, ElementsAre("layout 6 at 100 with 3/10 by 3"));
}

// Other receivers got the sender's request before the new manager's layout, and have shown it.
TEST_F(LayoutGateTest, ASenderBringsWhatALostManagerHadDecidedAlsoAfterANewManagersLayout) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.announce(layout(6));
  gate_.manager_lost();
  gate_.manager_connected();
  gate_.announce(layout(7));
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  EXPECT_THAT(screen_.done, ElementsAre("layout 6 at 100 with 3/10 by 3"));
  gate_.go({.at_ns = 110, .scene_epoch = 7, .frames = {}});
  EXPECT_EQ(screen_.done.back(), "layout 7 at 110");
}

// A receiver that has shown nothing yet names no epoch to the new manager.
TEST_F(LayoutGateTest, TheLayoutsOfAManagerThatBeginsAgainWithLowerEpochsAreItsOwn) {
  gate_.manager_connected();
  show_layout(0, 70);
  gate_.announce(layout(6));
  gate_.manager_lost();
  gate_.manager_connected();
  gate_.announce(layout(2));
  gate_.show(kWindow, {.frame = 10, .epoch = 2, .at_ns = 100});
  EXPECT_THAT(screen_.done, IsEmpty()) << "the sender is told of the new manager's layout first";
  gate_.go({.at_ns = 100, .scene_epoch = 2, .frames = {}});
  EXPECT_THAT(screen_.done, ElementsAre("layout 2 at 100", "frame 3/10 at 100"));
}

TEST_F(LayoutGateTest, ALayoutThatLacksAStreamOfTheNewManagersLayoutIsNotShown) {
  gate_.manager_connected();
  show_layout(5, 70);
  gate_.announce(layout(6));
  gate_.manager_lost();
  gate_.manager_connected();
  sail::Scene scene = layout(7);
  scene.windows[1].secret = 99;  // of another stream with the same number
  gate_.announce(scene);
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  EXPECT_THAT(screen_.done, IsEmpty());
}

TEST_F(LayoutGateTest, ANewManagerDoesNotShowTheLayoutOfTheFormerOne) {
  gate_.manager_connected();
  gate_.announce(layout(6));
  gate_.manager_lost();
  gate_.manager_connected();
  gate_.go({.at_ns = 90, .scene_epoch = 6, .frames = {}});
  EXPECT_THAT(screen_.done, IsEmpty());
  // Its sender may still.
  gate_.show(kWindow, {.frame = 10, .epoch = 6, .at_ns = 100});
  EXPECT_THAT(screen_.done, ElementsAre("layout 6 at 100 with 3/10 by 3"));
  // Does not count as a separate layout.
  screen_.done.clear();
  gate_.announce(layout(8));
  gate_.show(kWindow, {.frame = 11, .epoch = 8, .at_ns = 110});
  EXPECT_THAT(screen_.done, IsEmpty());
}

}  // namespace
}  // namespace receiver
