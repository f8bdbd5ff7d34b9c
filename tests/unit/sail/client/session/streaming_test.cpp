// Frames from sail_submit to the receivers, and the reports back.
#include <algorithm>
#include <atomic>
#include <set>
#include <string>
#include <thread>

#include "codecs/dxt/dxt.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/block_grid.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

using StreamingTest = ApplicationTest;

std::vector<std::pair<int, int>> blocks_of_columns(int first, int last) {
  std::vector<std::pair<int, int>> blocks;
  for (int row = 0; row < kRows; ++row) {
    for (int column = first; column <= last; ++column) blocks.emplace_back(row, column);
  }
  return blocks;
}

TEST_F(StreamingTest, EachReceiverGetsItsBlocks) {
  open_stream();
  ASSERT_EQ(sail_watch_frames(stream), SAIL_OK);
  const int64_t before_ns = steady_now_ns();
  uint64_t number = 0;
  ASSERT_EQ(submit(1, &number), SAIL_OK);
  EXPECT_EQ(number, 1U);
  ASSERT_TRUE(wait_frames(*left, 1));
  ASSERT_TRUE(wait_frames(*right, 1));

  const ReceivedFrame at_left = frame_of(*left, 0);
  const ReceivedFrame at_right = frame_of(*right, 0);
  expect_blocks(at_left, 1, blocks_of_columns(0, 1));
  expect_blocks(at_right, 1, blocks_of_columns(1, 2));
  EXPECT_EQ(at_left.rows, (std::vector<int>{0, 1, 2}));  // one run a row
  EXPECT_EQ(at_left.stream, 5U);
  EXPECT_EQ(at_left.begin.frame, 1U);
  EXPECT_EQ(at_left.begin.epoch, 1U);
  // Time stamps are wall time, in order.
  const int64_t submitted_ns = at_left.begin.submitted_ns - FakeManager::kClockAheadNs;
  constexpr int64_t kClockError = 100'000'000;  // half a round trip, on a busy machine
  EXPECT_GT(submitted_ns, before_ns - kClockError);
  EXPECT_LT(submitted_ns, steady_now_ns() + kClockError);
  EXPECT_GE(at_left.end.encoded_ns, at_left.begin.submitted_ns);
  EXPECT_GE(at_left.end.sent_ns, at_left.end.encoded_ns);

  const auto event = next_event(SAIL_EVENT_FRAME);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->stream, stream);
  EXPECT_EQ(event->frame.number, 1U);
  EXPECT_EQ(event->frame.shown, 1);
  EXPECT_EQ(event->frame.receivers, 2U);
  EXPECT_EQ(event->frame.submitted_ns, at_left.begin.submitted_ns);
  EXPECT_EQ(event->frame.last_swapped_ns, at_left.begin.submitted_ns + 1'000'000);
  const sail_stream_stats figures = stats();
  EXPECT_EQ(figures.frames_submitted, 1U);
  EXPECT_EQ(figures.frames_sent, 1U);
  EXPECT_EQ(figures.frames_shown, 1U);
  EXPECT_EQ(figures.frames_dropped, 0U);
  EXPECT_EQ(figures.frames_in_flight, 0U);
  EXPECT_GT(figures.bytes_sent, at_left.blocks.size() * 1000);
}

TEST_F(StreamingTest, TheReceiverIsToldWhatTheManagerToldUs) {
  open_stream();
  const auto opened = wall.run([this] { return left->opened; });
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].secret, FakeManager::kSecret);
  EXPECT_EQ(opened[0].frame_size, kFrameSize);
  EXPECT_EQ(opened[0].block_size, kDefaultBlockSize);
  EXPECT_EQ(opened[0].codec, StreamCodec{});
}

TEST_F(StreamingTest, FramesFollowOneAnother) {
  open_stream(true);
  constexpr int kFrames = 30;
  for (int seed = 1; seed <= kFrames; ++seed) ASSERT_EQ(submit(seed), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, kFrames));
  ASSERT_TRUE(wait_frames(*right, kFrames));
  for (const int index : {0, 17, kFrames - 1}) {
    const ReceivedFrame frame = frame_of(*right, static_cast<size_t>(index));
    EXPECT_EQ(frame.begin.frame, static_cast<uint64_t>(index + 1));
    expect_blocks(frame, index + 1, blocks_of_columns(1, 2));
  }
}

// Every pixel format and both colour matrices reach the codec unchanged.
TEST_F(StreamingTest, FormatsReachTheCodecAsWhatTheyAre) {
  open_stream(true);
  const std::vector<uint8_t> bytes = make_pixels(kFrameSize, 3);
  const auto plane = [&](int index) { return bytes.data() + 40000 * index; };
  size_t frames = 0;
  for (const sail_pixel_format format :
       {SAIL_RGBA, SAIL_BGRA, SAIL_RGB, SAIL_NV12, SAIL_I420, SAIL_NV16, SAIL_I422}) {
    for (const sail_color_matrix matrix : {SAIL_BT601, SAIL_BT709}) {
      sail_frame frame{};
      frame.format = format;
      frame.matrix = matrix;
      frame.range = SAIL_FULL;
      codecs::ImageView image;
      image.format = static_cast<codecs::PixelFormat>(format);
      image.matrix = static_cast<codecs::ColorMatrix>(matrix);
      image.range = codecs::ColorRange::kFull;
      image.width = kFrameSize.width;
      image.height = kFrameSize.height;
      const bool planar = format == SAIL_I420 || format == SAIL_I422;
      const bool yuv = planar || format == SAIL_NV12 || format == SAIL_NV16;
      const int planes = planar ? 3 : yuv ? 2 : 1;
      for (int i = 0; i < planes; ++i) {
        image.planes[i] = frame.planes[i] = yuv ? plane(i) : bytes.data();
        image.strides[i] = frame.strides[i] = yuv ? 310 : 4 * kFrameSize.width;
      }
      std::vector<uint8_t> expected(codecs::dxt_bytes(codecs::CodecId::kDxt1, 128, 64));
      codecs::dxt_encode(codecs::CodecId::kDxt1, image, 128, 64, 128, 64, codecs::DxtMode::kGood,
                         expected.data(), codecs::CpuLevel::kReference);
      ASSERT_EQ(sail_submit(stream, &frame, nullptr), SAIL_OK);
      ASSERT_TRUE(wait_frames(*left, ++frames));
      EXPECT_EQ(frame_of(*left, frames - 1).blocks.at({1, 1}), expected)
          << "format " << format << ", matrix " << matrix;
    }
  }
}

// --- layouts ------------------------------------------------------------------------------------

TEST_F(StreamingTest, AChangedLayoutSendsTheLastFrameAgain) {
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  ASSERT_TRUE(wait_frames(*right, 2));
  wall.run([this] {
    manager->send_routes(5, 2, {0, 0, 10, 10}, {left->route({{2, 1, 1, 2}, {0, 2, 1, 1}})});
  });
  ASSERT_TRUE(wait_frames(*left, 3));
  const ReceivedFrame again = frame_of(*left, 2);
  EXPECT_EQ(again.begin.frame, 2U);
  EXPECT_EQ(again.begin.epoch, 2U);
  expect_blocks(again, 2, {{1, 2}, {2, 0}, {2, 2}});
  // The receiver that left the map gets a close message; the other keeps its connection.
  ASSERT_TRUE(wall.wait([this] { return right->closes.size() == 1; }));
  EXPECT_EQ(wall.run([this] { return right->closes[0].reason; }), CloseReason::kNormal);
  EXPECT_EQ(wall.run([this] { return left->connections; }), 1);

  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 4));
  EXPECT_EQ(frame_of(*left, 3).begin.epoch, 2U);
  expect_blocks(frame_of(*left, 3), 3, {{1, 2}, {2, 0}, {2, 2}});
  // Sent twice, counted once.
  EXPECT_TRUE(wall.wait([this] { return stats().frames_shown == 3; }));
  EXPECT_EQ(stats().frames_submitted, 3U);
  EXPECT_EQ(stats().frames_sent, 3U);
  EXPECT_EQ(stats().frames_dropped, 0U);
}

TEST_F(StreamingTest, AReceiverThatJoinsGetsTheLastFrame) {
  wall.run([this] { manager->first_routes = {left->route({{0, 0, 3, 3}})}; });
  open_stream();
  ASSERT_EQ(submit(4), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, both_routes()); });
  ASSERT_TRUE(wait_frames(*right, 1));
  expect_blocks(frame_of(*right, 0), 4, blocks_of_columns(1, 2));
  EXPECT_EQ(frame_of(*right, 0).begin.epoch, 2U);
}

TEST_F(StreamingTest, APictureSubmittedWhileHiddenAppearsLater) {
  wall.run([this] { manager->first_routes = std::vector<Route>{}; });
  open_stream();
  sail_watch_frames(stream);
  int visible = 1;
  ASSERT_EQ(sail_stream_window(stream, nullptr, &visible), SAIL_OK);
  EXPECT_EQ(visible, 0);
  ASSERT_EQ(submit(6), SAIL_OK);
  const auto event = next_event(SAIL_EVENT_FRAME);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->frame.shown, 0);
  EXPECT_EQ(event->frame.receivers, 0U);
  EXPECT_EQ(stats().frames_sent, 0U);

  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, both_routes()); });
  ASSERT_TRUE(wait_frames(*left, 1));
  ASSERT_TRUE(wait_frames(*right, 1));
  expect_blocks(frame_of(*left, 0), 6, blocks_of_columns(0, 1));
  ASSERT_EQ(sail_stream_window(stream, nullptr, &visible), SAIL_OK);
  EXPECT_EQ(visible, 1);
}

TEST_F(StreamingTest, RoutesThatMakeNoSenseChangeNothing) {
  open_stream();
  wall.run([this] {
    manager->send_routes(5, 2, {0, 0, 10, 10}, {left->route({{0, 0, 4, 1}})});
    manager->send_routes(5, 3, {0, 0, 10, 10}, {left->route({{0, 0, 2, 1}, {1, 0, 1, 1}})});
    manager->send_routes(999, 4, {0, 0, 10, 10}, {});
    manager->notify("routes", {{"stream", 5}});
    manager->notify("unheard_of", Json::object());
  });
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_EQ(frame_of(*left, 0).begin.epoch, 1U);
}

// --- limits -------------------------------------------------------------------------------------

TEST_F(StreamingTest, FramesThatFindNoRoomAreDropped) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream();
  // The receivers take 4 frames; one credit is reserved for a changed layout.
  for (int seed = 1; seed <= 3; ++seed) ASSERT_EQ(submit(seed), SAIL_OK) << seed;
  uint64_t number = 0;
  EXPECT_EQ(submit(4, &number), SAIL_DROPPED);
  EXPECT_EQ(number, 4U);
  EXPECT_EQ(stats().frames_in_flight, 3U);
  EXPECT_EQ(stats().frames_dropped, 1U);

  ASSERT_TRUE(wait_frames(*left, 3));
  wall.run([this] { left->report(1, 1, FrameOutcome::kShown, 1); });
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 2; }));
  EXPECT_EQ(submit(5, &number), SAIL_OK);
  EXPECT_EQ(number, 5U);
  ASSERT_TRUE(wait_frames(*left, 4));
  EXPECT_EQ(frame_of(*left, 3).begin.frame, 5U);
}

// Otherwise a film paused at this moment would show an older picture.
TEST_F(StreamingTest, TheLastFrameIsAskedForWhenItWasDropped) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream();
  for (int seed = 1; seed <= 3; ++seed) ASSERT_EQ(submit(seed), SAIL_OK) << seed;
  ASSERT_EQ(submit(4), SAIL_DROPPED);
  EXPECT_TRUE(next_event(SAIL_EVENT_REFRESH));
}

// Otherwise the window of a film that is over by then stays black.
TEST_F(StreamingTest, TheLastFrameIsAskedForUntilOneHasBeenShown) {
  wall.run([this] { left->behaviour.reports = right->behaviour.reports = false; });
  open_stream();
  for (const int frame : {1, 2}) {
    ASSERT_EQ(submit(frame), SAIL_OK);
    const auto count = static_cast<size_t>(frame);
    ASSERT_TRUE(wait_frames(*left, count));
    ASSERT_TRUE(wait_frames(*right, count));
    wall.run([&] {
      left->report(count, 1, FrameOutcome::kDropped, 0);
      right->report(count, 1, FrameOutcome::kDropped, 0);
    });
    EXPECT_TRUE(next_event(SAIL_EVENT_REFRESH)) << frame;
  }
  EXPECT_EQ(stats().frames_dropped, 2U);
}

TEST_F(StreamingTest, TheSmallestReceiverSetsTheLimit) {
  wall.run([this] {
    right->behaviour.frames_in_flight = 2;
    right->behaviour.reports = false;
  });
  open_stream();
  EXPECT_EQ(submit(1), SAIL_OK);
  EXPECT_EQ(submit(2), SAIL_DROPPED);
}

TEST_F(StreamingTest, SubmittingWaitsWhenAskedTo) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream(true);
  for (int seed = 1; seed <= 3; ++seed) ASSERT_EQ(submit(seed), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 3));
  std::atomic<bool> returned{false};
  std::thread application([&] {
    EXPECT_EQ(submit(4), SAIL_OK);
    returned = true;
  });
  for (int round = 0; round < 50; ++round) wall.run([] {});
  EXPECT_FALSE(returned);
  wall.run([this] { left->report(1, 1, FrameOutcome::kDropped, 1); });
  application.join();
  EXPECT_TRUE(wait_frames(*left, 4));
  EXPECT_EQ(stats().frames_submitted, 4U);
}

TEST_F(StreamingTest, EveryFrameIsReleasedOnce) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream();
  const std::vector<uint8_t> pixels = make_pixels(kFrameSize, 1);
  sail_frame frame = bgra_frame(pixels, kFrameSize);
  int released = 0;
  frame.release = [](void* opaque) { ++*static_cast<int*>(opaque); };
  frame.opaque = &released;
  for (int i = 1; i <= 5; ++i) {
    EXPECT_GE(sail_submit(stream, &frame, nullptr), SAIL_OK);
    EXPECT_EQ(released, i);
  }
  frame.strides[0] = 4;
  EXPECT_EQ(sail_submit(stream, &frame, nullptr), SAIL_INVALID);
  EXPECT_EQ(released, 5);
}

// --- statistics ---------------------------------------------------------------------------------

TEST_F(StreamingTest, ADroppedFrameIsNotCountedAsShown) {
  wall.run([this] { right->behaviour.reports = false; });
  open_stream();
  sail_watch_frames(stream);
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*right, 1));
  wall.run([this] { right->report(1, 1, FrameOutcome::kDropped, 0); });
  const auto event = next_event(SAIL_EVENT_FRAME);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->frame.shown, 0);
  EXPECT_EQ(event->frame.receivers, 2U);
  EXPECT_EQ(event->frame.last_swapped_ns, 0);
  EXPECT_EQ(stats().frames_dropped, 1U);
  // The manager's statistics contain the cause.
  ASSERT_TRUE(wall.wait(
      [this] { return !manager->stats.empty() && manager->stats.back().dropped.superseded == 1; }));
  EXPECT_EQ(stats().frames_superseded, 1U);
  EXPECT_EQ(stats().frames_lost, 0U);
}

TEST_F(StreamingTest, LinksAreToldToWhoWatchesThem) {
  open_stream(true);
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return !manager->stats.empty(); }));
  sail_event event{};
  while (sail_poll_event(session, &event, 0) == SAIL_OK) EXPECT_NE(event.type, SAIL_EVENT_LINK);

  ASSERT_EQ(sail_watch_links(stream), SAIL_OK);
  EXPECT_EQ(sail_watch_links(nullptr), SAIL_INVALID);
  std::set<std::string> receivers;
  while (receivers.size() < 2) {
    const auto reported = next_event(SAIL_EVENT_LINK);
    ASSERT_TRUE(reported);
    EXPECT_EQ(reported->stream, stream);
    EXPECT_EQ(reported->link.transport, SAIL_TCP);
    EXPECT_GT(reported->link.bytes_sent, 0U);
    receivers.insert(reported->link.receiver);
  }
  EXPECT_EQ(receivers, (std::set<std::string>{"left", "right"}));
  const auto links = wall.run([this] { return manager->stats.back().links; });
  EXPECT_EQ(links.size(), 2U) << "the manager hears of them, too";
}

TEST_F(StreamingTest, TheManagerHearsTheFigures) {
  wall.run([this] { right->behaviour.swapped_after_ns = 1'250'000; });
  open_stream(true);
  for (int seed = 1; seed <= 5; ++seed) ASSERT_EQ(submit(seed), SAIL_OK);
  ASSERT_TRUE(wall.wait(
      [this] { return !manager->stats.empty() && manager->stats.back().frames_shown == 5; }));
  const StreamStats reported = wall.run([this] {
    return *std::find_if(manager->stats.begin(), manager->stats.end(),
                         [](const StreamStats& each) { return each.fps_shown > 0; });
  });
  EXPECT_EQ(reported.stream, 5U);
  EXPECT_EQ(reported.frames_dropped, 0U);
  EXPECT_GT(reported.bytes_sent, 0U);
  EXPECT_GT(reported.mbit_per_s, 0);
  EXPECT_NEAR(reported.latency_ms_p50, 1.25, 0.001);
  EXPECT_NEAR(reported.latency_ms_p99, 1.25, 0.001);
  EXPECT_NEAR(reported.skew_us_p50, 250, 0.1);
}

}  // namespace
}  // namespace sail
