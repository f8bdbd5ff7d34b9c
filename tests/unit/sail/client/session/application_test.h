// An application between a fake manager and fake receivers: what the tests of libsail share. The
// application's side is the test's thread and uses sail.h; the other side has a loop of its own.
#pragma once

#include <gtest/gtest.h>
#include <sail/sail.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/socket/tcp.h"
#include "tests/unit/sail/client/session/fake_manager.h"
#include "tests/unit/sail/client/session/fake_receiver.h"
#include "tests/unit/sail/client/session/loop_thread.h"

namespace sail {

// 3 columns and 3 rows of blocks; the last ones are smaller, and the size is no multiple of 4.
constexpr Size kFrameSize{301, 150};
constexpr int kColumns = 3;
constexpr int kRows = 3;
// Several groups of symbols a frame.
constexpr Size kLargeFrame{1280, 720};
constexpr int kLargeColumns = 10;
constexpr int kLargeRows = 12;

// BGRA pixels that differ from frame to frame and from block to block.
std::vector<uint8_t> make_pixels(Size size, int seed);
sail_frame bgra_frame(const std::vector<uint8_t>& pixels, Size size);
// What a receiver must get for a block of that frame.
std::vector<uint8_t> expected_block(const std::vector<uint8_t>& pixels, Size size, int column,
                                    int row);

class ApplicationTest : public testing::Test {
 protected:
  ApplicationTest();
  ~ApplicationTest() override;

  // The other side: only within wall.run() and wall.wait().
  LoopThread wall;
  std::unique_ptr<FakeManager> manager;
  std::unique_ptr<FakeReceiver> left;   // shows block columns 0 and 1
  std::unique_ptr<FakeReceiver> right;  // shows block columns 1 and 2
  std::vector<Route> both_routes() const;

  // The application's side.
  sail_session* session = nullptr;
  sail_stream* stream = nullptr;
  int delay_ms = 0;  // option of streams
  void open_session();
  void open_stream(bool wait_when_full = false, Size size = kFrameSize);
  // The status; the number in `number`.
  sail_status submit(int seed, uint64_t* number = nullptr);
  sail_stream_stats stats() const;
  // The next event of that type; others are passed over.
  std::optional<sail_event> next_event(sail_event_type type);

  // Waits until the receiver has so many whole frames.
  bool wait_frames(FakeReceiver& receiver, size_t count);
  ReceivedFrame frame_of(FakeReceiver& receiver, size_t index);
  // Its blocks are exactly these, and their bytes are those of the frame with that seed.
  void expect_blocks(const ReceivedFrame& frame, int seed, std::vector<std::pair<int, int>> blocks);

  Size size_ = kFrameSize;
};

}  // namespace sail
