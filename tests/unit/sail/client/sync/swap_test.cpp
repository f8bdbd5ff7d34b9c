// SAIL decides when frames are shown; the manager decides when a layout takes effect.
#include <gtest/gtest.h>

#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

class SwapTest : public ApplicationTest {
 protected:
  SwapTest() {
    wall.run([this] { left->behaviour.reports_ready = right->behaviour.reports_ready = true; });
    open_stream();
  }
  bool wait_epoch_ready(size_t count) {
    return wall.wait([this, count] { return manager->epochs_ready.size() == count; });
  }
  // Both receivers get the decision for its first frame.
  void take_effect(uint64_t epoch, uint64_t frame) {
    report_effect(epoch, frame, 1);
    if (frame == 0) return;
    const auto take_word = [&](FakeReceiver& receiver) {
      if (receiver.shows.empty() || receiver.shows.back().epoch != epoch) return false;
      receiver.shows.pop_back();
      return true;
    };
    EXPECT_TRUE(wall.wait([&] { return take_word(*left); }));
    EXPECT_TRUE(wall.wait([&] { return take_word(*right); }));
  }
  void report_effect(uint64_t epoch, uint64_t frame, int64_t at_ns) {
    wall.run([&] {
      manager->notify(
          "take_effect",
          to_json(TakeEffect{.stream = 5, .epoch = epoch, .frame = frame, .at_ns = at_ns}));
    });
  }
  bool wait_shows(size_t count) {
    return wall.wait(
        [this, count] { return left->shows.size() == count && right->shows.size() == count; });
  }
};

TEST_F(SwapTest, TheManagerHearsOfOneFrameAndReceiversOfAllOthers) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  const EpochReady ready = wall.run([this] { return manager->epochs_ready[0]; });
  EXPECT_EQ(ready.stream, 5U);
  EXPECT_EQ(ready.epoch, 1U);
  EXPECT_EQ(ready.frame, 1U);
  take_effect(1, 1);
  for (int seed = 2; seed <= 5; ++seed) {
    ASSERT_EQ(submit(seed), SAIL_OK);
    ASSERT_TRUE(wait_shows(static_cast<size_t>(seed - 1)));
  }
  wall.run([this] {
    EXPECT_EQ(manager->epochs_ready.size(), 1U);
    for (size_t i = 0; i < left->shows.size(); ++i) {
      EXPECT_EQ(left->shows[i].frame, i + 2);
      EXPECT_EQ(left->shows[i].epoch, 1U);
      EXPECT_EQ(left->shows[i].at_ns, right->shows[i].at_ns) << "one instant";
    }
  });
}

TEST_F(SwapTest, AFrameThatOneReceiverHasNotGotIsNotShown) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { right->behaviour.reports_ready = false; });
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*right, 2));
  wall.run([this] {
    EXPECT_TRUE(left->shows.empty());
    right->behaviour.reports_ready = true;
  });
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_shows(1));
  wall.run([this] { EXPECT_EQ(left->shows[0].frame, 3U) << "dropped alike"; });
}

TEST_F(SwapTest, AReceiverThatALayoutLeavesOutHearsOfItToo) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, {left->route({{0, 0, 1, 1}})}); });
  ASSERT_TRUE(wait_epoch_ready(2));
  report_effect(2, 1, 77);
  ASSERT_TRUE(wait_shows(1));
  wall.run([this] {
    for (const FakeReceiver* receiver : {right.get(), left.get()}) {
      EXPECT_EQ(receiver->shows[0].epoch, 2U);
      EXPECT_EQ(receiver->shows[0].frame, 1U);
      EXPECT_EQ(receiver->shows[0].at_ns, 77);
      EXPECT_TRUE(receiver->mistakes.empty());
    }
  });
}

// The tiles show the stream until the layout without it takes effect.
TEST_F(SwapTest, AStreamThatLeavesTheWallPlaysOnUntilItHasLeft) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  const auto is_visible = [this] {
    sail_rect place;
    int visible = -1;
    EXPECT_EQ(sail_stream_window(stream, &place, &visible), SAIL_OK);
    EXPECT_EQ(place.x, 2000) << "where it is going to be";
    return visible != 0;
  };
  wall.run([this] { manager->send_routes(5, 2, {2000, 0, 10, 10}, {}); });
  ASSERT_TRUE(next_event(SAIL_EVENT_RESIZE));
  EXPECT_TRUE(is_visible());
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_shows(1));
  wall.run([this] {
    EXPECT_EQ(left->shows[0].frame, 2U);
    EXPECT_EQ(left->shows[0].epoch, 1U);
  });
  report_effect(2, 0, 1);
  EXPECT_TRUE(wall.wait([&] { return !is_visible(); }));
}

// A disconnected receiver is not waited for, and gets the newest frame when it is back.
TEST_F(SwapTest, AReceiverThatComesBackIsInStepAgain) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { right->drop_connections(); });
  ASSERT_TRUE(wait_frames(*right, 2)) << "the newest, once more";
  ASSERT_TRUE(wall.wait([this] { return right->shows.size() == 1; }));
  wall.run([this] {
    EXPECT_EQ(right->shows[0].frame, 1U);
    EXPECT_TRUE(left->shows.empty()) << "it had it in time";
  });
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return right->shows.size() == 2 && left->shows.size() == 1; }));
}

// --- recorders ---

class RecorderTest : public SwapTest {
 protected:
  static constexpr uint64_t kCameraSecret = 77;
  RecorderTest() {
    wall.run([this] {
      camera = std::make_unique<FakeReceiver>(wall.loop(), "camera");
      camera->behaviour.reports_ready = true;
    });
  }
  ~RecorderTest() override {
    wall.run([this] { camera.reset(); });
  }
  // Sends a map with the two receivers and the recorder, which gets the whole frame.
  void add_camera() {
    wall.run([this] {
      std::vector<Route> routes = both_routes();
      routes.push_back(camera->route({{0, 0, kColumns, kRows}}));
      routes.back().recorder = kCameraSecret;
      manager->send_routes(5, 2, manager->first_wall_rect, routes);
    });
  }
  void begin() {
    ASSERT_EQ(submit(1), SAIL_OK);
    ASSERT_TRUE(wait_epoch_ready(1));
    take_effect(1, 1);
    add_camera();
    ASSERT_TRUE(wait_epoch_ready(2));
    take_effect(2, 1);
  }
  // Expects each of these frames to be shown, none dropped.
  void expect_all_shown(int first, int last) {
    for (int seed = first; seed <= last; ++seed) {
      ASSERT_EQ(submit(seed), SAIL_OK);
      ASSERT_TRUE(wait_shows(static_cast<size_t>(seed - 1)));
    }
    wall.run([&] { EXPECT_EQ(left->shows.back().frame, static_cast<uint64_t>(last)); });
    EXPECT_EQ(stats().frames_dropped, 0U);
  }

  std::unique_ptr<FakeReceiver> camera;
};

TEST_F(RecorderTest, ItShowsWhatTheWallShowsAtTheSameInstant) {
  begin();
  for (int seed = 2; seed <= 4; ++seed) {
    ASSERT_TRUE(wait_frames(*camera, static_cast<size_t>(seed - 1)));
    expect_all_shown(seed, seed);
    ASSERT_TRUE(wall.wait([&] {
      return !camera->shows.empty() && camera->shows.back().frame == static_cast<uint64_t>(seed);
    }));
  }
  wall.run([this] {
    EXPECT_EQ(camera->mistakes, std::vector<std::string>());
    EXPECT_EQ(camera->opened.at(0).secret, kCameraSecret) << "it never learns the stream's own";
    EXPECT_EQ(left->opened.at(0).secret, FakeManager::kSecret);
  });
}

TEST_F(RecorderTest, OneThatNeverAnswersIsNotWaitedFor) {
  wall.run([this] { camera->behaviour.reports_ready = camera->behaviour.reports = false; });
  begin();
  expect_all_shown(2, 40);
}

TEST_F(RecorderTest, OneThatDoesNotReadIsNotWaitedFor) {
  wall.run([this] { camera->behaviour.stops_reading = true; });
  begin();
  expect_all_shown(2, 40);
}

TEST_F(RecorderTest, OneThatIsNotThereIsNotWaitedFor) {
  wall.run([this] { camera->behaviour.accepts = false; });
  begin();
  expect_all_shown(2, 10);
  wall.run([this] { camera->drop_connections(); });
  expect_all_shown(11, 20);
}

// Frames that only the recorder gets are shown as they arrive.
TEST_F(RecorderTest, ItIsAlone) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] {
    Route route = camera->route({{0, 0, kColumns, kRows}});
    route.recorder = kCameraSecret;
    manager->send_routes(5, 2, manager->first_wall_rect, {route});
  });
  ASSERT_TRUE(wait_frames(*camera, 1));
  take_effect(2, 0);
  ASSERT_TRUE(wall.wait([this] { return camera->shows.size() == 1; }));
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return camera->shows.size() == 2; }));
  wall.run([this] { EXPECT_EQ(camera->shows.back().frame, 2U); });
}

// --- without a manager ---

TEST_F(SwapTest, FramesGoOnWithoutAManager) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  for (int seed = 2; seed <= 5; ++seed) {
    ASSERT_EQ(submit(seed), SAIL_OK);
    ASSERT_TRUE(wait_shows(static_cast<size_t>(seed - 1)));
  }
  wall.run([this] {
    manager->resumes = true;
    manager->start();
  });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  EXPECT_EQ(sail_stream_id(stream), 5U) << "it has gone on";
  ASSERT_EQ(submit(6), SAIL_OK);
  ASSERT_TRUE(wait_shows(5));
  wall.run([this] {
    ASSERT_EQ(manager->opens.size(), 2U);
    const auto& resume = manager->opens[1].resume;
    ASSERT_TRUE(resume);
    EXPECT_EQ(resume->window, 5U);
    EXPECT_EQ(resume->secret, FakeManager::kSecret);
    EXPECT_EQ(resume->routes.epoch, 1U);
    EXPECT_EQ(resume->routes.wall_rect, manager->first_wall_rect);
    EXPECT_EQ(resume->routes.routes, both_routes());
    EXPECT_EQ(left->connections, 1) << "no connection was made again";
    EXPECT_EQ(left->frames.size(), 6U) << "and no frame sent again";
    EXPECT_TRUE(left->mistakes.empty());
  });
}

// The manager may fail before it informs the receivers.
TEST_F(SwapTest, TheReceiversLearnFromTheSenderThatALayoutTakesEffect) {
  const auto wait_layouts = [this](size_t count) {
    return wall.wait(
        [this, count] { return left->layouts.size() == count && right->layouts.size() == count; });
  };
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 0);
  ASSERT_TRUE(wait_layouts(1)) << "no frame is ready";
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(wait_layouts(2)) << "a receiver may have been away";
  wall.run([this] {
    for (const FrameShow& show : left->layouts) EXPECT_EQ(show.epoch, 1U);
    EXPECT_GE(left->layouts[1].at_ns, left->layouts[0].at_ns);
  });
}

TEST_F(SwapTest, ALayoutThatTheManagerDidNotFinishIsForgotten) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { manager->send_routes(5, 2, {11, 22, 333, 444}, both_routes()); });
  ASSERT_TRUE(wait_epoch_ready(2));
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_REFRESH)) << "frame 1 went by the other map last";
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_shows(2));
  wall.run([this] {
    EXPECT_EQ(left->shows[0].frame, 1U);
    EXPECT_EQ(left->shows[0].epoch, 2U);
    EXPECT_EQ(left->shows[0].at_ns, 0) << "not to be kept";
    EXPECT_EQ(left->shows[1].frame, 2U);
    EXPECT_EQ(left->shows[1].epoch, 1U);
    EXPECT_TRUE(left->mistakes.empty());
  });
}

// The manager had announced the layout to other streams, and died before this one.
TEST_F(SwapTest, ALayoutThatAReceiverShowsIsGoneBy) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  const Rect moved{11, 22, 333, 444};
  wall.run([&] { manager->send_routes(5, 2, moved, both_routes()); });
  ASSERT_TRUE(wait_epoch_ready(2));
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_REFRESH));
  wall.run([this] { right->behaviour.reports = right->behaviour.reports_ready = false; });
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*right, 3));
  wall.run([this] {
    EXPECT_EQ(right->frames.back().begin.epoch, 1U);
    right->behaviour.reports = right->behaviour.reports_ready = true;
    right->send(encode(5, FrameReport{.frame = 2,
                                      .epoch = 1,
                                      .outcome = FrameOutcome::kDropped,
                                      .cause = DropCause::kOldEpoch}));
  });
  const auto told_of_it = [](const FakeReceiver& receiver) {
    return !receiver.layouts.empty() && receiver.layouts.back().epoch == 2;
  };
  ASSERT_TRUE(wall.wait([&] { return told_of_it(*left) && told_of_it(*right); }));
  wall.run([this] { EXPECT_EQ(right->frames.back().begin.epoch, 2U) << "once more, by its map"; });
  wall.run([this] {
    manager->resumes = true;
    manager->start();
  });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  wall.run([&] {
    const auto& resume = manager->opens.back().resume;
    ASSERT_TRUE(resume);
    EXPECT_EQ(resume->routes.epoch, 2U);
    EXPECT_EQ(resume->routes.wall_rect, moved);
    EXPECT_TRUE(left->mistakes.empty());
    EXPECT_TRUE(right->mistakes.empty());
  });
}

class UncoveredTest : public SwapTest {
 protected:
  // A map of one block is in effect with frame 2, and the next map shows all blocks.
  void uncover() {
    ASSERT_EQ(submit(1), SAIL_OK);
    ASSERT_TRUE(wait_epoch_ready(1));
    take_effect(1, 1);
    wall.run([this] { manager->send_routes(5, 2, kPlace, {left->route({{0, 0, 1, 1}})}); });
    ASSERT_TRUE(wait_epoch_ready(2));
    take_effect(2, 1);
    ASSERT_EQ(submit(2), SAIL_OK);
    ASSERT_TRUE(wall.wait([this] { return left->shows.size() == 1; }));
    wall.run([this] { manager->send_routes(5, 3, kPlace, both_routes()); });
    ASSERT_TRUE(next_event(SAIL_EVENT_REFRESH));
  }
  static constexpr Rect kPlace{0, 0, 10, 10};
};

TEST_F(UncoveredTest, TheFirstFrameWithWhatALayoutShowsBringsIt) {
  uncover();
  wall.run([this] { EXPECT_EQ(manager->epochs_ready.size(), 2U); });
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(3));
  wall.run([this] {
    EXPECT_EQ(manager->epochs_ready[2].epoch, 3U);
    EXPECT_EQ(manager->epochs_ready[2].frame, 3U);
    EXPECT_TRUE(left->mistakes.empty());
    EXPECT_TRUE(right->mistakes.empty());
  });
}

TEST_F(UncoveredTest, ALayoutThatWasNotWaitedForIsInEffect) {
  uncover();
  take_effect(3, 0);
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return left->shows.size() == 2 && right->shows.size() == 1; }));
  wall.run([this] {
    EXPECT_EQ(left->shows[1].epoch, 3U);
    EXPECT_EQ(left->shows[1].frame, 3U);
  });
}

TEST_F(UncoveredTest, WithoutAManagerFramesGoByTheMapBefore) {
  uncover();
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return left->shows.size() == 2; }));
  wall.run([this] {
    EXPECT_EQ(left->shows[1].frame, 3U);
    EXPECT_EQ(left->shows[1].epoch, 2U);
    EXPECT_TRUE(left->mistakes.empty());
  });
}

// The next manager does not know the stream, so it is opened as a new one.
TEST_F(SwapTest, AStreamThatIsNotTakenUpBeginsAnew) {
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_epoch_ready(1));
  take_effect(1, 1);
  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  wall.run([this] { manager->start(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  EXPECT_EQ(sail_stream_id(stream), 6U);
  ASSERT_TRUE(wait_epoch_ready(2));
  wall.run([this] {
    EXPECT_EQ(left->connections, 2);
    EXPECT_EQ(manager->epochs_ready[1].stream, 6U);
  });
}

}  // namespace
}  // namespace sail
