#include "receiver/intake/data_plane.h"

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "codecs/picture/second_stage.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/receiver/frame/frames.h"
#include "tests/unit/receiver/intake/data_plane_fixture.h"

namespace receiver {
namespace {

using sail::CloseReason;
using sail::DataType;

TEST_F(DataPlaneTest, FrameComesThroughToTheReport) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  const auto accept = sail::decode_stream_accept(peer->messages()[0].body);
  ASSERT_TRUE(accept);
  EXPECT_EQ(accept->frames_in_flight, FrameAssembler::kFramesInFlight);

  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}, 77);
  ASSERT_TRUE(run_until([&] { return !ready_.empty(); }));
  EXPECT_EQ(ready_[0], (std::pair{kStream, FrameKey{1, 1}}));
  auto frame = data_.frames().take(kStream, {1, 1});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->block(1, 1)[0], 77);
  EXPECT_GT(frame->assembled_ns(), 0);
  show(std::move(frame));
  ASSERT_TRUE(run_until([&] { return !peer->reports().empty(); }));
  EXPECT_EQ(peer->reports()[0].outcome, sail::FrameOutcome::kShown);
  EXPECT_EQ(peer->reports()[0].frame, 1U);
  EXPECT_EQ(data_.frames().counters().frames_shown, 1U);
  EXPECT_GT(data_.counters().bytes_received, 4U * 1024);
}

TEST_F(DataPlaneTest, DroppedFramesAreReportedWithTheirCause) {
  data_.prepare(scene_of({kStream}));
  data_.commit(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  peer->send_frame(kStream, {1, 2}, kGrid, {{0, 0}}, 1);
  std::vector<uint8_t> incomplete = frame_bytes(kStream, {1, 3}, 2, {});
  peer->send(incomplete);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2 && peer->reports().size() == 1; }));
  EXPECT_EQ(peer->reports()[0].frame, 3U);
  EXPECT_EQ(peer->reports()[0].cause, sail::DropCause::kIncomplete);

  auto frame = data_.frames().take(kStream, {1, 2});
  ASSERT_TRUE(run_until([&] { return peer->reports().size() == 2; }));
  EXPECT_EQ(peer->reports()[1].frame, 1U);
  EXPECT_EQ(peer->reports()[1].cause, sail::DropCause::kSuperseded);
  show(std::move(frame));

  // A layout without a frame of its map: frames waiting from before will never be shown.
  peer->send_frame(kStream, {1, 4}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 3; }));
  data_.prepare(scene_of({kStream}, 5));
  data_.commit(scene_of({kStream}, 5));
  data_.frames().end_former_epochs();
  ASSERT_TRUE(run_until([&] { return peer->reports().size() == 4; }));
  EXPECT_EQ(peer->reports()[3].frame, 4U);
  EXPECT_EQ(peer->reports()[3].cause, sail::DropCause::kOldEpoch);
}

constexpr sail::StreamCodec kHtj2k{.id = codecs::CodecId::kHtj2k};

// The messages of a frame with all its blocks.
std::vector<uint8_t> all_blocks(const TestFrame& frame, const FrameKey& key, uint64_t base = 0) {
  std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
  for (uint16_t row = 0; row < 2; ++row) {
    for (uint16_t column = 0; column < 2; ++column) {
      runs.emplace_back(sail::BlockRun{key.number, row, column, 1}, frame.block(column, row));
    }
  }
  return frame_bytes(kStream, key, 4, runs, base);
}

TEST_F(DataPlaneTest, Jpeg2000IsReadyWhenItIsDecoded) {
  std::mt19937 random(1);
  const TestFrame first = j2k_frame(kGrid, random);
  const TestFrame second = j2k_frame(kGrid, random);
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream, kHtj2k);
  peer->send(all_blocks(first, {1, 1}));
  peer->send(all_blocks(second, {1, 2}, 1));
  peer->send(frame_bytes(kStream, {1, 3}, 0, {}, 2));
  ASSERT_TRUE(run_until([&] { return ready_.size() == 3; }));
  EXPECT_EQ(data_.frames().counters().blocks_decoded, 8U);
  for (uint64_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(ready_[number - 1].second, (FrameKey{1, number})) << "in order";
    auto frame = data_.frames().take(kStream, {1, number});
    ASSERT_TRUE(frame);
    const TestFrame& sent = number == 1 ? first : second;
    for (int y = 0; y < 32; ++y) {
      EXPECT_TRUE(std::equal(sent.picture.at(64, 32 + y), sent.picture.at(64, 32 + y) + 64 * 4,
                             frame->plain(1, 1) + y * 64 * 4));
    }
    show(std::move(frame));
  }
}

TEST_F(DataPlaneTest, ABridgeGetsWholeFramesUndecoded) {
  std::mt19937 random(1);
  const TestFrame sent = j2k_frame(kGrid, random);
  int whole = 0;
  DataPlane bridge(loop_,
                   {.on_show = [](uint32_t, const sail::FrameShow&) {},
                    .on_due = [](std::unique_ptr<Frame>) {},
                    .on_snapshot = [](uint64_t, int64_t) {},
                    .on_sound = [](uint32_t, const sail::Sound&) {},
                    .to_wall_ns = [](int64_t steady_ns) { return steady_ns; }},
                   log_, {.on_whole = [&](const Frame& frame) {
                     ++whole;
                     EXPECT_TRUE(std::ranges::equal(frame.block(1, 1), sent.block(1, 1)));
                     EXPECT_EQ(frame.plain(1, 1), nullptr);
                   }});
  const auto port = bridge.listen({"127.0.0.1", 0});
  ASSERT_TRUE(port);
  bridge.prepare(scene_of({kStream}));
  DataPeer peer(loop_, {"127.0.0.1", *port});
  int ready = 0;
  peer.on_ready = [&](uint32_t, const FrameKey&) { ++ready; };
  peer.open(kStream, open_message(kSecret, kHtj2k));
  ASSERT_TRUE(run_until([&] { return peer.accepted(); }));
  peer.send(all_blocks(sent, {1, 1}));
  ASSERT_TRUE(run_until([&] { return ready == 1; }));
  EXPECT_EQ(whole, 1);
  EXPECT_EQ(bridge.frames().counters().frames_decoded, 0U);
}

TEST_F(DataPlaneTest, UnreadableJpeg2000IsCountedAndTheStreamGoesOn) {
  std::mt19937 random(2);
  const TestFrame good = j2k_frame(kGrid, random);
  TestFrame bad = j2k_frame(kGrid, random);
  bad.blocks[1].resize(17);
  bad.blocks[2].assign(300, 0xee);
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream, kHtj2k);
  peer->send(all_blocks(good, {1, 1}));
  peer->send(all_blocks(bad, {1, 2}, 1));
  peer->send(frame_bytes(kStream, {1, 3}, 0, {}, 2));
  ASSERT_TRUE(run_until([&] { return ready_.size() == 3; }));
  EXPECT_EQ(data_.frames().counters().blocks_decoded, 6U);
  EXPECT_EQ(data_.frames().counters().blocks_concealed, 2U) << "not again for the third frame";
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
  auto frame = data_.frames().take(kStream, {1, 3});
  ASSERT_TRUE(frame);
  EXPECT_TRUE(
      std::equal(good.picture.at(64, 0), good.picture.at(64, 0) + 64 * 4, frame->plain(1, 0)));
  EXPECT_TRUE(std::equal(bad.picture.at(0, 0), bad.picture.at(0, 0) + 64 * 4, frame->plain(0, 0)));
}

class DataPlaneLog : public DataPlaneTest {
 protected:
  DataPlaneLog() : DataPlaneTest(60000, MemoryBudget::usual_bytes(), sail::LogLevel::kWarning) {}

  static size_t count_of(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  }
};

TEST_F(DataPlaneLog, TellsOnceAStreamWhyBlocksAreConcealed) {
  std::mt19937 random(2);
  const TestFrame other_size = j2k_frame({kGrid.frame_size(), {48, 32}}, random);
  data_.prepare(scene_of({kStream, kGoodStream}));
  testing::internal::CaptureStderr();
  for (const uint32_t stream : {kStream, kGoodStream}) {
    const auto peer = connect_stream(stream, kHtj2k);
    ready_.clear();
    for (uint64_t number = 1; number <= 3; ++number) {
      std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>> runs;
      runs.push_back({{number, 0, 0, 1}, other_size.blocks[0]});
      peer->send(frame_bytes(stream, {1, number}, 1, runs));
      ASSERT_TRUE(run_until([&] { return ready_.size() == number; }));
    }
  }
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_EQ(data_.frames().counters().blocks_concealed, 6U);
  const std::string why =
      "cannot be shown: one is a codestream that has 48×32 pixels instead of 64×32";
  EXPECT_EQ(count_of(log, why), 2U) << log;
  EXPECT_EQ(count_of(log, "cannot be shown"), 2U) << log;
}

std::vector<uint8_t> black_block() {
  return std::vector<uint8_t>(block_bytes(kGrid, 0, 0), 0);
}

// As with JPEG 2000: concealment does not depend on the codec.
TEST_F(DataPlaneTest, BlocksThatCannotBeDecompressedAreConcealedAndCounted) {
  constexpr sail::BlockRun kRun{1, 0, 0, 1};
  for (const codecs::Compression compression :
       {codecs::Compression::kLz4, codecs::Compression::kZstd}) {
    const sail::StreamCodec codec{.compression = compression};
    data_.prepare(scene_of({kStream}));
    const auto peer = connect_stream(kStream, codec);
    const uint64_t concealed = data_.frames().counters().blocks_concealed;
    ready_.clear();

    std::vector<uint8_t> smaller = black_block();
    const std::vector<uint8_t> plain = smaller;
    smaller.resize(codecs::make_second_stage(compression)->compress(plain, smaller));
    ASSERT_GT(smaller.size(), 0U);
    const std::vector<uint8_t> noise(plain.size(), 0xa7);  // sent uncompressed
    peer->send(frame_bytes(kStream, {1, 1}, 2, {{kRun, smaller}, {{1, 0, 1, 1}, noise}}));
    peer->send(frame_bytes(kStream, {1, 2}, 3,
                           {{{2, 0, 0, 1}, std::vector<uint8_t>(9, 0xee)},
                            {{2, 0, 1, 1}, std::vector<uint8_t>(7, 0xee)},
                            {{2, 1, 0, 1}, std::vector<uint8_t>(5, 0xee)}},
                           1));
    ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
    auto frame = data_.frames().take(kStream, {1, 2});
    ASSERT_TRUE(frame);
    EXPECT_TRUE(std::equal(plain.begin(), plain.end(), frame->plain(0, 0)));
    EXPECT_TRUE(std::equal(noise.begin(), noise.end(), frame->plain(1, 0)));
    EXPECT_EQ(frame->plain(0, 1), nullptr) << "there was nothing before";
    show(std::move(frame));
    EXPECT_EQ(data_.frames().counters().blocks_concealed, concealed + 3);
    EXPECT_FALSE(peer->ended());
    data_.commit(scene_of({}));
  }
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
}

// Frames that wait to be decoded, and the frame being decoded, become useless. How far the decoder
// gets in the meantime is random.
TEST_F(DataPlaneTest, Jpeg2000OfNoUseIsDropped) {
  std::mt19937 random(3);
  const TestFrame frame = j2k_frame(kGrid, random);
  data_.prepare(scene_of({kStream}));
  data_.commit(scene_of({kStream}));
  const auto peer = connect_stream(kStream, kHtj2k);
  for (uint64_t number = 1; number <= 3; ++number) {
    peer->send(all_blocks(frame, {1, number}, number - 1));
  }
  ASSERT_TRUE(run_until([&] { return !ready_.empty(); }));
  data_.prepare(scene_of({kStream}, 5));
  data_.commit(scene_of({kStream}, 5));
  data_.frames().end_former_epochs();
  ASSERT_TRUE(run_until([&] { return peer->reports().size() == 3; }));
  for (const sail::FrameReport& report : peer->reports()) {
    EXPECT_EQ(report.cause, sail::DropCause::kOldEpoch);
  }
  // Another stream with the same number takes over.
  peer->send(all_blocks(frame, {5, 4}, 3));
  auto scene = scene_of({kStream}, 6);
  scene.windows[0].secret = kSecret + 1;
  data_.prepare(scene);
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  const size_t ready = ready_.size();
  auto other = connect();
  other->open(kStream, open_message(kSecret + 1, kHtj2k));
  other->send(all_blocks(frame, {6, 1}));
  ASSERT_TRUE(run_until([&] { return ready_.size() > ready; }));
  EXPECT_EQ(ready_.back().second, (FrameKey{6, 1}));
}

TEST_F(DataPlaneTest, StreamThatLeavesTheSceneIsClosed) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  data_.commit(scene_of({kStream, kGoodStream}));
  const auto peer = connect_stream(kStream);
  const auto good = connect_stream(kGoodStream);
  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 1; }));
  data_.prepare(scene_of({kGoodStream}));
  sail::run_some(loop_);
  EXPECT_TRUE(peer->closes().empty()) << "the scene is not shown yet";
  data_.commit(scene_of({kGoodStream}));
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  ASSERT_EQ(peer->closes().size(), 1U);
  EXPECT_EQ(peer->closes()[0].reason, CloseReason::kNormal);
  ASSERT_EQ(peer->reports().size(), 1U);
  EXPECT_EQ(peer->reports()[0].cause, sail::DropCause::kHidden);
  EXPECT_FALSE(good->ended());
  EXPECT_EQ(data_.counters().sessions_refused, 0U);
}

TEST_F(DataPlaneTest, StreamWaitsForItsScene) {
  const auto peer = connect();
  peer->open(kStream, open_message());
  const auto wrong = connect();
  wrong->open(kStream, open_message(kSecret + 1));
  ASSERT_TRUE(run_until([&] { return peer->connected() && wrong->connected(); }));
  sail::run_some(loop_);
  EXPECT_TRUE(peer->messages().empty());
  data_.prepare(scene_of({kStream}));
  ASSERT_TRUE(run_until([&] { return peer->accepted(); }));
  EXPECT_TRUE(wrong->messages().empty());
}

TEST_F(DataPlaneTest, ConnectionsThatSayNothingKeepNobodyOut) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  const auto running = connect_stream(kGoodStream);
  const auto early = connect();
  early->open(kGoodStream + 1, open_message());
  // Twice the limit of unauthenticated connections.
  std::vector<std::unique_ptr<DataPeer>> silent;
  for (size_t i = 0; i < 2 * sail::kMaxUnprovenConnections; ++i) {
    silent.push_back(connect());
    ASSERT_TRUE(run_until([&] { return silent.back()->connected(); }));
  }
  ASSERT_TRUE(run_until([&] { return silent[sail::kMaxUnprovenConnections]->ended(); }));
  EXPECT_TRUE(silent.front()->ended()) << "the oldest goes first";
  EXPECT_FALSE(silent.back()->ended());

  const auto peer = connect_stream(kStream);
  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  running->send_frame(kGoodStream, {1, 1}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  // A session that has sent its request may wait for admission.
  data_.prepare(scene_of({kStream, kGoodStream, kGoodStream + 1}));
  ASSERT_TRUE(run_until([&] { return early->accepted(); }));
  EXPECT_EQ(data_.counters().sessions_refused, 0U) << "they have done nothing wrong";
}

TEST_F(DataPlaneTest, OpeningsThatComeToNothingAreAsFew) {
  std::vector<std::unique_ptr<DataPeer>> strangers;
  for (size_t i = 0; i <= sail::kMaxUnprovenConnections; ++i) {
    strangers.push_back(connect());
    strangers.back()->open(99, open_message());
    ASSERT_TRUE(run_until([&] { return strangers.back()->connected(); }));
  }
  ASSERT_TRUE(run_until([&] { return strangers.front()->ended(); }));
  data_.prepare(scene_of({kStream}));
  connect_stream(kStream);
}

// --- groups --------------------------------------------------------------------------------------

class GroupSeatsTest : public DataPlaneTest {
 protected:
  GroupSeatsTest() { data_.set_groups({{{.secret = kSecret, .streams = {kStream, kGoodStream}}}}); }
  std::unique_ptr<DataPeer> member(uint32_t stream) {
    auto peer = connect();
    peer->send(sail::encode(stream, sail::GroupOpen{.secret = kSecret}));
    EXPECT_TRUE(run_until([&] { return heard(*peer, sail::DecisionKind::kJoined); }));
    return peer;
  }
  static void say(DataPeer& peer, uint32_t stream, int64_t present_ns) {
    peer.send(sail::encode(
        stream, sail::GroupReady{.present_ns = present_ns, .vote = sail::GroupVote::kReady}));
  }
  static bool heard(const DataPeer& peer, sail::DecisionKind wanted, int64_t present_ns = 0) {
    return std::ranges::any_of(peer.messages(), [&](const DataPeer::Message& message) {
      if (message.header.type != sail::DataType::kGroupDecision) return false;
      const auto decision = sail::decode_group_decision(message.body);
      return decision && decision->kind == wanted && decision->present_ns == present_ns;
    });
  }
};

TEST_F(GroupSeatsTest, MembersHearWhatAllHave) {
  const auto one = member(kStream);
  const auto two = member(kGoodStream);
  say(*one, kStream, 5);
  say(*two, kGoodStream, 5);
  for (const auto* peer : {one.get(), two.get()}) {
    EXPECT_TRUE(run_until([&] { return heard(*peer, sail::DecisionKind::kShow, 5); }));
    EXPECT_TRUE(run_until([&] { return heard(*peer, sail::DecisionKind::kHeartbeat); }));
  }
}

TEST_F(GroupSeatsTest, WhoGoesHoldsNobodyUp) {
  const auto one = member(kStream);
  auto two = member(kGoodStream);
  say(*one, kStream, 5);
  two.reset();
  EXPECT_TRUE(run_until([&] { return heard(*one, sail::DecisionKind::kShow, 5); }));
}

TEST_F(GroupSeatsTest, ASeatIsTheNewestConnections) {
  const auto former = member(kStream);
  const auto newer = member(kStream);
  ASSERT_TRUE(run_until([&] { return former->ended(); }));
  EXPECT_EQ(former->closes().at(0).reason, CloseReason::kReplaced);
  EXPECT_FALSE(newer->ended());
}

TEST_F(GroupSeatsTest, WhatIsNotDueEndsTheSeatOnly) {
  const auto good = member(kGoodStream);
  for (const auto& bytes :
       {sail::encode(kStream, open_message()),
        [] {
          const auto ready = sail::encode(
              kGoodStream, sail::GroupReady{.present_ns = 5, .vote = sail::GroupVote::kReady});
          return std::vector<uint8_t>(ready.begin(), ready.end());
        }(),
        std::vector<uint8_t>(64, 0xff)}) {
    const auto bad = member(kStream);
    bad->send(bytes);
    ASSERT_TRUE(run_until([&] { return bad->ended(); }));
    EXPECT_EQ(bad->closes().size(), 1U);
  }
  EXPECT_FALSE(good->ended());
}

// Otherwise all frames of the other members would be dropped until then.
TEST_F(GroupSeatsTest, AFrameOfNextYearLosesItsSeatAndTheOthersNothing) {
  const auto good = member(kGoodStream);
  const auto bad = member(kStream);
  say(*bad, kStream, sail::steady_now_ns() + int64_t{365} * 86400 * sail::kSecondNs);
  ASSERT_TRUE(run_until([&] { return bad->ended(); }));
  ASSERT_EQ(bad->closes().size(), 1U);
  EXPECT_EQ(bad->closes()[0].reason, CloseReason::kBadMessage);
  EXPECT_NE(bad->closes()[0].text.find("too far ahead"), std::string::npos);
  say(*good, kGoodStream, 5);
  EXPECT_TRUE(run_until([&] { return heard(*good, sail::DecisionKind::kShow, 5); }));
  EXPECT_FALSE(heard(*good, sail::DecisionKind::kDrop, 5));
}

TEST_F(GroupSeatsTest, StrangersWaitForTheManagersWord) {
  const auto stranger = connect();
  stranger->send(sail::encode(kStream + 7, sail::GroupOpen{.secret = kSecret}));
  const auto other = connect();
  other->send(sail::encode(kStream, sail::GroupOpen{.secret = kSecret + 1}));
  member(kStream);
  EXPECT_TRUE(stranger->messages().empty());
  EXPECT_TRUE(other->messages().empty());
  data_.set_groups({{{.secret = kSecret + 1, .streams = {kStream}}}});
  EXPECT_TRUE(run_until([&] { return heard(*other, sail::DecisionKind::kJoined); }));
}

class DataPlaneTimeoutTest : public DataPlaneTest {
 protected:
  DataPlaneTimeoutTest() : DataPlaneTest(100) {}
};

TEST_F(DataPlaneTimeoutTest, SilentPeerIsClosed) {
  const auto silent = connect();
  const auto half = connect();
  const std::vector<uint8_t> open = sail::encode(kStream, open_message());
  half->send(std::span(open).first(20));
  ASSERT_TRUE(run_until([&] { return silent->ended() && half->ended(); }));
  EXPECT_EQ(silent->closes().at(0).reason, CloseReason::kTimeout);
  EXPECT_EQ(half->closes().at(0).reason, CloseReason::kTimeout);
}

TEST_F(DataPlaneTimeoutTest, UnknownStreamsAndSecretsAreClosed) {
  data_.prepare(scene_of({kStream}));
  const auto unknown = connect();
  unknown->open(kStream + 100, open_message());
  const auto wrong = connect();
  wrong->open(kStream, open_message(kSecret + 1));
  const auto snapshot = connect();
  snapshot->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  const auto member = connect();
  member->send(sail::encode(kStream, sail::GroupOpen{.secret = kSecret}));
  for (const auto* peer : {unknown.get(), wrong.get(), snapshot.get(), member.get()}) {
    ASSERT_TRUE(run_until([&] { return peer->ended(); }));
    ASSERT_EQ(peer->closes().size(), 1U);
    EXPECT_EQ(peer->closes()[0].reason, CloseReason::kUnknownStream);
  }
}

TEST_F(DataPlaneTest, NewerConnectionTakesTheStreamOver) {
  data_.prepare(scene_of({kStream}));
  const auto old_peer = connect_stream(kStream);
  old_peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 1; }));
  const auto peer = connect_stream(kStream);
  ASSERT_TRUE(run_until([&] { return old_peer->ended(); }));
  EXPECT_EQ(old_peer->closes().at(0).reason, CloseReason::kReplaced);
  // Frames of the replaced connection can still be shown, and the new one works.
  auto frame = data_.frames().take(kStream, {1, 1});
  ASSERT_TRUE(frame);
  show(std::move(frame));
  peer->send_frame(kStream, {1, 2}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  EXPECT_TRUE(peer->reports().empty());
}

TEST_F(DataPlaneTest, AnotherManagersStreamOfTheSameNumberEndsTheOldOne) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  sail::Scene scene = scene_of({kStream});
  scene.windows[0].secret = kSecret + 1;
  data_.prepare(scene);
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  EXPECT_EQ(peer->closes().at(0).reason, CloseReason::kNormal);
}

TEST_F(DataPlaneTest, LateFrameIsDueWhenItComes) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  EXPECT_FALSE(data_.frames().take(kStream, {1, 2}));
  peer->send_frame(kStream, {1, 2}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return due_.size() == 1; }));
  EXPECT_EQ(ready_.size(), 1U);
}

// Another stream's sender asked for the layout. The sender of this one has rolled the layout back,
// and learns from a report that the layout was decided.
TEST_F(DataPlaneTest, FramesOfTheLayoutBeforeAreShownAndReportedUntilTheirSenderKnowsTheNewOne) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  data_.commit(scene_of({kStream, kGoodStream}));
  const auto peer = connect_stream(kStream);
  data_.prepare(scene_of({kStream, kGoodStream}, 5));
  data_.commit(scene_of({kStream, kGoodStream}, 5), kGoodStream);
  EXPECT_TRUE(data_.frames().is_behind(kStream));
  EXPECT_FALSE(data_.frames().is_behind(kGoodStream));
  data_.frames().end_former_epochs();
  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  peer->send_frame(kStream, {1, 2}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 2; }));
  auto frame = data_.frames().take(kStream, {1, 1});
  ASSERT_TRUE(frame);
  show(std::move(frame));
  ASSERT_TRUE(run_until([&] { return peer->reports().size() == 1; }));
  EXPECT_EQ(peer->reports()[0].outcome, sail::FrameOutcome::kShown);
  EXPECT_EQ(peer->reports()[0].cause, sail::DropCause::kOldEpoch);

  EXPECT_FALSE(data_.frames().take(kStream, {5, 0})) << "only the layout";
  EXPECT_FALSE(data_.frames().is_behind(kStream));
  ASSERT_TRUE(run_until([&] { return peer->reports().size() == 2; }));
  EXPECT_EQ(peer->reports()[1].frame, 2U) << "it is not held for ever";
  EXPECT_EQ(peer->reports()[1].cause, sail::DropCause::kOldEpoch);
}

TEST_F(DataPlaneTest, SendersSayWhenFramesAreToBeShown) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  EXPECT_EQ(data_.frames().epoch_of(kStream), 0U) << "of no scene that is shown yet";
  EXPECT_FALSE(data_.frames().epoch_of(kStream + 1));
  data_.commit(scene_of({kStream}));
  EXPECT_EQ(data_.frames().epoch_of(kStream), 1U);
  data_.frames().set_render_ns(3000);
  data_.frames().set_refresh({.at_ns = 9, .period_ns = 20'000'000, .spread_ns = 1000});
  peer->send_frame(kStream, {1, 1}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] { return ready_.size() == 1; }));
  EXPECT_EQ(peer->messages().back().header.type, sail::DataType::kFrameReady);
  const auto ready = sail::decode_frame_ready(peer->messages().back().body);
  EXPECT_EQ(ready->render_ns, 3000);
  EXPECT_EQ(ready->refresh, (sail::Refresh{9, 20'000'000, 1000}));
  peer->send(sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 77}));
  ASSERT_TRUE(run_until([&] { return shows_.size() == 1; }));
  EXPECT_EQ(shows_[0].first, kStream);
  EXPECT_EQ(shows_[0].second.frame, 1U);
  EXPECT_EQ(shows_[0].second.at_ns, 77);
}

// A message about another stream's frames, or one sent too early, ends that connection.
TEST_F(DataPlaneTest, NobodyDecidesForOthers) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  const auto good = connect_stream(kGoodStream);
  const auto peer = connect_stream(kStream);
  peer->send(sail::encode(kGoodStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  EXPECT_EQ(peer->closes().at(0).reason, CloseReason::kBadMessage);
  const auto early = connect();
  early->send(sail::encode(kStream, sail::FrameShow{.frame = 1, .epoch = 1, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return early->ended(); }));
  EXPECT_TRUE(shows_.empty());
  EXPECT_FALSE(good->ended());
}

TEST_F(DataPlaneTest, ShutDownTellsThePeers) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect_stream(kStream);
  data_.shut_down();
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  EXPECT_EQ(peer->closes().at(0).reason, CloseReason::kShutdown);
}

TEST_F(DataPlaneTest, SnapshotIsSentToWhoBringsTheSecretOnce) {
  data_.permit_snapshot(9, 4711);
  ASSERT_EQ(snapshots_.size(), 1U);
  EXPECT_EQ(snapshots_[0].second, 4711);
  const auto early = connect();
  early->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return early->connected(); }));
  sail::run_some(loop_);

  // Larger than one piece, and a second, small tile.
  TileImage large;
  large.begin = {.tile = "large", .size = {1000, 700}, .taken_ns = 5, .windows = {{3, 8}}};
  large.pixels.resize(1000 * 700 * 4);
  for (size_t i = 0; i < large.pixels.size(); ++i) large.pixels[i] = static_cast<uint8_t>(i * 7);
  TileImage small;
  small.begin = {.tile = "small", .size = {2, 1}, .taken_ns = 5, .windows = {}};
  small.pixels = {1, 2, 3, 255, 4, 5, 6, 255};
  const std::vector<uint8_t> expected = large.pixels;
  data_.send_pictures(snapshots_[0].first, {large, small});
  ASSERT_TRUE(run_until([&] { return early->ended(); }));

  std::vector<uint8_t> pixels;
  std::vector<DataType> order;
  for (const auto& [header, body] : early->messages()) {
    if (order.empty() || order.back() != header.type) order.push_back(header.type);
    if (header.type == DataType::kPictureRows) {
      EXPECT_LE(body.size(), (size_t{1} << 20) + sail::kPictureRowsFixedBytes);
      const auto rows =
          sail::decode_picture_rows(std::span(body).first(sail::kPictureRowsFixedBytes));
      ASSERT_TRUE(rows);
      if (pixels.size() < expected.size()) {
        EXPECT_EQ(rows->first_row, pixels.size() / 4000);
      }
      pixels.insert(pixels.end(), body.begin() + sail::kPictureRowsFixedBytes, body.end());
    }
  }
  EXPECT_EQ(order,
            (std::vector{DataType::kPictureBegin, DataType::kPictureRows, DataType::kPictureBegin,
                         DataType::kPictureRows, DataType::kPictureEnd}));
  ASSERT_EQ(pixels.size(), expected.size() + 8);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), pixels.begin()));
  EXPECT_EQ(pixels.back(), 255);

  const auto second = connect();
  second->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return second->connected(); }));
  sail::run_some(loop_);
  EXPECT_TRUE(second->messages().empty());
  EXPECT_EQ(snapshots_.size(), 1U);
}

TEST_F(DataPlaneTest, SnapshotWaitsForWhoAsksLate) {
  data_.permit_snapshot(9, 1);
  TileImage picture;
  picture.begin.tile = "t";
  picture.begin.size = {1, 1};
  picture.pixels = {1, 2, 3, 255};
  data_.send_pictures(snapshots_.at(0).first, {picture});
  const auto peer = connect();
  peer->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  ASSERT_EQ(peer->messages().size(), 3U);
  EXPECT_EQ(peer->messages()[1].body.back(), 255);
}

TEST_F(DataPlaneTest, SnapshotOfASecretNotPermittedYetWaits) {
  const auto peer = connect();
  peer->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return peer->connected(); }));
  sail::run_some(loop_);
  data_.permit_snapshot(9, 1);
  data_.send_pictures(snapshots_.at(0).first, {});
  ASSERT_TRUE(run_until([&] { return peer->ended(); }));
  ASSERT_EQ(peer->messages().size(), 1U);
  EXPECT_EQ(peer->messages()[0].header.type, DataType::kPictureEnd);
}

TEST_F(DataPlaneTest, SnapshotsAreBounded) {
  for (uint64_t secret = 1; secret <= 100; ++secret) data_.permit_snapshot(secret, 1);
  EXPECT_LT(snapshots_.size(), 20U);
}

TEST_F(DataPlaneTest, SnapshotPeerThatGoesAwayIsForgotten) {
  data_.permit_snapshot(9, 1);
  ASSERT_EQ(snapshots_.size(), 1U);
  const auto peer = connect();
  peer->send(sail::encode(sail::SnapshotRequest{.secret = 9, .at_ns = 1}));
  ASSERT_TRUE(run_until([&] { return peer->connected(); }));
  sail::run_some(loop_);
  peer->close();
  sail::run_some(loop_);
  TileImage picture;
  picture.begin.tile = "t";
  picture.begin.size = {1, 1};
  picture.pixels = {0, 0, 0, 255};
  data_.send_pictures(snapshots_[0].first, {picture});
}

// --- invalid bytes ------------------------------------------------------------------------------

// Everything that violates the protocol, after a stream was accepted or as its first message.
struct Attack {
  std::string name;
  bool before_open = false;
  std::vector<uint8_t> bytes;
  CloseReason reason = CloseReason::kBadMessage;
};

std::vector<uint8_t> good_frame(uint64_t number, uint64_t epoch = 1) {
  const size_t block = block_bytes(kGrid, 0, 0);
  return frame_bytes(kStream, {epoch, number}, 2,
                     {{{number, 0, 0, 2}, std::vector<uint8_t>(2 * block, 1)}});
}

std::vector<uint8_t> changed(std::vector<uint8_t> bytes, size_t at, std::vector<uint8_t> with) {
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
  return bytes;
}

std::vector<uint8_t> header(uint8_t type, uint32_t body_bytes) {
  const auto bytes = sail::encode_header({static_cast<DataType>(type), kStream, body_bytes});
  return {bytes.begin(), bytes.end()};
}

std::vector<uint8_t> both(std::vector<uint8_t> first, const std::vector<uint8_t>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Attack> attacks() {
  const size_t block = block_bytes(kGrid, 0, 0);
  const std::vector<uint8_t> payload(block, 1);
  const size_t run_at = sail::kFrameBeginBytes;
  const size_t lengths_at = run_at + sail::kDataHeaderBytes + sail::kBlockRunFixedBytes;
  auto open = open_message();
  open.frame_size = {132, 64};
  const auto report = sail::encode(kStream, sail::FrameReport{});
  std::vector<Attack> list{
      {"magic",
       true,
       {'G', 'E', 'T', ' ', '/', ' ', 'H', 'T', 'T', 'P', '/', '1', '.', '1', 13, 10},
       CloseReason::kBadMagic},
      {"version", true, changed(sail::encode(kStream, open_message()), 4, {99}),
       CloseReason::kBadVersion},
      {"codec", true, changed(sail::encode(kStream, open_message()), 16 + 20, {200}),
       CloseReason::kUnsupported},
      {"sizes that differ", true, sail::encode(kStream, open)},
      {"frame before open", true, good_frame(1)},
      {"report as first message", true, {report.begin(), report.end()}},
      {"unknown type", true, header(77, 0)},
      {"open twice", false, sail::encode(kStream, open_message())},
      {"snapshot on a stream", false, sail::encode(sail::SnapshotRequest{1, 1})},
      {"accept from an application", false, sail::encode(kStream, sail::StreamAccept{4})},
      {"picture from an application", false, sail::encode_picture_end()},
      {"long picture from an application", false,
       header(static_cast<uint8_t>(DataType::kPictureRows), 8 << 20)},
      {"magic later", false, changed(good_frame(1), run_at, {0}), CloseReason::kBadMagic},
      {"another stream", false, changed(good_frame(1), 8, {9})},
      {"blocks of another stream", false, changed(good_frame(1), run_at + 8, {9})},
      {"absurd body", false, header(static_cast<uint8_t>(DataType::kBlockRun), 0xffffffff),
       CloseReason::kLimit},
      {"short frame begin", false, header(static_cast<uint8_t>(DataType::kFrameBegin), 3)},
      {"long frame end", false, header(static_cast<uint8_t>(DataType::kFrameEnd), 900)},
      {"frame 0", false, changed(good_frame(1), 16, {0})},
      {"no blocks", false, frame_bytes(kStream, {1, 1}, 0, {})},
      {"more blocks than the frame has", false, frame_bytes(kStream, {1, 1}, 5, {})},
      {"frames out of order", false, both(good_frame(2), good_frame(1))},
      {"a frame by a former epoch", false, both(good_frame(1, 2), good_frame(1, 1))},
      {"run of another frame", false, frame_bytes(kStream, {1, 1}, 1, {{{2, 0, 0, 1}, payload}})},
      {"run outside", false, frame_bytes(kStream, {1, 1}, 1, {{{1, 2, 0, 1}, payload}})},
      {"run past the row", false,
       frame_bytes(kStream, {1, 1}, 2, {{{1, 0, 1, 2}, std::vector<uint8_t>(2 * block)}})},
      {"block twice", false,
       frame_bytes(kStream, {1, 1}, 2, {{{1, 0, 0, 1}, payload}, {{1, 0, 0, 1}, payload}})},
      {"more blocks than announced", false,
       frame_bytes(kStream, {1, 1}, 1, {{{1, 0, 0, 1}, payload}, {{1, 0, 1, 1}, payload}})},
      {"block too short", false,
       frame_bytes(kStream, {1, 1}, 1, {{{1, 0, 0, 1}, std::vector<uint8_t>(block - 8)}})},
      {"block too long", false,
       frame_bytes(kStream, {1, 1}, 1, {{{1, 0, 0, 1}, std::vector<uint8_t>(block + 8)}})},
      {"lengths that do not add up", false, changed(good_frame(1), lengths_at, {1, 2, 3, 4})},
      {"a matrix of a codec that has none", false, changed(good_frame(1), 16 + 33, {1, 1})},
      {"a range of red, green and blue", false, changed(good_frame(1), 16 + 34, {1})},
      {"no range", false, changed(good_frame(1), 16 + 34, {0})},
      {"a matrix that there is none of", false, changed(good_frame(1), 16 + 33, {5, 2})},
      {"end of another frame", false, changed(good_frame(1), good_frame(1).size() - 32, {2})},
  };
  std::vector<uint8_t> flood;
  for (uint64_t number = 1; number <= FrameAssembler::kFramesInFlight + 1; ++number) {
    flood = both(flood, good_frame(number));
  }
  list.push_back({"more frames in flight than agreed", false, flood, CloseReason::kLimit});
  return list;
}

TEST_F(DataPlaneTest, BadBytesEndTheirSessionOnly) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  const auto good = connect_stream(kGoodStream);
  uint64_t number = 0;
  uint64_t refused = 0;
  for (const Attack& attack : attacks()) {
    const auto bad = attack.before_open ? connect() : connect_stream(kStream);
    bad->send(attack.bytes);
    ASSERT_TRUE(run_until([&] { return bad->ended(); })) << attack.name;
    ASSERT_EQ(bad->closes().size(), 1U) << attack.name;
    EXPECT_EQ(bad->closes()[0].reason, attack.reason)
        << attack.name << ": " << bad->closes()[0].text;
    EXPECT_FALSE(bad->closes()[0].text.empty()) << attack.name;
    EXPECT_EQ(data_.counters().sessions_refused, ++refused) << attack.name;

    // The other stream continues.
    ready_.clear();
    good->send_frame(kGoodStream, {1, ++number}, kGrid, {{0, 0}}, 1);
    ASSERT_TRUE(run_until([&] { return !ready_.empty(); })) << "after " << attack.name;
    auto frame = data_.frames().take(kGoodStream, {1, number});
    ASSERT_TRUE(frame);
    show(std::move(frame));
    ASSERT_TRUE(run_until([&] { return good->reports().size() == number; }));
    // Data accepted before the violation must not affect the next connection.
    data_.commit(scene_of({kGoodStream}));
    data_.prepare(scene_of({kStream, kGoodStream}));
  }
}

TEST_F(DataPlaneTest, AnotherCodecThanTheManagerKnowsIsRefused) {
  sail::Scene scene = scene_of({kStream});
  scene.windows[0].codec = "dxt1+lz4";
  data_.prepare(scene);
  const auto wrong = connect();
  wrong->open(kStream, open_message());
  ASSERT_TRUE(run_until([&] { return wrong->ended(); }));
  EXPECT_EQ(wrong->closes().at(0).reason, CloseReason::kBadMessage);
  EXPECT_NE(wrong->closes()[0].text.find("dxt1+lz4"), std::string::npos);
  connect_stream(kStream, {.compression = codecs::Compression::kLz4});
}

TEST_F(DataPlaneTest, TruncatedAnywhereIsForgotten) {
  data_.prepare(scene_of({kStream, kGoodStream}));
  const auto good = connect_stream(kGoodStream);
  const std::vector<uint8_t> whole = both(sail::encode(kStream, open_message()), good_frame(1));
  uint64_t number = 0;
  for (size_t length = 0; length < whole.size(); length += length < 160 ? 1 : 97) {
    const auto peer = connect();
    peer->send(std::span(whole).first(length));
    ASSERT_TRUE(run_until([&] { return peer->connected(); }));
    peer->close();
  }
  ready_.clear();
  good->send_frame(kGoodStream, {1, ++number}, kGrid, {{0, 0}}, 1);
  ASSERT_TRUE(run_until([&] {
    return std::ranges::any_of(ready_, [](const auto& r) { return r.first == kGoodStream; });
  }));
  // A new connection can take the stream.
  data_.commit(scene_of({kGoodStream}));
  data_.prepare(scene_of({kStream, kGoodStream}));
  const auto peer = connect_stream(kStream);
  peer->send(good_frame(1));
  ASSERT_TRUE(run_until([&] {
    return std::ranges::any_of(ready_, [](const auto& r) { return r.first == kStream; });
  }));
}

TEST_F(DataPlaneTest, ByteByByteIsAsGoodAsAtOnce) {
  data_.prepare(scene_of({kStream}));
  const auto peer = connect();
  const std::vector<uint8_t> whole = both(sail::encode(kStream, open_message()), good_frame(1));
  for (const uint8_t& byte : whole) {
    peer->send(std::span(&byte, 1));
    if ((&byte - whole.data()) % 64 == 0) sail::run_some(loop_, 1);
  }
  ASSERT_TRUE(run_until([&] { return !ready_.empty(); }));
}

// --- memory -------------------------------------------------------------------------------------

class DataPlaneMemoryTest : public DataPlaneTest {
 protected:
  static constexpr size_t kMiB = size_t{1} << 20;
  explicit DataPlaneMemoryTest(size_t memory_bytes = 4096 * kMiB)
      : DataPlaneTest(60000, memory_bytes) {}

  // Makes a scene of streams with frames of this size, all of which may connect.
  void prepare(const std::vector<uint32_t>& streams, sail::Size frame_size) {
    sail::Scene scene = scene_of(streams);
    for (sail::SceneWindow& window : scene.windows) {
      window.frame_size = frame_size;
      window.block_size = {128, 64};
    }
    data_.prepare(scene);
    data_.commit(scene);
  }
  std::unique_ptr<DataPeer> try_stream(uint32_t stream, sail::Size frame_size,
                                       uint16_t symbol_bytes = 0) {
    auto peer = connect();
    auto open = open_message();
    open.frame_size = frame_size;
    open.block_size = {128, 64};
    open.symbol_bytes = symbol_bytes;
    peer->open(stream, open);
    EXPECT_TRUE(run_until([&] { return peer->accepted() || peer->ended(); }));
    return peer;
  }
};

TEST_F(DataPlaneMemoryTest, FadesTakeTheirShare) {
  const MemoryBudget& memory = data_.memory();
  EXPECT_FALSE(data_.reserve_fade(memory.bytes() + 1));
  EXPECT_EQ(memory.left(), memory.bytes());
  for (const size_t bytes : {64 * kMiB, 64 * kMiB, 32 * kMiB}) {  // a second fade; other tiles
    EXPECT_TRUE(data_.reserve_fade(bytes));
    EXPECT_EQ(memory.left(), memory.bytes() - bytes);
  }
  data_.end_fade();
  EXPECT_EQ(memory.left(), memory.bytes());
}

TEST_F(DataPlaneMemoryTest, IsBoundedOverAllStreams) {
  constexpr sail::Size kLargest{16384, 16384};  // 128 MiB of DXT1
  prepare({1, 2, 3, 4, 5}, kLargest);
  std::vector<std::unique_ptr<DataPeer>> peers;
  for (uint32_t stream = 1; stream <= 4; ++stream) {
    peers.push_back(try_stream(stream, kLargest));
    EXPECT_TRUE(peers.back()->accepted()) << stream;
  }
  const auto refused = try_stream(5, kLargest);
  ASSERT_EQ(refused->closes().size(), 1U);
  EXPECT_EQ(refused->closes()[0].reason, CloseReason::kLimit);
  EXPECT_NE(refused->closes()[0].text.find("16384×16384"), std::string::npos)
      << refused->closes()[0].text;
  EXPECT_NE(refused->closes()[0].text.find("--memory"), std::string::npos);

  // A stream that ends, and a connection that is replaced, return their memory.
  EXPECT_TRUE(try_stream(4, kLargest)->accepted());
  peers[0]->close();
  bool accepted = false;
  for (int i = 0; i < 100 && !accepted; ++i) accepted = try_stream(5, kLargest)->accepted();
  EXPECT_TRUE(accepted);
}

TEST_F(DataPlaneMemoryTest, FramesInFlightAreFewerWhereTheyAreLarge) {
  constexpr sail::Size kCinema{4096, 2160};
  constexpr auto kSymbolBytes = static_cast<uint16_t>(sail::symbol_bytes_for(1500));
  prepare({1, 2}, kCinema);
  std::vector<int> frames;
  for (const uint32_t stream : {1, 2}) {
    const auto peer = try_stream(stream, kCinema, kSymbolBytes);
    ASSERT_TRUE(peer->accepted());
    frames.push_back(sail::decode_stream_accept(peer->messages()[0].body)->frames_in_flight);
  }
  EXPECT_EQ(frames, (std::vector{sail::kMaxFramesInFlight, sail::kMaxFramesInFlight}));
  constexpr sail::Size kLarge{16384, 8192};  // 64 MiB of DXT1
  prepare({3}, kLarge);
  const auto peer = try_stream(3, kLarge, kSymbolBytes);
  ASSERT_TRUE(peer->accepted());
  EXPECT_LT(sail::decode_stream_accept(peer->messages()[0].body)->frames_in_flight,
            sail::kMaxFramesInFlight);
}

TEST(MemoryBudget, IsWhatTheProcessMayTake) {
  const size_t machine = MemoryBudget::usual_bytes();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "there is a limit already";
  const rlimit scarce{.rlim_cur = machine, .rlim_max = before.rlim_max};
  if (setrlimit(RLIMIT_AS, &scarce) != 0) GTEST_SKIP() << "no limit can be set";
  const size_t limited = MemoryBudget::usual_bytes();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(limited, machine / 2);
}

TEST(MemoryBudget, IsNoMoreThanTheControlGroupsHave) {
  const sail::TempFolder root;
  const auto write = [&](const std::string& name, const char* text) {
    const std::filesystem::path file = root.file(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  };
  EXPECT_EQ(MemoryBudget::group_bytes(root.file("")), SIZE_MAX);
  write("proc/self/cgroup", "1:name=systemd:/elsewhere\n0::/wall.slice/receiver.service");
  EXPECT_EQ(MemoryBudget::group_bytes(root.file("")), SIZE_MAX);
  write("sys/fs/cgroup/wall.slice/receiver.service/memory.max", "max");
  EXPECT_EQ(MemoryBudget::group_bytes(root.file("")), SIZE_MAX);
  write("sys/fs/cgroup/wall.slice/memory.max", "3000");
  EXPECT_EQ(MemoryBudget::group_bytes(root.file("")), 3000U);
  write("sys/fs/cgroup/wall.slice/receiver.service/memory.max", "2000");
  EXPECT_EQ(MemoryBudget::group_bytes(root.file("")), 2000U);
}

TEST(MemoryBudget, SharesAreGivenBack) {
  MemoryBudget budget(100);
  {
    MemoryBudget::Share first = budget.take(60);
    const MemoryBudget::Share moved = std::move(first);
    EXPECT_EQ(budget.left(), 40U);
    EXPECT_EQ(moved.bytes(), 60U);
  }
  EXPECT_EQ(budget.left(), 100U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  size_t all = 0;
  size_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

// Streams that come, show frames and go, again and again, leak nothing.
TEST_F(DataPlaneMemoryTest, ChurnLeavesNothingBehind) {
  constexpr sail::Size kSmall{256, 128};
  const sail::BlockGrid grid(kSmall, {128, 64});
  uint32_t stream = 0;
  const auto churn = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      prepare({++stream}, kSmall);
      const auto peer = try_stream(stream, kSmall);
      peer->send_frame(stream, {1, 1}, grid, {{0, 0}, {1, 1}}, 1);
      const auto stranger = connect();
      ready_.clear();
      EXPECT_TRUE(run_until([&] { return !ready_.empty() && stranger->connected(); }));
      if (auto frame = data_.frames().take(stream, {1, 1})) show(std::move(frame));
    }
    prepare({}, kSmall);
    sail::run_some(loop_);
    return mallinfo2().uordblks;
  };
  const size_t before = churn(50);
  EXPECT_LT(churn(150), before + 100'000) << "of which 150 streams would take 700 bytes each";
}

// The second time the allocator expects such pieces again, and would keep them.
TEST_F(DataPlaneMemoryTest, GoesBackToTheSystemWhenLargeStreamsEnd) {
  constexpr sail::Size kLarge{8192, 4096};
  const sail::BlockGrid grid(kLarge, {128, 64});
  std::vector<std::pair<int, int>> all;
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) all.emplace_back(column, row);
  }
  const size_t before = resident_bytes();
  for (uint32_t stream = 1; stream <= 2; ++stream) {
    prepare({stream}, kLarge);
    {
      const auto peer = try_stream(stream, kLarge);
      ASSERT_TRUE(peer->accepted());
      ready_.clear();
      for (uint64_t frame = 1; frame <= 4; ++frame) {
        peer->send_frame(stream, {1, frame}, grid, all, 7);
      }
      ASSERT_TRUE(run_until([&] { return ready_.size() == 4; }));
      EXPECT_GT(resident_bytes(), before + 32 * kMiB);
    }
    prepare({}, kLarge);
    EXPECT_TRUE(run_until([&] { return resident_bytes() < before + 16 * kMiB; }));
  }
}
#endif

}  // namespace
}  // namespace receiver
