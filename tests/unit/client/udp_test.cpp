// Frames over UDP, from sail_submit to receivers that lose packets.
#include <algorithm>

#include "tests/unit/client/application_test.h"

namespace sail {
namespace {

// Several groups of symbols a frame.
constexpr Size kLarge{1280, 720};
constexpr int kLargeColumns = 10;
constexpr int kLargeRows = 12;

class UdpTest : public ApplicationTest {
 protected:
  UdpTest() {
    wall.run([this] {
      manager->transport = Transport::kUdp;
      manager->first_routes = {left->route({{0, 0, kLargeColumns, kLargeRows}})};
      left->behaviour.frames_in_flight = 32;
      right->behaviour.frames_in_flight = 32;
    });
  }

  std::vector<std::pair<int, int>> all_blocks() const {
    std::vector<std::pair<int, int>> blocks;
    for (int row = 0; row < kLargeRows; ++row) {
      for (int column = 0; column < kLargeColumns; ++column) blocks.emplace_back(row, column);
    }
    return blocks;
  }
  void expect_frame(size_t index, int seed) {
    ASSERT_TRUE(wait_frames(*left, index + 1));
    expect_blocks(frame_of(*left, index), seed, all_blocks());
  }
  // At the newest connection of `left`.
  std::vector<SeenPacket> seen() {
    return wall.run([this] { return left->packets().seen; });
  }
};

TEST_F(UdpTest, FramesArriveAsTheyAre) {
  open_stream(true, kLarge);
  for (int seed = 1; seed <= 5; ++seed) {
    ASSERT_EQ(submit(seed), SAIL_OK);
    expect_frame(static_cast<size_t>(seed - 1), seed);
  }
  const auto opened = wall.run([this] { return left->opened; });
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].symbol_bytes, symbol_bytes_for(kDefaultMtu));
  EXPECT_GT(seen().size(), 5 * kGroupSymbols);
  EXPECT_TRUE(wall.wait([this] { return stats().frames_shown == 5; }));
  EXPECT_GT(stats().bytes_sent, uint64_t{5} * kLarge.width * kLarge.height / 2);
}

}  // namespace
}  // namespace sail
