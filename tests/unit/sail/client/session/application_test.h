// Fixture for tests of libsail: an application between a fake manager and fake receivers. The
// test's thread is the application and uses sail.h; the fakes share a loop thread.
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

// 3 columns and 3 rows of blocks. The last ones are smaller, and the size is not a multiple of 4.
constexpr Size kFrameSize{301, 150};
constexpr int kColumns = 3;
constexpr int kRows = 3;
// Large enough for several FEC blocks a frame.
constexpr Size kLargeFrame{1280, 720};
constexpr int kLargeColumns = 10;
constexpr int kLargeRows = 12;

// BGRA pixels that differ from frame to frame and from block to block.
std::vector<uint8_t> make_pixels(Size size, int seed);
sail_frame bgra_frame(const std::vector<uint8_t>& pixels, Size size);
// Expected bytes of a block of that frame.
std::vector<uint8_t> expected_block(const std::vector<uint8_t>& pixels, Size size, int column,
                                    int row);

class ApplicationTest : public testing::Test {
 protected:
  ApplicationTest();
  ~ApplicationTest() override;

  // The fakes; use them only within wall.run() and wall.wait().
  LoopThread wall;
  std::unique_ptr<FakeManager> manager;
  std::unique_ptr<FakeReceiver> left;   // shows block columns 0 and 1
  std::unique_ptr<FakeReceiver> right;  // shows block columns 1 and 2
  std::vector<Route> both_routes() const;

  // The application.
  sail_session* session = nullptr;
  sail_stream* stream = nullptr;
  int delay_ms = 0;  // options for new streams
  const char* codec = nullptr;
  void open_session();
  void open_stream(bool wait_when_full = false, Size size = kFrameSize);
  // Submits a frame. Returns the status and stores the frame number in `number`.
  sail_status submit(int seed, uint64_t* number = nullptr);
  sail_stream_stats stats() const;
  // Returns the next event of this type; skips others.
  std::optional<sail_event> next_event(sail_event_type type);

  // Waits until the receiver has this many complete frames.
  bool wait_frames(FakeReceiver& receiver, size_t count);
  ReceivedFrame frame_of(FakeReceiver& receiver, size_t index);
  // Expects exactly these blocks, with the bytes of the frame with this seed.
  void expect_blocks(const ReceivedFrame& frame, int seed, std::vector<std::pair<int, int>> blocks);

  Size size_ = kFrameSize;
};

}  // namespace sail
