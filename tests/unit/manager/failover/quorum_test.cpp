// How long a manager with a witness rules, and with which term.
#include "manager/failover/quorum.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace manager {
namespace {

using Term = Claim::Term;

constexpr int64_t kAsked = 50 * sail::kSecondNs;
constexpr int64_t kEnd = kAsked + Quorum::kPromiseNs - Quorum::kMarginNs;

TEST(Quorum, EndsBeforeThePromise) {
  Quorum quorum;
  EXPECT_FALSE(quorum.holds(kAsked)) << "nobody has confirmed it";
  quorum.confirmed(kAsked);
  EXPECT_TRUE(quorum.holds(kEnd - 1));
  EXPECT_FALSE(quorum.holds(kEnd));
  quorum.confirmed(kAsked - 1);
  EXPECT_TRUE(quorum.holds(kEnd - 1)) << "a late answer to an earlier question takes nothing away";
  quorum.confirmed(kAsked + 1);
  EXPECT_TRUE(quorum.holds(kEnd));
}

TEST(ClaimableTerm, IsNeverOneThatAnotherManagerHad) {
  EXPECT_EQ(claimable_term({.term = 1}, {}), 1U) << "the first manager of all";
  EXPECT_EQ(claimable_term({.term = 1}, {.last = 1}), 2U) << "its state folder is lost";
  EXPECT_EQ(claimable_term({.term = 3}, {.last = 2}), 3U) << "a standby takes over";
  EXPECT_EQ(claimable_term({.term = 3}, {.last = 7}), 8U);
  EXPECT_EQ(claimable_term({.term = 9}, {.last = 7}), 9U) << "--term";
  EXPECT_EQ(claimable_term({.term = 9}, {.last = sail::kMaxCounter - 1}), sail::kMaxCounter);
  EXPECT_FALSE(claimable_term({.term = 9}, {.last = sail::kMaxCounter})) << "none is left";
}

TEST(ClaimableTerm, IsNoneWhileAnotherManagerHasTheLease) {
  EXPECT_FALSE(claimable_term({.term = 3}, {.ruler = 2, .last = 2}));
  EXPECT_FALSE(claimable_term({.term = 2}, {.ruler = 2, .last = 2}));
  EXPECT_FALSE(claimable_term({.term = 1, .kind = Term::kResumed}, {.ruler = 2, .last = 2}));
}

TEST(ClaimableTerm, OfAManagerThatIsStartedAgainIsTheSame) {
  const Claim resumed{.term = 2, .kind = Term::kResumed};
  EXPECT_EQ(claimable_term(resumed, {.ruler = 2, .last = 2}), 2U) << "the lease is its own";
  EXPECT_EQ(claimable_term(resumed, {.last = 2}), 2U);
  EXPECT_EQ(claimable_term(resumed, {}), 2U) << "the witness is new";
  EXPECT_EQ(claimable_term(resumed, {.last = 3}), 4U) << "another one ruled meanwhile";
}

TEST(ClaimableTerm, OfAManagerThatRulesByAVoteIsItsOwn) {
  const Claim voted{.term = 2, .kind = Term::kVoted};
  EXPECT_EQ(claimable_term(voted, {.ruler = 2, .last = 2}), 2U) << "its former process's lease";
  EXPECT_EQ(claimable_term(voted, {.last = 1}), 2U) << "the witness was away meanwhile";
  EXPECT_FALSE(claimable_term(voted, {.ruler = 1, .last = 1})) << "the other manager's lease";
  EXPECT_FALSE(claimable_term(voted, {.last = 3})) << "it is outrun";
}

TEST(ClaimableTerm, OfAManagerThatRulesNeverChanges) {
  const Claim ruling{.term = 2, .kind = Term::kUnchanged};
  EXPECT_FALSE(claimable_term(ruling, {.ruler = 2, .last = 2})) << "one with its state folder";
  EXPECT_EQ(claimable_term(ruling, {.last = 2}), 2U) << "the lease had ended";
  EXPECT_FALSE(claimable_term(ruling, {.last = 3})) << "it is outrun";
}

}  // namespace
}  // namespace manager
