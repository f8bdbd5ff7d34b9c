// Frames of a carried stream to a multicast group, on loopback.
#include "sail/client/transport/multicast_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "sail/core/socket/udp.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/access_units.h"
#include "tests/support/loop_test.h"

namespace sail {
namespace {

constexpr uint32_t kGroupStream = 7;
const Address kTestGroup{"239.77.4.1", 17456};
const BlockGrid kFilmGrid({64, 64}, {64, 64});
// Of a frame's messages, without its units.
constexpr size_t kHeadBytes =
    kFrameBeginBytes + kDataHeaderBytes + block_run_bytes(1) + kUnitsHeadBytes + kFrameEndBytes;

class SentPackets : public UdpReader {
 public:
  void on_datagrams(std::span<const Datagram> datagrams) override {
    for (const Datagram& datagram : datagrams) {
      const auto header = decode_packet_header(datagram.bytes);
      ASSERT_TRUE(header);
      headers.push_back(*header);
      bytes += datagram.bytes.size();
    }
  }
  std::vector<PacketHeader> headers;
  size_t bytes = 0;
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
    bool loses_nothing() const override { return !lossy; }
    void limit_reached() override {}
    void repeat_alone(std::span<const uint8_t> message) override {
      alone.emplace_back(message.begin(), message.end());
    }

    // This message was repeated to the receiver alone, and no other.
    bool got_alone(std::span<const uint8_t> message) const {
      return alone.size() == 1 && std::ranges::equal(alone.front(), message);
    }

    bool lossy = false;
    std::vector<std::vector<uint8_t>> alone;  // messages

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
  static FrameBegin begin_of(const KeptFrame& frame) {
    const auto begin = decode_frame_begin(frame.messages.parts().front().subspan(
        kDataHeaderBytes, kFrameBeginBytes - kDataHeaderBytes));
    EXPECT_TRUE(begin);
    return begin.value_or(FrameBegin{});
  }

  Loop loop;
  const WallClock clock;
  const Log log{"test", LogLevel::kOff};
  const std::vector<uint8_t> unit_bytes = std::vector<uint8_t>(1000, 7);
  const std::shared_ptr<const WantedBlocks> wanted = std::make_shared<const WantedBlocks>(
      WantedBlocks{.reduction = 0, .grid = kFilmGrid, .blocks = {true}});
  const std::shared_ptr<const ReceiverPlan> plan = std::make_shared<const ReceiverPlan>(
      "left", Address{"127.0.0.1", 9}, std::vector<ReceiverPlan::Run>{{0, 0, 1}}, 0, kFilmGrid,
      Scaling::kFrame);
  FramePool pool{kFilmGrid, 8, [](int, int) { return size_t{0}; }};
  int told = 0;
  MulticastFrames frames{
      loop,
      clock,
      log,
      {.stream = kGroupStream, .group = kTestGroup, .here = "127.0.0.1", .symbol_bytes = 1000},
      [this] { ++told; }};
};

TEST_F(MulticastFramesTest, AFrameGoesOnceToAllAndBuildsOnWhatAllHave) {
  SentPackets sent;
  auto member = UdpSocket::join_group(loop, kTestGroup, "127.0.0.1", "127.0.0.1");
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
  link.lossy = true;
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

TEST_F(MulticastFramesTest, WhileNobodyLosesAnythingNoUnitIsSentTwice) {
  Link one(*this, 1, 2);
  Link other(*this, 1, 2);
  frames.add(one);
  frames.add(other);
  EXPECT_EQ(begin_of(*sent(one, frame(2, 4))).base, 1U);
  const auto third = sent(one, frame(3, 5));
  EXPECT_EQ(begin_of(*third).base, 2U) << "though nobody is known to have it";
  EXPECT_EQ(third->messages.bytes(), kHeadBytes + unit_bytes.size());

  other.lossy = true;
  const auto fourth = sent(one, frame(4, 6));
  EXPECT_EQ(begin_of(*fourth).base, 1U) << "what all are known to have";
  EXPECT_EQ(fourth->messages.bytes(), kHeadBytes + 4 * unit_bytes.size());
  other.lossy = false;
  EXPECT_EQ(begin_of(*sent(one, frame(5))).base, 4U);
  frames.note_lost_frame();
  EXPECT_EQ(begin_of(*sent(one, frame(6))).base, 1U);
  EXPECT_EQ(begin_of(*sent(one, frame(7))).base, 6U);
}

TEST_F(MulticastFramesTest, AFrameDoesNotBuildOnOneThatAMemberWasNotSent) {
  Link first(*this, 1, 2);
  frames.add(first);
  sent(first, frame(2));
  Link later(*this, 1, 2);
  frames.add(later);
  EXPECT_EQ(begin_of(*sent(first, frame(3))).base, 1U);
  EXPECT_EQ(begin_of(*sent(first, frame(4))).base, 3U);
}

TEST_F(MulticastFramesTest, EightMembersCostTheBytesOfOne) {
  constexpr size_t kFrames = 10;
  SentPackets packets;
  auto socket = UdpSocket::join_group(loop, kTestGroup, "127.0.0.1", "127.0.0.1");
  ASSERT_TRUE(socket);
  (*socket)->start_reading(packets);
  std::vector<std::unique_ptr<Link>> members;
  for (int i = 0; i < 8; ++i) {
    frames.add(*members.emplace_back(std::make_unique<Link>(*this, 1, 1)));
  }
  size_t shown_bytes = 0;
  for (size_t i = 0; i < kFrames; ++i) {
    const uint64_t number = 2 + i;
    const OutgoingFrame outgoing = frame(number, number);
    sent(*members.front(), outgoing);
    const auto show = encode(kGroupStream, FrameShow{.frame = number, .epoch = 1});
    for (const auto& member : members) frames.repeat_message(*member, show);
    shown_bytes += kPacketHeaderBytes + std::min(i + 1, RepeatedMessages::kKept) * show.size();
  }
  // A frame has two symbols: a unit, and the messages' heads.
  const size_t frame_bytes = kHeadBytes + unit_bytes.size() + 2 * kFramePacketBytes;
  ASSERT_TRUE(run_until(loop, [&] { return packets.headers.size() == 3 * kFrames; }));
  EXPECT_EQ(packets.bytes, kFrames * frame_bytes + shown_bytes);
}

TEST_F(MulticastFramesTest, AMessageIsForAllThatLoseNothing) {
  SentPackets packets;
  auto socket = UdpSocket::join_group(loop, kTestGroup, "127.0.0.1", "127.0.0.1");
  ASSERT_TRUE(socket);
  (*socket)->start_reading(packets);
  Link one(*this, 1, 2);
  Link other(*this, 1, 2);
  Link lossy(*this, 1, 2);
  lossy.lossy = true;
  for (Link* link : {&one, &other, &lossy}) frames.add(*link);
  const auto first = encode(kGroupStream, FrameShow{.frame = 1, .epoch = 1});
  frames.repeat_message(one, first);
  const auto next = encode(kGroupStream, FrameShow{.frame = 2, .epoch = 1});
  frames.repeat_message(one, next);
  EXPECT_TRUE(one.got_alone(first)) << "before the next one";
  frames.repeat_message(other, next);
  ASSERT_TRUE(run_until(loop, [&] { return !packets.headers.empty(); }));
  EXPECT_EQ(one.alone.size(), 1U);
  EXPECT_TRUE(other.alone.empty());
  EXPECT_EQ(packets.headers.size(), 1U);
  EXPECT_EQ(packets.headers[0].type, PacketType::kMessages);
  EXPECT_EQ(packets.bytes, kPacketHeaderBytes + next.size()) << "the first was not for both";
}

TEST_F(MulticastFramesTest, AMessageForSomeGoesToEachOfThemAlone) {
  std::array<Link, 4> links{Link(*this, 1, 2), Link(*this, 1, 2), Link(*this, 1, 2),
                            Link(*this, 1, 2)};
  for (Link& link : links) frames.add(link);
  const auto show = encode(kGroupStream, FrameShow{.frame = 1, .epoch = 1});
  for (size_t i = 0; i < 3; ++i) frames.repeat_message(links[i], show);
  frames.remove(links[2]);
  ASSERT_TRUE(run_until(loop, [&] { return !links[1].alone.empty(); }));
  EXPECT_TRUE(links[0].got_alone(show));
  EXPECT_TRUE(links[1].got_alone(show));
  EXPECT_TRUE(links[2].alone.empty()) << "it has left";
  EXPECT_TRUE(links[3].alone.empty());
}

TEST_F(MulticastFramesTest, OneProbeDoesForAllThatWait) {
  SentPackets packets;
  auto socket = UdpSocket::join_group(loop, kTestGroup, "127.0.0.1", "127.0.0.1");
  ASSERT_TRUE(socket);
  (*socket)->start_reading(packets);
  const int64_t now_ns = frames.sent_at_ns() + kSecondNs;
  frames.probe_when_due(now_ns);
  frames.probe_when_due(now_ns + kMillisecondNs);
  EXPECT_EQ(frames.sent_at_ns(), now_ns);
  frames.test();
  ASSERT_TRUE(run_until(loop, [&] { return packets.headers.size() >= 2; }));
  EXPECT_EQ(packets.headers.size(), 2U) << "the other one is the test";
}

TEST_F(MulticastFramesTest, EachStartHasNewSecretsAndForgetsTheFrame) {
  Link link(*this, 1, 2);
  frames.add(link);
  EXPECT_NE(frames.begin(frame(2), link), nullptr);
  frames.remove(link);
  const uint64_t secret = frames.invitation().secret;
  ASSERT_TRUE(frames.start());
  EXPECT_NE(frames.invitation().secret, secret);
  EXPECT_EQ(frames.invitation().group, parse_ip(kTestGroup.host));
  EXPECT_FALSE(frames.has_begun({.frame = 2, .epoch = 1}));
  EXPECT_EQ(frames.frame(), nullptr);
}

TEST_F(MulticastFramesTest, AnInterfaceThatIsNotHereIsTold) {
  MulticastFrames elsewhere(
      loop, clock, log,
      {.stream = kGroupStream, .group = kTestGroup, .here = "192.0.2.1", .symbol_bytes = 1000},
      [] {});
  EXPECT_FALSE(elsewhere.start());
}

}  // namespace
}  // namespace sail
