#include "manager/opening/rank_rendezvous.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

using sail::kMillisecondNs;

class RankRendezvousTest : public testing::Test {
 protected:
  static JoiningRank rank_of(int rank, int ranks, const sail::Rect& region) {
    JoiningRank made;
    made.application = static_cast<uint64_t>(rank) + 1;
    made.codec = "dxt1";
    made.open.block_size = {128, 64};
    made.open.part = sail::JoinParts{
        .name = "film", .rank = rank, .ranks = ranks, .region = region, .frame_size = {640, 360}};
    return made;
  }
  static JoiningRank band(int rank, int ranks) {
    return rank_of(rank, ranks, sail::band_of({640, 360}, rank, ranks));
  }
  // Returns the number of ranks once all have joined, else 0.
  size_t join(JoiningRank rank) {
    rank.reply = [this, number = rank.part().rank](const sail::Result<sail::Json>& answer) {
      told_[number] = answer ? "welcome" : answer.error().message;
    };
    const auto all = rank_rendezvous_.join(std::move(rank), now_ns_);
    return all ? all->size() : 0;
  }
  void expect_told(const std::map<int, std::string>& reported) {
    EXPECT_EQ(told_, reported);
    told_.clear();
  }

  RankRendezvous rank_rendezvous_;
  int64_t now_ns_ = 1000 * kMillisecondNs;
  std::map<int, std::string> told_;
};

TEST_F(RankRendezvousTest, AllComeInAnyOrder) {
  EXPECT_EQ(join(band(2, 3)), 0U);
  EXPECT_EQ(join(band(0, 3)), 0U);
  EXPECT_EQ(join(band(1, 3)), 3U);
  EXPECT_TRUE(told_.empty()) << "whoever opens their window answers them";
  EXPECT_EQ(join(band(0, 1)), 1U) << "the name is free again";
}

// One of them may have died while there was no manager.
TEST_F(RankRendezvousTest, ThoseThatHaveGoneOnNeedNotBeAll) {
  join(band(0, 2));
  EXPECT_TRUE(rank_rendezvous_.take_continuing().empty());
  JoiningRank continuing = band(2, 3);
  continuing.open.part->name = "older";
  continuing.open.resume.emplace();
  join(std::move(continuing));
  JoiningRank beside = band(0, 3);
  beside.open.part->name = "older";
  join(std::move(beside));
  const auto taken = rank_rendezvous_.take_continuing();
  ASSERT_EQ(taken.size(), 1U);
  ASSERT_EQ(taken[0].size(), 2U);
  EXPECT_EQ(taken[0][0].part().rank, 0);
  EXPECT_EQ(taken[0][1].part().rank, 2);
  EXPECT_TRUE(rank_rendezvous_.take_continuing().empty());
  EXPECT_EQ(join(band(1, 2)), 2U) << "the others wait as before";
}

TEST_F(RankRendezvousTest, WhoDoesNotComeIsNamedToAll) {
  join(band(1, 4));
  now_ns_ += (sail::kJoinTimeoutMs - 1) * kMillisecondNs;
  rank_rendezvous_.tick(now_ns_);
  expect_told({});
  now_ns_ += kMillisecondNs;
  rank_rendezvous_.tick(now_ns_);
  const std::string why = "'film': ranks 0, 2 and 3 of 4 did not join within 10 s";
  expect_told({{1, why}});
  join(band(2, 4));
  expect_told({{2, why}});  // too late
  now_ns_ += sail::kJoinTimeoutMs * kMillisecondNs;
  rank_rendezvous_.tick(now_ns_);
  EXPECT_EQ(join(band(0, 1)), 1U) << "the name is free again";
}

TEST_F(RankRendezvousTest, WhoDiesMeanwhileIsMissing) {
  join(band(0, 2));
  rank_rendezvous_.application_left(1);
  join(band(1, 2));
  expect_told({});
  now_ns_ += sail::kJoinTimeoutMs * kMillisecondNs;
  rank_rendezvous_.tick(now_ns_);
  expect_told({{1, "'film': rank 0 of 2 did not join within 10 s"}});
}

TEST_F(RankRendezvousTest, NobodyComesTwice) {
  join(band(0, 2));
  join(band(0, 2));
  expect_told({{0, "'film': rank 0 has already joined"}});
  EXPECT_EQ(join(band(1, 2)), 2U);
}

TEST_F(RankRendezvousTest, RanksMustAgree) {
  join(band(0, 3));
  JoiningRank other = band(2, 3);
  other.open.part->frame_size = {640, 368};
  join(other);
  const std::string size =
      "'film': ranks 0 and 2 disagree about the frame size: 640×360 and 640×368";
  expect_told({{0, size}, {2, size}});
  join(band(1, 3));
  expect_told({{1, size}});

  join(band(0, 2));
  other = band(1, 2);
  other.open.part->absent = sail::AbsentPart::kDark;
  join(other);
  EXPECT_EQ(told_[0],
            "'film': ranks 0 and 1 disagree about the display of an absent rank: wait "
            "and dark");
  join(band(0, 2));
  other = band(1, 2);
  other.codec = "raw";
  join(other);
  EXPECT_EQ(told_[1], "'film': ranks 0 and 1 disagree about the codec: dxt1 and raw");
  join(band(1, 2));
  join(band(0, 3));
  EXPECT_EQ(told_[0], "'film': ranks 1 and 0 disagree about the number of ranks: 2 and 3");
}

TEST_F(RankRendezvousTest, RegionsCoverTheFramesOnce) {
  join(rank_of(1, 2, {0, 184, 640, 176}));
  join(rank_of(0, 2, {0, 0, 640, 192}));
  const std::string overlap = "'film': the regions of ranks 1 and 0 overlap: 640×8 at 0, 184";
  expect_told({{0, overlap}, {1, overlap}});
  join(rank_of(0, 2, {0, 0, 640, 176}));
  join(rank_of(1, 2, {0, 184, 640, 176}));
  const std::string hole =
      "'film': the regions of ranks 0 to 1 leave a gap in frames of 640×360: 640×8 at 0, 176";
  expect_told({{0, hole}, {1, hole}});
}

}  // namespace
}  // namespace manager
