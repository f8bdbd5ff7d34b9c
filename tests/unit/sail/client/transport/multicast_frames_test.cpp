// Frames of a carried stream to a multicast group, on loopback.
#include "sail/client/transport/multicast_frames.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "sail/core/socket/udp.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/limits.h"
#include "tests/support/held_port.h"
#include "tests/support/loop_test.h"

namespace sail {
namespace {

constexpr uint32_t kGroupStream = 7;
const BlockGrid kFilmGrid({64, 64}, {64, 64});

class SentPackets : public UdpReader {
 public:
  void on_datagrams(std::span<const Datagram> datagrams) override {
    for (const Datagram& datagram : datagrams) {
      const auto header = decode_packet_header(datagram.bytes);
      ASSERT_TRUE(header);
      headers.push_back(*header);
    }
  }
  std::vector<PacketHeader> headers;
};

class MulticastFramesTest : public testing::Test {
 protected:
  // A link whose receiver has this frame, and the access units up to `held`.
  class Link : public MulticastFrames::Member {
   public:
    Link(MulticastFramesTest& test, uint64_t base, uint64_t held)
        : link_(test.loop, test.clock, test.log, kGroupStream, {"127.0.0.1", 9}, {}) {
      if (base == 0) return;
      KeptFrame frame;
      frame.name = {.frame = base, .epoch = 1};
      base_.begin(frame, kFilmGrid);
      frame.held.versions.front() = held;
      base_.set_received(frame);
    }
    const FrameBase& base() const override { return base_; }
    const PacketLink& link() const override { return link_; }
    void limit_reached() override {}

   private:
    FrameBase base_;
    PacketLink link_;
  };

  MulticastFramesTest() { EXPECT_TRUE(frames.start()); }

  // A frame with the units 1 to 6.
  OutgoingFrame frame(uint64_t number) {
    UnitChain chain;
    for (uint64_t unit = 1; unit <= 6; ++unit) {
      chain.units.push_back({.number = unit, .key = unit == 1, .bytes = unit_bytes});
    }
    FrameRef encoded = pool.take();
    encoded->begin(number, 1, wanted, true);
    encoded->set_units(chain, 2);
    return {.frame = std::move(encoded), .plan = plan, .epoch = 1, .interval_ns = kMillisecondNs};
  }
  static FrameBegin begin_of(const KeptFrame& frame) {
    const auto begin = decode_frame_begin(frame.messages.parts().front().subspan(
        kDataHeaderBytes, kFrameBeginBytes - kDataHeaderBytes));
    EXPECT_TRUE(begin);
    return begin.value_or(FrameBegin{});
  }

  Loop loop;
  const HeldPort port{loop};
  const Address group{"239.77.4.1", port.number()};
  const WallClock clock;
  const Log log{"test", LogLevel::kOff};
  const std::vector<uint8_t> unit_bytes = std::vector<uint8_t>(1000, 7);
  const std::shared_ptr<const WantedBlocks> wanted = std::make_shared<const WantedBlocks>(
      WantedBlocks{.reduction = 0, .grid = kFilmGrid, .blocks = {true}});
  const std::shared_ptr<const ReceiverPlan> plan = std::make_shared<const ReceiverPlan>(
      "left", Address{"127.0.0.1", 9}, std::vector<ReceiverPlan::Run>{{0, 0, 1}}, 0, kFilmGrid,
      Scaling::kFrame);
  FramePool pool{kFilmGrid, 4, [](int, int) { return size_t{0}; }};
  int told = 0;
  MulticastFrames frames{
      loop,
      clock,
      log,
      {.stream = kGroupStream, .group = group, .here = "127.0.0.1", .symbol_bytes = 1000},
      [this] { ++told; }};
};

TEST_F(MulticastFramesTest, AFrameGoesOnceToAllAndBuildsOnWhatAllHave) {
  SentPackets sent;
  auto member = UdpSocket::join_group(loop, group, "127.0.0.1", "127.0.0.1");
  ASSERT_TRUE(member);
  (*member)->start_reading(sent);
  Link early(*this, 1, 2);
  Link late(*this, 2, 4);
  frames.add(late);
  frames.add(early);
  const OutgoingFrame outgoing = frame(3);
  EXPECT_FALSE(frames.has_begun({.frame = 3, .epoch = 1}));
  const auto kept = frames.begin(outgoing, late);
  ASSERT_TRUE(kept);
  EXPECT_EQ(frames.begin(outgoing, early), kept);
  EXPECT_TRUE(frames.has_begun({.frame = 3, .epoch = 1}));
  EXPECT_TRUE(frames.busy());
  frames.pump();
  ASSERT_TRUE(run_until(loop, [&] { return told == 1; }));
  EXPECT_FALSE(frames.busy());
  EXPECT_TRUE(kept->all_sent);
  EXPECT_EQ(begin_of(*kept).base, 1U);
  EXPECT_EQ(kept->held.versions.front(), 6U);
  EXPECT_EQ(kept->symbols.count(), 5U) << "four units and the messages' heads";

  ASSERT_TRUE(run_until(loop, [&] { return sent.headers.size() == kept->symbols.count(); }));
  for (size_t i = 0; i < sent.headers.size(); ++i) {
    EXPECT_EQ(sent.headers[i].secret, frames.invitation().secret);
    EXPECT_EQ(sent.headers[i].number, i + 1);
    EXPECT_EQ(sent.headers[i].stream, kGroupStream);
  }
}

TEST_F(MulticastFramesTest, AMemberThatHasNothingNeedsItsOwnFrames) {
  Link ready(*this, 1, 2);
  Link empty(*this, 0, 0);
  frames.add(ready);
  frames.add(empty);
  EXPECT_EQ(frames.begin(frame(3), ready), nullptr);
  frames.remove(empty);
  EXPECT_NE(frames.begin(frame(4), ready), nullptr);
}

TEST_F(MulticastFramesTest, AFrameIsOnlyForThoseThatWereMembersWhenItBegan) {
  Link first(*this, 1, 2);
  Link second(*this, 1, 2);
  frames.add(first);
  const OutgoingFrame outgoing = frame(2);
  EXPECT_NE(frames.begin(outgoing, first), nullptr);
  frames.add(second);
  EXPECT_EQ(frames.begin(outgoing, second), nullptr);
  EXPECT_EQ(frames.begin(frame(3), second), nullptr) << "the frame before is not sent yet";
}

TEST_F(MulticastFramesTest, AFrameUsesTheMemoryOfOneThatNoLinkNeeds) {
  Link link(*this, 1, 2);
  frames.add(link);
  const auto sent = [&](uint64_t number) {
    const int before = told;
    auto kept = frames.begin(frame(number), link);
    frames.pump();
    EXPECT_TRUE(run_until(loop, [&] { return told > before; }));
    return kept;
  };
  auto second = sent(2);
  ASSERT_TRUE(second);
  const KeptFrame* const memory = second.get();
  const auto third = sent(3);
  EXPECT_NE(third.get(), memory) << "the link still needs the frame before";
  second.reset();
  const auto fourth = sent(4);
  EXPECT_EQ(fourth.get(), memory);
  EXPECT_EQ(fourth->name.frame, 4U);
  EXPECT_TRUE(fourth->all_sent);
  EXPECT_EQ(fourth->symbols.count(), 5U);
  EXPECT_EQ(third->name.frame, 3U);
  EXPECT_FALSE(third->messages.empty());
}

TEST_F(MulticastFramesTest, EachStartHasNewSecretsAndForgetsTheFrame) {
  Link link(*this, 1, 2);
  frames.add(link);
  EXPECT_NE(frames.begin(frame(2), link), nullptr);
  frames.remove(link);
  const uint64_t secret = frames.invitation().secret;
  ASSERT_TRUE(frames.start());
  EXPECT_NE(frames.invitation().secret, secret);
  EXPECT_EQ(frames.invitation().group, parse_ip(group.host));
  EXPECT_FALSE(frames.has_begun({.frame = 2, .epoch = 1}));
  EXPECT_EQ(frames.frame(), nullptr);
}

TEST_F(MulticastFramesTest, AnInterfaceThatIsNotHereIsTold) {
  MulticastFrames elsewhere(
      loop, clock, log,
      {.stream = kGroupStream, .group = group, .here = "192.0.2.1", .symbol_bytes = 1000}, [] {});
  EXPECT_FALSE(elsewhere.start());
}

}  // namespace
}  // namespace sail
