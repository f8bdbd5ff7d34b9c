// Frames over UDP, from sail_submit to receivers that lose packets.
#include <algorithm>
#include <set>

#include "sail/core/text/limits.h"
#include "sail/core/wire/stats.h"
#include "tests/support/environment_variable.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

class UdpTest : public ApplicationTest {
 protected:
  UdpTest() {
    // Enough time even on a busy machine.
    delay_ms = kMaxDelayMs;
    wall.run([this] {
      manager->transport = Transport::kUdp;
      manager->first_routes = {left->route({{0, 0, kLargeColumns, kLargeRows}})};
      left->behaviour.frames_in_flight = 32;
    });
  }

  PacketBehaviour& packets() { return left->behaviour.packets; }
  std::vector<std::pair<int, int>> all_blocks() const {
    std::vector<std::pair<int, int>> blocks;
    for (int row = 0; row < kLargeRows; ++row) {
      for (int column = 0; column < kLargeColumns; ++column) blocks.emplace_back(row, column);
    }
    return blocks;
  }
  // Submits the frame, and waits until it is the receiver's frame number `index`.
  void expect_arrives(int seed, size_t index) {
    ASSERT_EQ(submit(seed), SAIL_OK);
    ASSERT_TRUE(wait_frames(*left, index + 1));
    expect_blocks(frame_of(*left, index), seed, all_blocks());
  }
  // Packets of the newest connection.
  std::vector<SeenPacket> seen() {
    return wall.run([this] { return left->packets().seen; });
  }
  void expect_no_mistakes() {
    for (const std::string& mistake : wall.run([this] { return left->packets().mistakes; })) {
      ADD_FAILURE() << mistake;
    }
  }
  // The statistics of the only link, once the condition holds.
  template <class Condition>
  std::optional<LinkStats> link_stats(const Condition& condition) {
    const bool held = wall.wait([&] {
      return !manager->stats.empty() && !manager->stats.back().links.empty() &&
             condition(manager->stats.back().links[0]);
    });
    if (!held) return std::nullopt;
    return wall.run([this] { return manager->stats.back().links[0]; });
  }
};

TEST_F(UdpTest, FramesArriveAsTheyAre) {
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 5; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  const auto opened = wall.run([this] { return left->opened; });
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0].symbol_bytes, symbol_bytes_for(kDefaultMtu));
  EXPECT_GT(seen().size(), 5 * kGroupSymbols);
  EXPECT_TRUE(wall.wait([this] { return stats().frames_shown == 5; }));
  EXPECT_GT(stats().bytes_sent, uint64_t{5} * kLargeFrame.width * kLargeFrame.height / 2);
  expect_no_mistakes();
}

// Set before any thread starts and reset after all have ended.
class ProtectedAlways {
  const ::test::EnvironmentVariable always_{"VITRAIL_TLS", "always"};
};
class SealedUdpTest : private ProtectedAlways, public UdpTest {};

TEST_F(SealedUdpTest, SealedFramesArriveAsTheyAre) {
  wall.run([this] {
    packets().loses = [](const SeenPacket& packet) {
      return !packet.packet.repeat && packet.packet.symbol % 7 == 3;
    };
  });
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 5; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  const auto opened = wall.run([this] { return left->opened; });
  EXPECT_TRUE(opened.at(0).sealed);
  EXPECT_EQ(opened[0].symbol_bytes, symbol_bytes_for(kDefaultMtu) - kPacketTagBytes);
  size_t longest = 0;
  for (const SeenPacket& packet : seen()) longest = std::max(longest, packet.bytes);
  EXPECT_EQ(longest, size_t{kDefaultMtu} - kDatagramHeaderBytes);
  expect_no_mistakes();
}

// Forged feedback has no effect: its packet numbers and counters are ignored.
TEST_F(SealedUdpTest, ForgedFeedbackIsNotHeard) {
  wall.run([this] { packets().forges = true; });
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 5; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  const auto link =
      link_stats([](const LinkStats& figures) { return figures.counters.packets_arrived > 1000; });
  ASSERT_TRUE(link);
  EXPECT_EQ(link->counters.packets_lost, 0U);
  expect_no_mistakes();
}

// The connection may stall for longer than frames last.
TEST_F(UdpTest, WhatIsSaidOfFramesGoesByPacketsToo) {
  wall.run([this] {
    left->behaviour.reports_ready = true;
    left->behaviour.says_by_packets = true;
  });
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  ASSERT_TRUE(wall.wait([this] { return manager->epochs_ready.size() == 1; }));
  wall.run([this] {
    manager->notify("take_effect",
                    to_json(TakeEffect{.stream = 5, .epoch = 1, .frame = 1, .at_ns = 1}));
  });
  for (int seed = 2; seed <= 3; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  EXPECT_TRUE(wall.wait([this] { return stats().frames_shown == 3; }));
  // In both directions, and packets carry each message more than once.
  EXPECT_TRUE(
      wall.wait([this] { return left->shows.size() >= 3 && left->shows_by_packets.size() >= 6; }));
  wall.run([this] {
    for (const FrameShow& show : left->shows_by_packets) {
      EXPECT_TRUE(std::ranges::any_of(left->shows, [&](const FrameShow& other) {
        return other.frame == show.frame && other.epoch == show.epoch && other.at_ns == show.at_ns;
      }));
    }
  });
  expect_no_mistakes();
}

// Without data in flight on the connection, nothing would tell that a cable was pulled.
TEST_F(UdpTest, TheConnectionIsAskedForAcknowledgementsWhileAFrameIsOutstanding) {
  wall.run([this] { left->behaviour.reports_ready = true; });
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  ASSERT_TRUE(wall.wait([this] { return manager->epochs_ready.size() == 1; }));
  wall.run([this] {
    left->behaviour.reports = false;
    manager->notify("take_effect",
                    to_json(TakeEffect{.stream = 5, .epoch = 1, .frame = 1, .at_ns = 1}));
  });
  expect_arrives(2, 1);
  const auto is_asked = [this] {
    return std::ranges::count(left->shows, 2U, &FrameShow::frame) >= 2;
  };
  EXPECT_TRUE(wall.wait(is_asked));
  expect_no_mistakes();
}

TEST_F(UdpTest, PacketsAreAsLongAsThePathTakes) {
  wall.run([this] { manager->mtu = 9000; });
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  size_t longest = 0;
  for (const SeenPacket& packet : seen()) longest = std::max(longest, packet.bytes);
  EXPECT_EQ(longest, 9000U - kDatagramHeaderBytes);
}

TEST_F(UdpTest, LostPacketsAreSentAgain) {
  wall.run([this] {
    packets().loses = [](const SeenPacket& packet) {
      return !packet.packet.repeat && (packet.packet.symbol % 7 == 3 || packet.packet.last);
    };
  });
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 3; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  const std::vector<SeenPacket> all = seen();
  const auto repeats = std::count_if(all.begin(), all.end(),
                                     [](const SeenPacket& packet) { return packet.packet.repeat; });
  EXPECT_GT(repeats, 3 * 40);
  const auto link = link_stats(
      [&](const LinkStats& figures) { return figures.packets_retransmitted >= uint64_t(repeats); });
  ASSERT_TRUE(link);
  EXPECT_EQ(link->transport, Transport::kUdp);
  EXPECT_GE(link->packets_sent, all.size());
  EXPECT_GT(link->rtt_ms, 0);
  expect_no_mistakes();
}

TEST_F(UdpTest, WhatIsSentAgainIsSentAgainWhenThatIsLost) {
  wall.run([this] {
    packets().loses = [count = 0](const SeenPacket& packet) mutable {
      return packet.packet.symbol % 50 == 5 && ++count % 4 != 0;
    };
  });
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 3; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  expect_no_mistakes();
}

TEST_F(UdpTest, ParityMends) {
  wall.run([this] {
    packets().asks = false;
    packets().mends = true;
    packets().loses = [this](const SeenPacket& packet) {
      const bool protected_group =
          packet.header.type == PacketType::kSource && packet.packet.parity > 0;
      return protected_group && packet.packet.symbol % kGroupSymbols == 40;
    };
  });
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  // After a reported loss FEC is on.
  wall.run([this] { packets().lost = 20; });
  for (int seed = 2; seed <= 6; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  std::set<uint32_t> sources;
  for (const SeenPacket& packet : seen()) {
    if (packet.header.type == PacketType::kParity) sources.insert(packet.packet.sources);
    EXPECT_FALSE(packet.packet.repeat);
  }
  // Complete FEC blocks, and a frame's remainder.
  EXPECT_TRUE(sources.contains(kGroupSymbols));
  EXPECT_GE(sources.size(), 2U);
  const auto mended = [](const LinkStats& figures) { return figures.counters.mended_fec > 0; };
  ASSERT_TRUE(link_stats(mended));
  // Count during sending: without losses FEC ends, and on a busy machine frames take longer than
  // that.
  const bool reported = wall.run([this] {
    return std::ranges::any_of(manager->stats, [](const StreamStats& stats) {
      return !stats.links.empty() && stats.links[0].fec_pct > 0;
    });
  });
  EXPECT_TRUE(reported);
  expect_no_mistakes();
}

// --- frames that are lost -----------------------------------------------------------------------

// Frames of one colour except for one block, so that most blocks are left out.
class UdpBaseTest : public UdpTest {
 protected:
  void submit_with_block(int frame) {
    std::vector<uint8_t> pixels(size_t{4} * kLargeFrame.width * kLargeFrame.height, 0x60);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 128; ++x) {
        const size_t at = 4 * (static_cast<size_t>(y) * kLargeFrame.width + static_cast<size_t>(x) +
                               static_cast<size_t>(frame % kLargeColumns) * 128);
        pixels[at] = static_cast<uint8_t>(16 * frame);
      }
    }
    const sail_frame plain = bgra_frame(pixels, kLargeFrame);
    ASSERT_EQ(sail_submit(stream, &plain, nullptr), SAIL_OK);
  }
};

TEST_F(UdpBaseTest, ALostFrameCostsNoOther) {
  wall.run([this] {
    packets().asks = false;
    packets().gives_up = true;
    packets().loses = [](const SeenPacket& packet) {
      return packet.packet.name.frame == 3 && packet.packet.symbol == 0;
    };
  });
  open_stream(false, kLargeFrame);
  for (const int frame : {1, 2}) {
    submit_with_block(frame);
    ASSERT_TRUE(wait_frames(*left, static_cast<size_t>(frame)));
  }
  // Waits until the sender knows that the frame is complete.
  ASSERT_TRUE(wall.wait([this] { return stats().frames_shown == 2; }));
  submit_with_block(3);
  // All packets are lost; only the probe reveals the frame.
  ASSERT_TRUE(wall.wait([this] {
    const std::vector<Probe>& probes = left->packets().probes;
    return !probes.empty() && probes.back().name.frame == 3 && probes.back().whole;
  }));
  submit_with_block(4);
  ASSERT_TRUE(wait_frames(*left, 3));
  const ReceivedFrame fourth = frame_of(*left, 2);
  EXPECT_EQ(fourth.begin.frame, 4U);
  EXPECT_EQ(fourth.begin.base, 2U);
  // Only blocks that differ from the base because of frame 3 are sent again.
  EXPECT_EQ(fourth.came, (std::set<std::pair<int, int>>{{0, 2}, {0, 3}, {0, 4}}));
  EXPECT_EQ(fourth.blocks.size(), size_t{kLargeColumns} * kLargeRows);
  ASSERT_TRUE(wall.wait([this] { return stats().frames_dropped == 1; }));
  EXPECT_TRUE(wall.wait([this] {
    return !manager->stats.empty() && manager->stats.back().dropped == DropCounts{.lost = 1};
  }));
  expect_no_mistakes();
}

TEST_F(UdpBaseTest, AFrameOfWhichNothingCameIsLost) {
  wall.run([this] {
    packets().heeds_probes = false;
    packets().loses = [](const SeenPacket& packet) { return packet.packet.name.frame == 2; };
  });
  open_stream(false, kLargeFrame);
  submit_with_block(1);
  ASSERT_TRUE(wait_frames(*left, 1));
  submit_with_block(2);
  ASSERT_TRUE(wall.wait([this] {
    const std::vector<Probe>& probes = left->packets().probes;
    return !probes.empty() && probes.back().name.frame == 2 && probes.back().whole;
  }));
  // The receiver did not get the report, and reports only the next frame.
  submit_with_block(3);
  ASSERT_TRUE(wall.wait([this] { return stats().frames_in_flight == 0; }));
  EXPECT_EQ(stats().frames_shown, 2U);
  EXPECT_TRUE(wall.wait([this] {
    return !manager->stats.empty() && manager->stats.back().dropped == DropCounts{.lost = 1};
  }));
  EXPECT_EQ(wall.run([this] { return left->connections; }), 1);
}

TEST_F(UdpBaseTest, FramesBuildOnWhatIsKnownToBeWhole) {
  open_stream(false, kLargeFrame);
  for (int frame = 1; frame <= 5; ++frame) {
    submit_with_block(frame);
    ASSERT_TRUE(wait_frames(*left, static_cast<size_t>(frame)));
    ASSERT_TRUE(wall.wait([&] { return stats().frames_shown == static_cast<uint64_t>(frame); }));
  }
  for (size_t index = 1; index < 5; ++index) {
    const ReceivedFrame frame = frame_of(*left, index);
    EXPECT_EQ(frame.begin.base, index);
    EXPECT_EQ(frame.came.size(), 2U);
  }
}

TEST_F(UdpBaseTest, AFrameThatCannotBeUsedIsFollowedByAWholeOne) {
  open_stream(false, kLargeFrame);
  submit_with_block(1);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] { left->behaviour.reports = false; });
  submit_with_block(2);
  ASSERT_TRUE(wait_frames(*left, 2));
  wall.run([this] {
    left->send(encode(5, FrameReport{.frame = 2,
                                     .epoch = 1,
                                     .outcome = FrameOutcome::kDropped,
                                     .cause = DropCause::kIncomplete}));
  });
  ASSERT_TRUE(wall.wait([this] { return stats().frames_dropped == 1; }));
  submit_with_block(3);
  ASSERT_TRUE(wait_frames(*left, 3));
  EXPECT_EQ(frame_of(*left, 2).begin.base, 0U);
  EXPECT_EQ(frame_of(*left, 2).came.size(), size_t{kLargeColumns} * kLargeRows);
}

TEST_F(UdpBaseTest, TheLastFrameIsAskedForAgainWhenItWasLost) {
  wall.run([this] { left->behaviour.reports = false; });
  open_stream(false, kLargeFrame);
  submit_with_block(1);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] {
    left->send(encode(
        5,
        FrameReport{
            .frame = 1, .epoch = 1, .outcome = FrameOutcome::kDropped, .cause = DropCause::kLost}));
  });
  EXPECT_TRUE(next_event(SAIL_EVENT_REFRESH));
}

// --- layouts ------------------------------------------------------------------------------------

TEST_F(UdpTest, AChangedLayoutSendsTheLastFrameAgain) {
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  wall.run([this] { manager->send_routes(5, 2, {0, 0, 10, 10}, {left->route({{0, 0, 2, 2}})}); });
  ASSERT_TRUE(wait_frames(*left, 2));
  const ReceivedFrame again = frame_of(*left, 1);
  EXPECT_EQ(again.begin.frame, 1U);
  EXPECT_EQ(again.begin.epoch, 2U);
  EXPECT_EQ(again.begin.base, 1U);
  EXPECT_TRUE(again.came.empty());  // the receiver has all blocks
}

// --- the stream's delay -------------------------------------------------------------------------

TEST_F(UdpTest, TheDelayIsWhatTheApplicationWants) {
  delay_ms = 250;
  open_stream(false, kLargeFrame);
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_EQ(frame_of(*left, 0).begin.delay_us, 250'000U);
}

TEST_F(UdpTest, TheDelayIsChosenByTheLink) {
  delay_ms = 0;
  wall.run([this] { packets().jitter_us = 50'000; });
  open_stream(false, kLargeFrame);
  // A first probe has measured the jitter.
  ASSERT_TRUE(link_stats([](const LinkStats& link) { return link.jitter_ms > 0; }));
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  const uint32_t delay_us = frame_of(*left, 0).begin.delay_us;
  EXPECT_GT(delay_us, 4 * 50'000U);
  EXPECT_LE(delay_us, kMaxDelayMs * 1000U);
  EXPECT_TRUE(wall.wait([&] { return manager->stats.back().delay_ms * 1000 >= delay_us; }));
}

TEST_F(UdpTest, AsManyFramesAreInFlightAsTheDelayAsksFor) {
  delay_ms = 500;
  wall.run([this] { left->behaviour.reports = false; });
  open_stream(false, kLargeFrame);
  size_t admitted = 0;
  while (admitted < 100 && submit(static_cast<int>(admitted + 1)) == SAIL_OK) {
    ASSERT_TRUE(wait_frames(*left, ++admitted));
  }
  EXPECT_GT(admitted, 8U) << "how many: StreamPaceTest; a slow machine gives some up meanwhile";
}

TEST_F(UdpTest, OverTcpThereIsNoDelay) {
  delay_ms = 0;
  wall.run([this] { manager->transport = Transport::kTcp; });
  open_stream(false, kLargeFrame);
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_EQ(frame_of(*left, 0).begin.delay_us, 0U);
  EXPECT_EQ(wall.run([this] { return left->opened[0].symbol_bytes; }), 0U);
  const auto link = link_stats([](const LinkStats& figures) { return figures.bytes_sent > 0; });
  ASSERT_TRUE(link);
  EXPECT_EQ(link->transport, Transport::kTcp);
  EXPECT_EQ(link->receiver, "left");
}

// --- receivers that fail ------------------------------------------------------------------------

TEST_F(UdpTest, NonsenseAskedForIsHarmless) {
  wall.run([this] {
    packets().nonsense = {{.name = {.frame = 77, .epoch = 1}, .first = 0, .count = 5},
                          {.name = {.frame = 1, .epoch = 9}, .first = 0, .count = 5},
                          {.name = {}, .first = 0, .count = 5},
                          {.name = {.frame = 1, .epoch = 1}, .first = 0, .count = kMaxSymbols},
                          {.name = {.frame = 2, .epoch = 1}, .first = kMaxSymbols - 1, .count = 1}};
  });
  open_stream(false, kLargeFrame);
  for (int seed = 1; seed <= 3; ++seed) expect_arrives(seed, static_cast<size_t>(seed - 1));
  expect_no_mistakes();
}

TEST_F(UdpTest, FeedbackWithAWrongSecretIsIgnored) {
  wall.run([this] {
    packets().secret_error = 1;
    packets().loses = [](const SeenPacket& packet) {
      return !packet.packet.repeat && packet.packet.symbol == 3;
    };
  });
  open_stream(false, kLargeFrame);
  ASSERT_EQ(submit(1), SAIL_OK);
  // Feedback with a wrong secret is ignored: the receiver times out; the next connection works.
  ASSERT_TRUE(wall.wait([this] { return !left->closes.empty(); }));
  EXPECT_EQ(wall.run([this] { return left->closes[0].reason; }), CloseReason::kTimeout);
  EXPECT_EQ(wall.run([this] { return left->frames.size(); }), 0U);
  wall.run([this] { packets().secret_error = 0; });
  ASSERT_TRUE(wait_frames(*left, 1));
  expect_blocks(frame_of(*left, 0), 1, all_blocks());
  EXPECT_EQ(wall.run([this] { return left->connections; }), 2);
}

TEST_F(UdpTest, AReceiverThatComesBackGetsTheLastFrame) {
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  wall.run([this] { left->drop_connections(); });
  ASSERT_TRUE(wait_frames(*left, 2));
  EXPECT_EQ(frame_of(*left, 1).begin.base, 0U);
  expect_blocks(frame_of(*left, 1), 1, all_blocks());
  expect_arrives(2, 2);
}

TEST_F(UdpTest, IdleLinksAreProbed) {
  open_stream(false, kLargeFrame);
  expect_arrives(1, 0);
  const size_t before = wall.run([this] { return left->packets().probes.size(); });
  ASSERT_TRUE(wall.wait([&] { return left->packets().probes.size() >= before + 3; }));
  const Probe probe = wall.run([this] { return left->packets().probes.back(); });
  EXPECT_EQ(probe.name, (FrameName{.frame = 1, .epoch = 1}));
  EXPECT_TRUE(probe.whole);
  EXPECT_EQ(probe.symbols, seen().back().packet.symbol + 1);
}

}  // namespace
}  // namespace sail
