// The picture size is reduced on links that carry too few full-size pictures.
#include <algorithm>
#include <functional>
#include <memory>

#include "sail/core/time/clock.h"
#include "sail/core/wall/block_grid.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

// A link that drops packets above a rate.
struct Policer {
  double bytes_per_s = 4e6;
  double credit = 0;
  int64_t last_ns = 0;

  bool drops(const SeenPacket& packet) {
    const int64_t now_ns = steady_now_ns();
    const double come = static_cast<double>(now_ns - last_ns) / 1e9 * bytes_per_s;
    last_ns = now_ns;
    credit = std::min(credit + come, bytes_per_s / 200);
    const auto bytes = static_cast<double>(packet.bytes);
    if (credit < bytes) return true;
    credit -= bytes;
    return false;
  }
};

class SmallerPicturesTest : public ApplicationTest {
 protected:
  SmallerPicturesTest() {
    wall.run([this] {
      manager->transport = Transport::kUdp;
      manager->first_routes = {left->route({{0, 0, kLargeColumns, kLargeRows}})};
      left->behaviour.frames_in_flight = 32;
      PacketBehaviour& packets = left->behaviour.packets;
      packets.gives_up = true;
      packets.loses = [policer = policer_, &packets](const SeenPacket& packet) {
        const bool lost = policer->drops(packet);
        if (lost) ++packets.lost;
        return lost;
      };
    });
  }

  // Submits frames until the newest complete one has the requested reduction.
  bool submit_until(const std::function<bool(int reduction)>& asked_for) {
    const int64_t until_ns = steady_now_ns() + int64_t{1'000'000} * kTestDeadlineMs;
    while (steady_now_ns() < until_ns) {
      submit(++seed_);
      const bool there = wall.run(
          [&] { return !left->frames.empty() && asked_for(left->frames.back().begin.reduction); });
      if (there) return true;
    }
    return false;
  }

  void expect_all_blocks_of_newest() {
    wall.run([this] {
      const ReceivedFrame& frame = left->frames.back();
      const BlockGrid grid =
          reduced_grid(kLargeFrame, kDefaultBlockSize, frame.begin.reduction, Scaling::kFrame);
      EXPECT_EQ(frame.blocks.size(), grid.count());
      EXPECT_EQ(frame.begin.epoch, left->frames.front().begin.epoch);
    });
  }

  const std::shared_ptr<Policer> policer_ = std::make_shared<Policer>();
  int seed_ = 0;
};

TEST_F(SmallerPicturesTest, OnALinkThatCarriesTooFewAndLargerOnOneThatCarriesMore) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer encodes fewer frames than the link carries";
#endif
  open_stream(false, kLargeFrame);
  ASSERT_TRUE(submit_until([](int reduction) { return reduction >= 1; }));
  expect_all_blocks_of_newest();
  wall.run([this] { policer_->bytes_per_s = 1e12; });
  int most = 0;
  EXPECT_TRUE(submit_until([&](int reduction) {
    most = std::max(most, reduction);
    return reduction < most;
  }));
  expect_all_blocks_of_newest();
}

}  // namespace
}  // namespace sail
