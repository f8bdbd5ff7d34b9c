#include "receiver/intake/frame_reassembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "sail/core/time/clock.h"
#include "tests/unit/receiver/intake/packet_peer.h"

namespace receiver {
namespace {

using sail::kMillisecondNs;

using sail::FrameName;
using sail::Missing;
using sail::PacketType;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr size_t kSymbolBytes = 16;
constexpr uint32_t kMaxSymbolsHere = 1000;
constexpr FrameReassembler::Limits kLimits{.symbol_bytes = kSymbolBytes,
                                           .symbols = kMaxSymbolsHere,
                                           .frames = 8,
                                           .store_bytes = size_t{1} << 20};

std::vector<uint8_t> noise(size_t bytes, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> noise(bytes);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  return noise;
}

struct NameOrder {
  bool operator()(const FrameName& a, const FrameName& b) const {
    return std::tie(a.frame, a.epoch) < std::tie(b.frame, b.epoch);
  }
};

// Stores delivered frames, and checks that frames are not mixed.
class Collector final : public FrameReassembler::Sink {
 public:
  std::optional<sail::DataError> frame_begins(size_t under_way) override {
    if (under_way < kLimits.frames) return std::nullopt;
    return sail::DataError{sail::CloseReason::kLimit, "too many frames"};
  }
  std::optional<sail::DataError> frame_bytes(const FrameName& name,
                                             std::span<const uint8_t> bytes) override {
    EXPECT_FALSE(bytes.empty());
    if (current_ != name) {
      EXPECT_EQ(current_, FrameName{}) << "the frame before is not over";
      current_ = name;
      if (reassembler != nullptr) reassembler->set_deadline(deadline_ns);
    }
    last_place = bytes.data();
    std::vector<uint8_t>& all = frames[name];
    all.insert(all.end(), bytes.begin(), bytes.end());
    return error;
  }
  std::optional<sail::DataError> frame_complete(const FrameName& name) override {
    EXPECT_EQ(current_, name);
    current_ = {};
    complete.push_back(name);
    return error;
  }
  std::optional<sail::DataError> frame_lost(const FrameName& name) override {
    EXPECT_TRUE(current_ == name || current_ == FrameName{});
    current_ = {};
    lost.push_back(name);
    return error;
  }

  FrameReassembler* reassembler = nullptr;
  int64_t deadline_ns = 0;
  std::map<FrameName, std::vector<uint8_t>, NameOrder> frames;
  std::vector<FrameName> complete;
  std::vector<FrameName> lost;
  const uint8_t* last_place = nullptr;
  std::optional<sail::DataError> error;

 private:
  FrameName current_;
};

class FrameReassemblerTest : public testing::Test {
 protected:
  FrameReassemblerTest() {
    sink_.reassembler = &reassembler_;
    sink_.deadline_ns = 1000 * kMillisecondNs;
  }
  std::optional<sail::DataError> try_packet(const TestPacket& packet) {
    return reassembler_.on_packet(packet.type, packet.packet, packet.bytes, now_ns_);
  }
  void take(const TestPacket& packet) {
    const auto error = try_packet(packet);
    EXPECT_FALSE(error) << error->text;
  }
  void probe(const FrameName& name, uint32_t symbols, bool whole) {
    const auto error =
        reassembler_.on_probe({.name = name, .symbols = symbols, .whole = whole}, now_ns_);
    EXPECT_FALSE(error) << error->text;
  }
  void pass_ms(int64_t ms) {
    now_ns_ += ms * kMillisecondNs;
    const auto error = reassembler_.on_time(now_ns_);
    EXPECT_FALSE(error) << error->text;
  }
  // Retransmission requests for gaps that are old enough.
  std::vector<Missing> missing(size_t most = sail::kMaxMissing) {
    std::vector<Missing> missing;
    reassembler_.name_missing(now_ns_, most, missing);
    return missing;
  }
  std::vector<Missing> missing_soon() {
    pass_ms(2);
    pass_ms(2);
    return missing();
  }

  Collector sink_;
  FrameReassembler reassembler_{sink_, kLimits};
  int64_t now_ns_ = kMillisecondNs;
};

// A frame's symbols, the last one shorter, and access to its packets by index.
struct Sent {
  Sent(const FrameName& its_name, uint32_t symbols, uint8_t parity = 0)
      : name(its_name),
        bytes(noise(symbols * kSymbolBytes - 5, static_cast<uint32_t>(name.frame))),
        packets(frame_packets(name, bytes, kSymbolBytes, parity)) {}
  const TestPacket& operator[](size_t place) const { return packets[place]; }
  TestPacket again(size_t place) const {
    TestPacket packet = packets[place];
    packet.packet.repeat = true;
    return packet;
  }

  FrameName name;
  std::vector<uint8_t> bytes;
  std::vector<TestPacket> packets;
};

constexpr FrameName kFirst{1, 1};
constexpr FrameName kSecond{2, 1};
constexpr FrameName kThird{3, 1};

TEST_F(FrameReassemblerTest, WhatComesInOrderIsDeliveredOutOfItsPacket) {
  const Sent frame(kFirst, 200);
  for (const TestPacket& packet : frame.packets) {
    take(packet);
    EXPECT_EQ(sink_.last_place, packet.bytes.data());
  }
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst));
  EXPECT_EQ(sink_.frames[kFirst], frame.bytes);
  EXPECT_FALSE(reassembler_.unfinished());
}

TEST_F(FrameReassemblerTest, AnyOrderGivesTheSameBytes) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Sent frame({seed, 1}, 1 + seed * 13, static_cast<uint8_t>(seed % 3));
    std::shuffle(frame.packets.begin(), frame.packets.end(), std::mt19937(seed));
    for (const TestPacket& packet : frame.packets) take(packet);
    EXPECT_EQ(sink_.frames[frame.name], frame.bytes) << seed;
    EXPECT_EQ(sink_.complete.size(), seed);
  }
}

TEST_F(FrameReassemblerTest, FramesFollowOneAnother) {
  const Sent first(kFirst, 3);
  const Sent second(kSecond, 3);
  const Sent third(kThird, 1);
  take(first[0]);
  take(third[0]);
  for (const TestPacket& packet : second.packets) take(packet);
  EXPECT_THAT(sink_.complete, IsEmpty());
  take(first[2]);
  take(first[1]);
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst, kSecond, kThird));
  EXPECT_EQ(sink_.frames[kSecond], second.bytes);
}

TEST_F(FrameReassemblerTest, SameFrameAgainForANewLayoutIsAnother) {
  const Sent first({7, 1}, 2);
  const Sent again({7, 2}, 3);
  for (const TestPacket& packet : first.packets) take(packet);
  for (const TestPacket& packet : again.packets) take(packet);
  EXPECT_THAT(sink_.complete, ElementsAre(FrameName{7, 1}, FrameName{7, 2}));
}

// --- retransmission requests --------------------------------------------------------------------

TEST_F(FrameReassemblerTest, GapIsMissingWhenItIsOlderThanReordering) {
  const Sent frame(kFirst, 100);
  take(frame[0]);
  take(frame[3]);
  take(frame[5]);
  EXPECT_THAT(missing(), IsEmpty());
  EXPECT_FALSE(reassembler_.anything_new_missing(now_ns_));
  pass_ms(2);
  EXPECT_TRUE(reassembler_.anything_new_missing(now_ns_));
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 1, 2}));
  EXPECT_FALSE(reassembler_.anything_new_missing(now_ns_));
  pass_ms(2);
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 4, 1})) << "only what was not asked for";
  pass_ms(FrameReassembler::kAskAgainNs / kMillisecondNs - 4);
  EXPECT_THAT(missing(), IsEmpty()) << "the second was asked for just now";
  pass_ms(FrameReassembler::kAskAgainNs / kMillisecondNs);
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 1, 2}, Missing{kFirst, 4, 1}));
  take(frame.again(1));
  take(frame.again(4));
  pass_ms(10);
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 2, 1}));
  take(frame.again(2));
  EXPECT_EQ(reassembler_.counters().mended_retransmit, 3U);
  EXPECT_THAT(missing_soon(), IsEmpty());
}

TEST_F(FrameReassemblerTest, GapIsMissingAfterEnoughPackets) {
  const Sent frame(kFirst, 100);
  take(frame[1]);
  for (size_t i = 2; i <= FrameReassembler::kReorderedPackets; ++i) take(frame[i]);
  EXPECT_THAT(missing(), IsEmpty());
  take(frame[FrameReassembler::kReorderedPackets + 1]);
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 0, 1}));
}

TEST_F(FrameReassemblerTest, AsMuchIsAskedForAsThereIsRoomFor) {
  const Sent frame(kFirst, 300);
  for (size_t i = 1; i < 300; i += 2) take(frame[i]);
  pass_ms(2);
  std::vector<Missing> ranges;
  reassembler_.name_missing(now_ns_, 40, ranges);
  ASSERT_EQ(ranges.size(), 40U);
  EXPECT_EQ(ranges.back(), (Missing{kFirst, 78, 1}));
  reassembler_.name_missing(now_ns_, 40, ranges);
  EXPECT_EQ(ranges.front(), (Missing{kFirst, 80, 1}));
  EXPECT_EQ(ranges.back(), (Missing{kFirst, 158, 1}));
}

TEST_F(FrameReassemblerTest, LostTailIsMissingWhenALaterFrameBegins) {
  const Sent first(kFirst, 10);
  const Sent second(kSecond, 5);
  for (size_t i = 0; i < 8; ++i) take(first[i]);
  EXPECT_THAT(missing_soon(), IsEmpty());
  take(second[0]);
  EXPECT_THAT(missing_soon(), ElementsAre(Missing{kFirst, 8, kMaxSymbolsHere - 8}))
      << "to its end, wherever that is";
  take(first.again(9));
  take(first.again(8));
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst));
}

TEST_F(FrameReassemblerTest, ProbeTellsWhatWasSent) {
  const Sent first(kFirst, 10);
  const Sent second(kSecond, 4);
  for (size_t i = 0; i < 8; ++i) take(first[i]);
  probe({}, 0, false);
  EXPECT_THAT(missing(), IsEmpty());
  probe(kFirst, 9, false);
  EXPECT_THAT(missing(), ElementsAre(Missing{kFirst, 8, 1}));
  probe(kSecond, 4, true);
  EXPECT_THAT(missing(),
              ElementsAre(Missing{kFirst, 9, kMaxSymbolsHere - 9}, Missing{kSecond, 0, 4}));
  take(first.again(8));
  take(first.again(9));
  for (size_t i = 0; i < 4; ++i) take(second.again(i));
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst, kSecond));
  probe(kSecond, 4, true);
  EXPECT_FALSE(reassembler_.unfinished());
}

// --- FEC ----------------------------------------------------------------------------------------

TEST_F(FrameReassemblerTest, ParityMendsAnyLossesOfAGroup) {
  for (uint32_t seed = 1; seed <= 30; ++seed) {
    const uint32_t symbols = 1 + seed * 17 % 300;
    Sent frame({seed, 1}, symbols, 4);
    // Loses four packets of each FEC block, source or repair, and shuffles the others.
    std::mt19937 random(seed);
    std::vector<TestPacket> left;
    for (uint32_t group = 0; group <= (symbols - 1) / sail::kGroupSymbols; ++group) {
      std::vector<TestPacket> packets;
      std::ranges::copy_if(frame.packets, std::back_inserter(packets), [&](const auto& packet) {
        return packet.packet.symbol / sail::kGroupSymbols == group;
      });
      std::shuffle(packets.begin(), packets.end(), random);
      left.insert(left.end(), packets.begin() + 4, packets.end());
    }
    for (const TestPacket& packet : left) take(packet);
    ASSERT_EQ(sink_.complete.size(), seed);
    EXPECT_EQ(sink_.frames[frame.name], frame.bytes);
  }
  EXPECT_GT(reassembler_.counters().mended_fec, 30U);
}

TEST_F(FrameReassemblerTest, ParityThatIsNotNeededIsNotLate) {
  const Sent frame(kFirst, 10, 3);
  for (const TestPacket& packet : frame.packets) take(packet);
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst));
  EXPECT_EQ(reassembler_.counters().late, 0U);
  EXPECT_EQ(reassembler_.counters().mended_fec, 0U);
}

TEST_F(FrameReassemblerTest, NothingIsAskedForWhileParityIsUnderWay) {
  const Sent frame(kFirst, 150, 2);
  for (size_t i = 0; i < sail::kGroupSymbols; ++i) {
    if (i < 10 || i > 12) take(frame[i]);
  }
  EXPECT_THAT(missing_soon(), IsEmpty());
  for (size_t i = 98; i < 110; ++i) take(frame[i]);
  EXPECT_THAT(missing_soon(), ElementsAre(Missing{kFirst, 10, 3})) << "it did not come";
  take(frame[96]);
  take(frame.again(11));
  EXPECT_EQ(reassembler_.counters().mended_fec, 0U);
  take(frame[97]);
  EXPECT_EQ(reassembler_.counters().mended_fec, 2U);
}

// --- giving up ----------------------------------------------------------------------------------

TEST_F(FrameReassemblerTest, FrameThatIsNotWholeInTimeIsGivenUpWhole) {
  const Sent first(kFirst, 10);
  const Sent second(kSecond, 3);
  sink_.deadline_ns = now_ns_ + 30 * kMillisecondNs;
  for (size_t i = 0; i < 10; ++i) {
    if (i != 4) take(first[i]);
  }
  for (const TestPacket& packet : second.packets) take(packet);
  pass_ms(29);
  EXPECT_THAT(sink_.lost, IsEmpty());
  pass_ms(1);
  EXPECT_THAT(sink_.lost, ElementsAre(kFirst));
  EXPECT_THAT(sink_.complete, ElementsAre(kSecond));
  EXPECT_EQ(sink_.frames[kSecond], second.bytes);
  take(first.again(4));
  EXPECT_EQ(reassembler_.counters().late, 1U);
  EXPECT_EQ(reassembler_.counters().frames_lost, 1U);
}

TEST_F(FrameReassemblerTest, LateFrameThatGoesOnIsNotGivenUp) {
  const Sent frame(kFirst, 20);
  sink_.deadline_ns = now_ns_;
  for (const TestPacket& packet : frame.packets) {
    take(packet);
    pass_ms(10);
  }
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst));
}

TEST_F(FrameReassemblerTest, FrameOfWhichNothingMoreComesIsGivenUp) {
  const Sent frame(kFirst, 20);
  sink_.deadline_ns = now_ns_;
  take(frame[0]);
  pass_ms(FrameReassembler::kSilenceNs / 1'000'000 - 1);
  EXPECT_TRUE(reassembler_.unfinished());
  pass_ms(1);
  EXPECT_FALSE(reassembler_.unfinished());
  EXPECT_THAT(sink_.lost, ElementsAre(kFirst));
}

TEST_F(FrameReassemblerTest, FrameWhoseBeginIsMissingGetsAsMuchTimeAsTheOneBefore) {
  const Sent first(kFirst, 2);
  const Sent second(kSecond, 3);
  sink_.deadline_ns = now_ns_ + 40 * kMillisecondNs;
  for (const TestPacket& packet : first.packets) take(packet);
  pass_ms(100);
  take(second[1]);
  pass_ms(39);
  EXPECT_THAT(sink_.lost, IsEmpty());
  pass_ms(1);
  EXPECT_THAT(sink_.lost, ElementsAre(kSecond));
  EXPECT_EQ(sink_.frames.count(kSecond), 0U) << "nothing of it was delivered";
}

TEST_F(FrameReassemblerTest, FrameFirstHeardOfWhenALaterOneWasBegunIsLate) {
  const Sent first(kFirst, 1);
  const Sent second(kSecond, 2);
  const Sent third(kThird, 2);
  take(second[0]);
  take(first[0]);
  EXPECT_EQ(reassembler_.counters().late, 1U);
  take(second[1]);
  EXPECT_THAT(sink_.complete, ElementsAre(kSecond));
  // No part of the later frame was delivered yet.
  const Sent fourth({4, 1}, 1);
  const Sent fifth({5, 1}, 2);
  take(fifth[1]);
  take(fourth[0]);
  take(fifth[0]);
  EXPECT_THAT(sink_.complete, ElementsAre(kSecond, fourth.name, fifth.name));
}

// --- limits -------------------------------------------------------------------------------------

TEST_F(FrameReassemblerTest, FramesThatTheSinkDoesNotLetBeginEndTheConnection) {
  for (uint64_t number = 1; number <= kLimits.frames; ++number) {
    take(Sent({number, 1}, 3)[1]);
  }
  const auto error = try_packet(Sent({kLimits.frames + 1, 1}, 3)[1]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, sail::CloseReason::kLimit);
  // A completed frame makes room.
  const Sent first(kFirst, 3);
  take(first[0]);
  take(first[2]);
  EXPECT_THAT(sink_.complete, ElementsAre(kFirst));
  take(Sent({20, 1}, 3)[1]);
}

TEST(FrameReassembler, PacketsBeyondTheMemoryAreAsIfTheyHadNotCome) {
  Collector sink;
  FrameReassembler::Limits limits = kLimits;
  limits.store_bytes = 2 * sail::kGroupSymbols * kSymbolBytes;
  FrameReassembler reassembler(sink, limits);
  const Sent frame(kFirst, 300);
  const auto take = [&](size_t i) {
    EXPECT_FALSE(reassembler.on_packet(PacketType::kSource, frame[i].packet, frame[i].bytes,
                                       kMillisecondNs));
  };
  for (size_t i = 1; i < 300; ++i) take(i);
  EXPECT_EQ(reassembler.counters().no_room, 300U - 2 * sail::kGroupSymbols);
  take(0);
  EXPECT_EQ(sink.frames[kFirst].size(), 2 * sail::kGroupSymbols * kSymbolBytes);
  std::vector<Missing> missing;
  EXPECT_FALSE(reassembler.on_time(5 * kMillisecondNs));
  reassembler.name_missing(10 * kMillisecondNs, 40, missing);
  EXPECT_THAT(missing, ElementsAre(Missing{kFirst, 192, 108}));
  for (size_t i = 192; i < 300; ++i) take(i);
  EXPECT_EQ(sink.frames[kFirst], frame.bytes);
}

// --- contradictions -----------------------------------------------------------------------------

TEST_F(FrameReassemblerTest, ContradictionsEndTheConnection) {
  const auto source = [](const FrameName& name, uint32_t symbol, bool last,
                         size_t bytes = kSymbolBytes) {
    return TestPacket{.packet = {.name = name, .symbol = symbol, .last = last},
                      .bytes = std::vector<uint8_t>(bytes)};
  };
  const auto parity = [](uint32_t symbol, uint8_t sources, bool last, uint16_t tail,
                         size_t bytes = kSymbolBytes) {
    return TestPacket{.type = PacketType::kParity,
                      .packet = {.name = kSecond,
                                 .symbol = symbol,
                                 .parity = 2,
                                 .tail_bytes = tail,
                                 .sources = sources,
                                 .last = last},
                      .bytes = std::vector<uint8_t>(bytes)};
  };
  const std::vector<std::pair<const char*, std::vector<TestPacket>>> cases{
      {"two ends", {source(kSecond, 5, true), source(kSecond, 6, true)}},
      {"a symbol behind the end", {source(kSecond, 5, true), source(kSecond, 6, false)}},
      {"an end before what came", {source(kSecond, 5, false), source(kSecond, 4, true)}},
      {"the end is none", {source(kSecond, 5, true), source(kSecond, 5, false)}},
      {"ends of two lengths", {source(kSecond, 5, true, 3), source(kSecond, 5, true, 4)}},
      {"too many symbols", {source(kSecond, kMaxSymbolsHere, false)}},
      {"a small group that is not the last", {parity(0, 50, false, kSymbolBytes)}},
      {"a short symbol in the middle", {parity(0, 96, false, kSymbolBytes - 1)}},
      {"parity of two sizes", {parity(0, 5, true, 3), parity(0, 6, true, 3)}},
      {"parity of two tails", {parity(0, 5, true, 3), parity(0, 5, true, 4)}},
      {"parity behind the end", {source(kSecond, 5, true), parity(96, 5, true, 3)}},
      {"parity and end", {parity(0, 5, true, 3), source(kSecond, 5, true, 3)}},
      {"parity of a group that has none", {source(kSecond, 3, false), parity(0, 5, true, 3)}},
      {"no parity of a group that has some", {parity(0, 5, true, 3), source(kSecond, 3, false)}},
      {"a group that is the last and is not",
       {parity(0, 96, true, kSymbolBytes), parity(0, 96, false, kSymbolBytes)}},
  };
  for (const auto& [what, packets] : cases) {
    Collector sink;
    FrameReassembler reassembler(sink, kLimits);
    std::optional<sail::DataError> error;
    for (const TestPacket& packet : packets) {
      EXPECT_FALSE(error) << what << ": too early";
      error = reassembler.on_packet(packet.type, packet.packet, packet.bytes, kMillisecondNs);
    }
    ASSERT_TRUE(error) << what;
    EXPECT_EQ(error->reason, sail::CloseReason::kBadMessage) << what;
  }
  take(source(kSecond, 5, true));
  EXPECT_TRUE(reassembler_.on_probe({.name = kSecond, .symbols = 7, .whole = false}, now_ns_));
  EXPECT_TRUE(reassembler_.on_probe({.name = kSecond, .symbols = 5, .whole = true}, now_ns_));
}

TEST_F(FrameReassemblerTest, WhatTheSinkRefusesIsTheConnectionsEnd) {
  sink_.error = sail::DataError{sail::CloseReason::kLimit, "no more"};
  const auto error = try_packet(Sent(kFirst, 2)[0]);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, sail::CloseReason::kLimit);
}

// --- any network --------------------------------------------------------------------------------

struct Network {
  double loss = 0;
  double duplicates = 0;
  int64_t jitter_ns = 0;
  uint8_t parity = 0;
  int64_t wait_timeout_ns = 0;  // of a frame, from its first packet
};

// Sends frames through a network that loses, duplicates and reorders packets, and answers
// retransmission requests. Checks that each frame arrives bit-exact, or is given up as a whole.
class AnyNetwork {
 public:
  AnyNetwork(const Network& network, uint32_t seed) : network_(network), random_(seed) {
    sink_.reassembler = &reassembler_;
  }
  void run(uint64_t frames) {
    int64_t send_ns = kStep;
    uint64_t epoch = 1;
    for (uint64_t number = 1; number <= frames; ++number) {
      if (random_() % 10 == 0) ++epoch;
      sent_.emplace_back(FrameName{number, epoch}, 1 + random_() % 250, network_.parity);
      for (const TestPacket& packet : sent_.back().packets) {
        transmit(packet, send_ns);
        send_ns += kStep;
      }
      run_until(send_ns);
      transmit_probe(sent_.back(), send_ns + 5 * kMillisecondNs);
      send_ns += 10 * kMillisecondNs;
      run_until(send_ns);
    }
    for (int i = 0; i < 400 && reassembler_.unfinished(); ++i) {
      transmit_probe(sent_.back(), send_ns);
      run_until(send_ns += 10 * kMillisecondNs);
    }
    EXPECT_FALSE(reassembler_.unfinished());
  }
  void check() {
    for (const Sent& frame : sent_) {
      const auto complete = std::ranges::count(sink_.complete, frame.name);
      const auto lost = std::ranges::count(sink_.lost, frame.name);
      EXPECT_LE(complete + lost, 1);
      const auto& bytes = sink_.frames[frame.name];
      if (complete == 1) {
        EXPECT_EQ(bytes, frame.bytes) << "frame " << frame.name.frame;
      } else {
        ASSERT_LE(bytes.size(), frame.bytes.size());
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), frame.bytes.begin()));
      }
    }
    const auto in_order = [](const FrameName& a, const FrameName& b) { return a.frame < b.frame; };
    EXPECT_TRUE(std::ranges::is_sorted(sink_.complete, in_order));
    EXPECT_EQ(reassembler_.counters().frames_lost, sink_.lost.size());
    EXPECT_EQ(reassembler_.counters().no_room, 0U);
  }
  size_t complete() const { return sink_.complete.size(); }
  const FrameReassembler::Counters& counters() const { return reassembler_.counters(); }

 private:
  static constexpr int64_t kStep = 50'000;
  static constexpr int64_t kWayNs = 5 * kMillisecondNs;
  struct Arrival {
    TestPacket packet;
    std::optional<sail::Probe> probe;
  };

  bool chance(double part) { return std::uniform_real_distribution<double>(0, 1)(random_) < part; }
  int64_t way_ns() {
    return kWayNs +
           (network_.jitter_ns == 0 ? 0 : static_cast<int64_t>(random_()) % network_.jitter_ns);
  }
  void transmit(const TestPacket& packet, int64_t at_ns) {
    if (chance(network_.loss)) return;
    arrivals_.emplace(at_ns + way_ns(), Arrival{packet, {}});
    // A duplicate with a new packet number; packets with a repeated number never get this far.
    if (chance(network_.duplicates)) arrivals_.emplace(at_ns + 3 * way_ns(), Arrival{packet, {}});
  }
  void transmit_probe(const Sent& frame, int64_t at_ns) {
    if (chance(network_.loss)) return;
    arrivals_.emplace(
        at_ns + way_ns(),
        Arrival{{},
                sail::Probe{.name = frame.name,
                            .symbols = frame.packets.back().packet.symbol +
                                       std::max<uint32_t>(1, frame.packets.back().packet.sources),
                            .whole = true}});
  }
  void run_until(int64_t end_ns) {
    for (; now_ns_ < end_ns; now_ns_ += kMillisecondNs) {
      while (!arrivals_.empty() && arrivals_.begin()->first <= now_ns_) {
        const Arrival arrival = std::move(arrivals_.extract(arrivals_.begin()).mapped());
        take(arrival);
      }
      const auto error = reassembler_.on_time(now_ns_);
      ASSERT_FALSE(error) << error->text;
      if (now_ns_ / kMillisecondNs % 4 == 0) answer();
    }
  }
  void take(const Arrival& arrival) {
    sink_.deadline_ns = now_ns_ + network_.wait_timeout_ns;
    const TestPacket& packet = arrival.packet;
    const auto error =
        arrival.probe ? reassembler_.on_probe(*arrival.probe, now_ns_)
                      : reassembler_.on_packet(packet.type, packet.packet, packet.bytes, now_ns_);
    ASSERT_FALSE(error) << error->text;
  }
  void answer() {
    std::vector<Missing> missing;
    reassembler_.name_missing(now_ns_, sail::kMaxMissing, missing);
    if (chance(network_.loss)) return;
    for (const Missing& range : missing) {
      const auto frame = std::ranges::find(sent_, range.name, &Sent::name);
      ASSERT_NE(frame, sent_.end());
      for (const TestPacket& packet : frame->packets) {
        const uint32_t symbol = packet.packet.symbol;
        if (packet.type != PacketType::kSource || symbol < range.first ||
            symbol >= range.first + range.count) {
          continue;
        }
        TestPacket again = packet;
        again.packet.repeat = true;
        transmit(again, now_ns_ + kWayNs);
      }
    }
  }

  const Network network_;
  std::mt19937 random_;
  std::vector<Sent> sent_;
  Collector sink_;
  FrameReassembler reassembler_{sink_, kLimits};
  int64_t now_ns_ = 0;
  std::multimap<int64_t, Arrival> arrivals_;
};

TEST(FrameReassembler, PatienceMakesEveryFrameWhole) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    AnyNetwork network({.loss = 0.05,
                        .duplicates = 0.01,
                        .jitter_ns = seed % 2 == 0 ? 4 * kMillisecondNs : 0,
                        .parity = static_cast<uint8_t>(seed % 4 * 3),
                        .wait_timeout_ns = 2000 * kMillisecondNs},
                       seed);
    network.run(40);
    network.check();
    // A small frame can be lost without a trace: all packets, and the probe.
    EXPECT_GE(network.complete(), 39U) << seed;
    const FrameReassembler::Counters& counters = network.counters();
    EXPECT_GT(seed % 4 == 0 ? counters.mended_retransmit : counters.mended_fec, 0U);
  }
}

TEST(FrameReassembler, ImpatienceGivesUpFramesWhole) {
  for (uint32_t seed = 1; seed <= 10; ++seed) {
    AnyNetwork network({.loss = 0.3,
                        .duplicates = 0.05,
                        .jitter_ns = 20 * kMillisecondNs,
                        .parity = static_cast<uint8_t>(seed % 2 * 20),
                        .wait_timeout_ns = 25 * kMillisecondNs},
                       seed);
    network.run(60);
    network.check();
    EXPECT_GT(network.counters().frames_lost, 0U);
  }
}

}  // namespace
}  // namespace receiver
