// Unchanged blocks are not sent; the application gets an event if they are needed again.
#include <set>

#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

using Places = std::set<std::pair<int, int>>;  // row, column

class UnchangedTest : public ApplicationTest {
 protected:
  sail_status submit_pixels() {
    const sail_frame frame = bgra_frame(pixels_, size_);
    return sail_submit(stream, &frame, nullptr);
  }
  void change_pixel(int x, int y) {
    pixels_[(static_cast<size_t>(y) * static_cast<size_t>(size_.width) + static_cast<size_t>(x)) *
            4] ^= 0x80;
  }
  bool all_shown() {
    return wall.wait([this] { return stats().frames_shown == stats().frames_submitted; });
  }
  void expect_picture(const ReceivedFrame& frame, const Places& places) {
    for (const auto& [row, column] : places) {
      ASSERT_TRUE(frame.blocks.contains({row, column})) << row << ", " << column;
      EXPECT_EQ(frame.blocks.at({row, column}), expected_block(pixels_, size_, column, row))
          << row << ", " << column;
    }
  }

  std::vector<uint8_t> pixels_ = make_pixels(kFrameSize, 1);
  const Places left_places_{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}};
};

TEST_F(UnchangedTest, OnlyChangedBlocksAreSent) {
  open_stream();
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  change_pixel(130, 70);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  change_pixel(299, 149);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 3));
  ASSERT_TRUE(wait_frames(*right, 3));
  EXPECT_EQ(frame_of(*left, 0).came.size(), 6U);
  EXPECT_EQ(frame_of(*left, 1).came, (Places{{1, 1}}));
  EXPECT_EQ(frame_of(*left, 1).begin.base, 1U);
  EXPECT_TRUE(frame_of(*left, 2).came.empty()) << "nothing that it shows has changed";
  EXPECT_EQ(frame_of(*right, 2).came, (Places{{2, 2}}));
  expect_picture(frame_of(*left, 2), left_places_);
  EXPECT_TRUE(all_shown());
}

TEST_F(UnchangedTest, WhatTheWallShowsIsNotSentAtAll) {
  open_stream();
  ASSERT_EQ(sail_watch_frames(stream), SAIL_OK);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(all_shown());
  const uint64_t bytes = stats().bytes_sent;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(submit_pixels(), SAIL_OK);
    ASSERT_TRUE(all_shown());
  }
  EXPECT_EQ(stats().bytes_sent, bytes);
  EXPECT_EQ(stats().frames_sent, 1U);
  for (uint64_t number = 1; number <= 6; ++number) {
    const auto fate = next_event(SAIL_EVENT_FRAME);
    ASSERT_TRUE(fate);
    EXPECT_EQ(fate->frame.number, number);
    EXPECT_EQ(fate->frame.shown, 1);
    EXPECT_EQ(fate->frame.receivers, 2U);
    EXPECT_GE(fate->frame.first_swapped_ns, fate->frame.submitted_ns);
  }
  // Later frames build on it.
  change_pixel(0, 0);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  EXPECT_EQ(frame_of(*left, 1).came, (Places{{0, 0}}));
  expect_picture(frame_of(*left, 1), left_places_);
}

TEST_F(UnchangedTest, AFrameThatWasNotShownIsSentAgain) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream();
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] { left->report(1, 1, FrameOutcome::kDropped, 0); });
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 0; }));
  wall.run([this] { left->behaviour.reports = true; });
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  EXPECT_TRUE(frame_of(*left, 1).came.empty()) << "its blocks are there";
  EXPECT_TRUE(wall.wait([this] { return stats().frames_shown == 1; }));
}

TEST_F(UnchangedTest, ALostFrameIsFollowedByAWholeOne) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream();
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] {
    left->send(encode(5, FrameReport{.frame = 1,
                                     .epoch = 1,
                                     .outcome = FrameOutcome::kDropped,
                                     .cause = DropCause::kIncomplete}));
  });
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 0; }));
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  EXPECT_EQ(frame_of(*left, 1).begin.base, 0U);
  EXPECT_EQ(frame_of(*left, 1).came, left_places_);
}

TEST_F(UnchangedTest, HiddenBlocksAreAskedForWhenTheyAreSeen) {
  wall.run([this] { manager->first_routes = {left->route({{0, 0, 1, 1}})}; });
  open_stream();
  ASSERT_EQ(submit_pixels(), SAIL_OK);  // complete, because it follows a pause
  change_pixel(0, 0);
  change_pixel(200, 100);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, {left->route({{0, 0, 2, 3}})}); });
  const auto asked = next_event(SAIL_EVENT_REFRESH);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->stream, stream);
  ASSERT_EQ(submit_pixels(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 3));
  EXPECT_EQ(frame_of(*left, 2).begin.epoch, 2U);
  expect_picture(frame_of(*left, 2), left_places_);
}

TEST_F(UnchangedTest, EncodedFramesAreChecked) {
  open_session();
  sail_stream_options options{};
  options.title = "encoded";
  options.width = kFrameSize.width;
  options.height = kFrameSize.height;
  options.encoded = 1;
  sail_stream* encoded = sail_stream_open(session, &options, nullptr);
  ASSERT_NE(encoded, nullptr);
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> lengths;
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const auto block = expected_block(pixels_, size_, column, row);
      bytes.insert(bytes.end(), block.begin(), block.end());
      lengths.push_back(static_cast<uint32_t>(block.size()));
    }
  }
  sail_encoded_frame frame{};
  frame.bytes = bytes.data();
  frame.byte_count = bytes.size();
  frame.lengths = lengths.data();
  frame.block_count = lengths.size();
  EXPECT_EQ(sail_submit_encoded(encoded, &frame, nullptr), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  expect_picture(frame_of(*left, 0), left_places_);
  const sail_frame pixels = bgra_frame(pixels_, size_);
  EXPECT_EQ(sail_submit(encoded, &pixels, nullptr), SAIL_INVALID);
  --frame.byte_count;
  EXPECT_EQ(sail_submit_encoded(encoded, &frame, nullptr), SAIL_INVALID);
  ++frame.byte_count;
  --frame.block_count;
  EXPECT_EQ(sail_submit_encoded(encoded, &frame, nullptr), SAIL_INVALID);
  frame.bytes = nullptr;
  EXPECT_EQ(sail_submit_encoded(encoded, &frame, nullptr), SAIL_INVALID);
  EXPECT_EQ(sail_submit_encoded(encoded, nullptr, nullptr), SAIL_INVALID);
}

}  // namespace
}  // namespace sail
