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
    double loss() const override { return lossy ? 0.01 : 0; }
    void limit_reached() override {}

    // The receiver has this frame of the group.
    void receive(const KeptFrame& frame) {
      KeptFrame own;
      own.name = frame.name;
      own.held = frame.held;
      base_.set_received(own);
    }

    bool lossy = false;

   private:
    FrameBase base_;
    PacketLink link_;
  };

  MulticastFramesTest() { EXPECT_TRUE(frames.start()); }

  // A frame with the units 1 to `units`.
  OutgoingFrame frame(uint64_t number, uint64_t units = 6) {
    UnitChain chain;
    for (uint64_t unit = 1; unit <= units; ++unit) {
      chain.units.push_back({.number = unit, .key = unit == 1, .bytes = unit_bytes});
    }
    FrameRef encoded = pool.take();
    encoded->begin(number, 1, wanted, true);
    encoded->set_units(chain, 2);
    return {.frame = std::move(encoded), .plan = plan, .epoch = 1, .interval_ns = kMillisecondNs};
  }
  // Sends a frame to the group.
  std::shared_ptr<KeptFrame> sent(const Link& member, const OutgoingFrame& outgoing) {
    const int before = told;
    auto kept = frames.begin(outgoing, member);
    EXPECT_TRUE(kept);
    frames.pump();
    EXPECT_TRUE(run_until(loop, [&] { return told > before; }));
    return kept;
  }
  // Sends a frame with one unit more than the frame before. Returns the frame on which it builds.
  uint64_t base_of_sent(const Link& member, uint64_t number) {
    return begin_of(*sent(member, frame(number, number))).base;
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
  auto second = sent(link, frame(2));
  ASSERT_TRUE(second);
  const KeptFrame* const memory = second.get();
  const auto third = sent(link, frame(3));
  EXPECT_NE(third.get(), memory) << "the link still needs the frame before";
  second.reset();
  const auto fourth = sent(link, frame(4));
  EXPECT_EQ(fourth.get(), memory);
  EXPECT_EQ(fourth->name.frame, 4U);
  EXPECT_TRUE(fourth->all_sent);
  EXPECT_EQ(fourth->symbols.count(), 5U);
  EXPECT_EQ(third->name.frame, 3U);
  EXPECT_FALSE(third->messages.empty());
}

TEST_F(MulticastFramesTest, UnitsOfWhichNobodyHasToldYetAreNotSentAgain) {
  Link one(*this, 1, 1);
  Link other(*this, 1, 1);
  frames.add(one);
  frames.add(other);
  std::shared_ptr<KeptFrame> before;
  for (uint64_t number = 2; number <= 9; ++number) {
    const auto kept = sent(one, frame(number, number));
    EXPECT_EQ(begin_of(*kept).base, number - 1);
    EXPECT_EQ(kept->symbols.count(), 2U) << "one unit and the messages' heads";
    for (Link* link : {&one, &other}) {
      if (before) link->receive(*before);
    }
    before = kept;
  }
}

// Every other frame is complete in itself for the member, by the link's repetition alone.
TEST_F(MulticastFramesTest, AMemberThatGetsNothingIsNeverMoreThanOneFrameAway) {
  Link hears(*this, 1, 1);
  Link deaf(*this, 1, 1);
  frames.add(hears);
  frames.add(deaf);
  for (uint64_t number = 2; number <= 9; ++number) {
    const auto kept = sent(hears, frame(number, number));
    EXPECT_EQ(begin_of(*kept).base, number % 2 == 0 ? 1 : number - 1) << number;
    hears.receive(*kept);
  }
  frames.remove(deaf);
  EXPECT_EQ(base_of_sent(hears, 10), 9U);
}

TEST_F(MulticastFramesTest, WhileAMemberLosesPacketsAFrameBuildsOnWhatItHas) {
  Link one(*this, 1, 1);
  Link lossy(*this, 1, 1);
  frames.add(one);
  frames.add(lossy);
  lossy.lossy = true;
  EXPECT_EQ(base_of_sent(one, 2), 1U);
  EXPECT_EQ(base_of_sent(one, 3), 1U);
  lossy.lossy = false;
  EXPECT_EQ(base_of_sent(one, 4), 3U);
}

TEST_F(MulticastFramesTest, AFrameDoesNotBuildOnOneThatALateMemberWasNotSent) {
  Link first(*this, 1, 1);
  frames.add(first);
  EXPECT_EQ(base_of_sent(first, 2), 1U);
  Link late(*this, 1, 1);
  frames.add(late);
  EXPECT_EQ(base_of_sent(first, 3), 1U);
  EXPECT_EQ(base_of_sent(first, 4), 3U);
}

TEST_F(MulticastFramesTest, AFrameBuildsOnOneThatMembersGotAloneSince) {
  Link link(*this, 1, 1);
  frames.add(link);
  const auto second = sent(link, frame(2, 2));
  KeptFrame alone;
  alone.name = {.frame = 3, .epoch = 1};
  alone.held = second->held;
  link.receive(alone);
  EXPECT_EQ(base_of_sent(link, 4), 3U);
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
