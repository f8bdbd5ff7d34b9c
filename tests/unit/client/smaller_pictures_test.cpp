// Pictures get smaller where a link carries too few of them.
#include <algorithm>

#include "sail/base/clock.h"
#include "tests/unit/client/application_test.h"

namespace sail {
namespace {

constexpr Size kLarge{1280, 720};
constexpr int kColumns = 10;
constexpr int kRows = 12;

// The receiver's link drops what comes above a rate.
class Policer {
 public:
  Policer(FakeReceiver& receiver, double bytes_per_s)
      : behaviour_(receiver.behaviour.packets), bytes_per_s_(bytes_per_s) {
    behaviour_.gives_up = true;
    behaviour_.loses = [this](const SeenPacket& packet) { return drop(packet); };
  }

  void open() { bytes_per_s_ = 1e12; }

 private:
  bool drop(const SeenPacket& packet) {
    const int64_t now_ns = steady_now_ns();
    const double come = static_cast<double>(now_ns - last_ns_) / 1e9 * bytes_per_s_;
    last_ns_ = now_ns;
    credit_ = std::min(credit_ + come, bytes_per_s_ / 200);
    if (credit_ < static_cast<double>(packet.bytes)) {
      ++behaviour_.lost;
      return true;
    }
    credit_ -= static_cast<double>(packet.bytes);
    return false;
  }

  PacketBehaviour& behaviour_;
  double bytes_per_s_;
  double credit_ = 0;
  int64_t last_ns_ = 0;
};

class SmallerPicturesTest : public ApplicationTest {
 protected:
  SmallerPicturesTest() {
    wall.run([this] {
      manager->transport = Transport::kUdp;
      manager->first_routes = {left->route({{0, 0, kColumns, kRows}})};
      left->behaviour.frames_in_flight = 32;
      policer_ = std::make_unique<Policer>(*left, 4e6);
    });
  }

  // Submits frames until one that is halved so often, at least or at most, is there whole.
  bool submit_until(const std::function<bool(int)>& reduction) {
    const int64_t until_ns = steady_now_ns() + int64_t{1'000'000} * kTestDeadlineMs;
    while (steady_now_ns() < until_ns) {
      submit(++seed_);
      const bool there = wall.run([&] {
        return !left->frames.empty() && left->frames.back().whole &&
               reduction(left->frames.back().begin.reduction);
      });
      if (there) return true;
    }
    return false;
  }

  std::unique_ptr<Policer> policer_;
  int seed_ = 0;
};

TEST_F(SmallerPicturesTest, OnALinkThatIsTooThinAndLargeAgainOnOneThatIsNot) {
  open_stream(false, kLarge);
  ASSERT_TRUE(submit_until([](int reduction) { return reduction == 0; }));
  ASSERT_TRUE(submit_until([](int reduction) { return reduction > 0; }));
  wall.run([this] { policer_->open(); });
  EXPECT_TRUE(submit_until([](int reduction) { return reduction == 0; }));
}

}  // namespace
}  // namespace sail
