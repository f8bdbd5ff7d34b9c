// When a standby takes over, and the term that it begins with.
#include "manager/failover/failover_policy.h"

#include <gtest/gtest.h>

#include <fstream>

#include "manager/failover/other_manager.h"
#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::kSecondNs;

constexpr int64_t kLost = 100 * kSecondNs;
constexpr int64_t kLater = kLost + FailoverPolicy::kWaitTimeoutNs;

class FailoverPolicyTest : public testing::Test {
 protected:
  FailoverPolicyTest() {
    failover_policy.followed();
    failover_policy.set_receivers({"a", "b", "c", "d"});
  }
  FailoverPolicy failover_policy;
};

TEST_F(FailoverPolicyTest, MoreThanHalfOfTheReceiversHaveToCome) {
  failover_policy.lost(kLost);
  failover_policy.receiver_arrived("a", kLater - 2);
  failover_policy.receiver_arrived("b", kLater - 1);
  failover_policy.receiver_arrived("b", kLater - 1);
  failover_policy.receiver_arrived("stranger", kLater - 1);
  EXPECT_FALSE(failover_policy.due(kLater)) << "two of four, and one that the manager did not have";
  EXPECT_TRUE(failover_policy.waits(kLater));
  failover_policy.receiver_arrived("c", kLater);
  EXPECT_TRUE(failover_policy.due(kLater));
  EXPECT_FALSE(failover_policy.waits(kLater));
}

TEST_F(FailoverPolicyTest, AManagerThatIsStartedAgainHasASecond) {
  failover_policy.lost(kLost);
  for (const char* name : {"a", "b", "c", "d"}) failover_policy.receiver_arrived(name, kLost + 1);
  EXPECT_FALSE(failover_policy.due(kLater - 1));
  EXPECT_TRUE(failover_policy.due(kLater));
  failover_policy.followed();
  EXPECT_FALSE(failover_policy.due(kLater)) << "it is back";
  failover_policy.lost(kLater);
  EXPECT_FALSE(failover_policy.due(kLater + kSecondNs)) << "who came then may be there by now";
}

TEST_F(FailoverPolicyTest, NothingHappensWhileTheManagerIsThere) {
  for (const char* name : {"a", "b", "c"}) failover_policy.receiver_arrived(name, kLost);
  EXPECT_FALSE(failover_policy.due(kLater));
  EXPECT_FALSE(failover_policy.waits(kLater));
}

TEST_F(FailoverPolicyTest, ReceiversThatCameLongAgoMayBeBack) {
  failover_policy.lost(kLost);
  for (const char* name : {"a", "b", "c"}) failover_policy.receiver_arrived(name, kLost);
  EXPECT_TRUE(failover_policy.due(kLost + FailoverPolicy::kLatelyNs));
  EXPECT_FALSE(failover_policy.due(kLost + FailoverPolicy::kLatelyNs + 1));
}

TEST_F(FailoverPolicyTest, AHangingManagerWasLostWhenItWasHeardLast) {
  failover_policy.receiver_arrived("a", kLost - 1);
  for (const char* name : {"b", "c"}) failover_policy.receiver_arrived(name, kLost + 1);
  failover_policy.lost(kLost);  // found out later
  EXPECT_FALSE(failover_policy.due(kLater)) << "one of the three came before";
  failover_policy.receiver_arrived("d", kLost + 2);
  EXPECT_TRUE(failover_policy.due(kLater));
}

TEST_F(FailoverPolicyTest, AWallThatIsTakenDownStaysDown) {
  failover_policy.primary_is_ending();
  failover_policy.lost(kLost);
  for (const char* name : {"a", "b", "c", "d"}) failover_policy.receiver_arrived(name, kLater);
  EXPECT_FALSE(failover_policy.due(kLater));
  failover_policy.followed();  // it is brought up again
  failover_policy.lost(kLost);
  failover_policy.receiver_arrived("a", kLater);
  failover_policy.set_receivers({"a"});
  EXPECT_TRUE(failover_policy.due(kLater)) << "more than half of one is one";
}

class WitnessedFailoverTest : public testing::Test {
 protected:
  WitnessedFailoverTest() {
    failover_policy.followed();
    failover_policy.set_receivers({"a", "b"});
    failover_policy.lost(kLost);
  }
  static constexpr int64_t kReleased = kLost + Quorum::kPromiseNs;
  FailoverPolicy failover_policy{Votes::kWitness};
};

TEST_F(WitnessedFailoverTest, TheStandbyKeepsItsPromise) {
  EXPECT_FALSE(failover_policy.wants_lease(kReleased - 1));
  failover_policy.set_lease(true);
  EXPECT_FALSE(failover_policy.due(kReleased - 1));
  EXPECT_TRUE(failover_policy.wants_lease(kReleased));
  EXPECT_TRUE(failover_policy.due(kReleased));
}

TEST_F(WitnessedFailoverTest, TheLeaseDecidesAndNotTheReceivers) {
  for (const char* name : {"a", "b"}) failover_policy.receiver_arrived(name, kReleased);
  EXPECT_FALSE(failover_policy.due(kReleased));
  EXPECT_TRUE(failover_policy.waits(kReleased));
  failover_policy.set_lease(true);
  EXPECT_TRUE(failover_policy.due(kReleased));
  EXPECT_FALSE(failover_policy.waits(kReleased));
  failover_policy.set_lease(false);
  EXPECT_FALSE(failover_policy.due(kReleased)) << "the lease has ended";
}

TEST_F(WitnessedFailoverTest, AVoteIsAPromise) {
  ASSERT_TRUE(failover_policy.promise(kReleased - 1));
  EXPECT_FALSE(failover_policy.wants_lease(kReleased));
  EXPECT_FALSE(failover_policy.wants_lease(kReleased + Quorum::kPromiseNs - 2));
  EXPECT_TRUE(failover_policy.wants_lease(kReleased + Quorum::kPromiseNs - 1));
  failover_policy.set_lease(true);
  EXPECT_FALSE(failover_policy.promise(kReleased + Quorum::kPromiseNs)) << "it takes over";
  EXPECT_FALSE(FailoverPolicy().promise(kReleased)) << "receivers decide there";
}

TEST_F(WitnessedFailoverTest, AManagerThatIsBackIsFollowed) {
  failover_policy.set_lease(true);
  failover_policy.followed();
  EXPECT_FALSE(failover_policy.wants_lease(kReleased));
  failover_policy.lost(kReleased);
  EXPECT_FALSE(failover_policy.due(kReleased + Quorum::kPromiseNs)) << "that lease is no more";
}

TEST(SavedTerm, TellsWhoIsToBeFollowed) {
  const SavedTerm ruled{.term = 3, .other = "second:7440"};
  EXPECT_FALSE(ruled.is_fenced_by(2));
  EXPECT_FALSE(ruled.is_fenced_by(3)) << "it is the ruler of that term itself";
  EXPECT_TRUE(ruled.is_fenced_by(4));
  const SavedTerm followed{.term = 3, .followed = true, .other = "first:7440"};
  EXPECT_TRUE(followed.is_fenced_by(3)) << "the ruler of that term is who was followed";
  EXPECT_FALSE(followed.is_fenced_by(2));
}

// Found by tests/model: it took over and ended before any peer knew; the other one ruled for ever.
TEST(SavedTerm, TellsWhetherTheOtherManagerMayHaveAnEarlierTerm) {
  const SavedTerm first{.other = "second:7440"};
  EXPECT_FALSE(first.outruns_other()) << "nobody ever took over";
  const SavedTerm took_over{.term = 2, .other = "first:7440"};
  EXPECT_TRUE(took_over.outruns_other());
  const SavedTerm followed{.followed = true, .other = "first:7440"};
  EXPECT_TRUE(followed.outruns_other());
  EXPECT_FALSE((SavedTerm{.term = 2}.outruns_other())) << "no other is known";
}

TEST(SavedTerm, GoesUpWithWhoTakesOver) {
  const sail::TempFolder folder;
  const std::filesystem::path state = folder.file("state");
  EXPECT_EQ(load_term(state)->next(), 1U) << "nobody ever took over";
  EXPECT_FALSE(keeps_term(state));
  ASSERT_TRUE(save_term(state, {.term = 4, .followed = true}));
  EXPECT_TRUE(keeps_term(state));
  EXPECT_EQ(load_term(state)->term, 4U);
  EXPECT_EQ(load_term(state)->next(), 5U) << "what was followed is gone on with";
  ASSERT_TRUE(save_term(state, {.term = 5}));
  EXPECT_EQ(load_term(state)->next(), 5U);
  EXPECT_EQ(load_term(state)->other, "");
  ASSERT_TRUE(save_term(state, {.term = 5, .other = "second:7440"}));
  EXPECT_EQ(load_term(state)->other, "second:7440");
  ASSERT_TRUE(save_term(state, {.term = 5, .lost = {"moved 'film'"}}));
  EXPECT_EQ(load_term(state)->lost, std::vector<std::string>{"moved 'film'"});
  for (const char* text : {"", "{}", R"({"term": 5, "lost": [7]})", R"({"term": 0})",
                           R"({"term": 1e300})", R"({"term": "5"})"}) {
    std::ofstream(state / "term.json") << text;
    EXPECT_FALSE(load_term(state)) << text;
    EXPECT_FALSE(load_term_at_start(state)) << text;
    EXPECT_EQ(load_term(state)->term, 1U) << "it was set aside";
  }
  std::filesystem::create_directory(state / "term.json");
  EXPECT_EQ(load_term(state).error().code, sail::ErrorCode::kIo) << "a folder cannot be read";
}

}  // namespace
}  // namespace manager
