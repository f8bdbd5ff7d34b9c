// When a standby takes over, and the term that it begins with.
#include "manager/failover/succession.h"

#include <gtest/gtest.h>

#include <fstream>

#include "manager/failover/saved_term.h"
#include "sail/core/time/clock.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::kSecondNs;

constexpr int64_t kLost = 100 * kSecondNs;
constexpr int64_t kLater = kLost + Succession::kPatienceNs;

class SuccessionTest : public testing::Test {
 protected:
  SuccessionTest() {
    succession.followed();
    succession.set_receivers({"a", "b", "c", "d"});
  }
  Succession succession;
};

TEST_F(SuccessionTest, MoreThanHalfOfTheReceiversHaveToCome) {
  succession.lost(kLost);
  succession.receiver_came("a", kLater - 2);
  succession.receiver_came("b", kLater - 1);
  succession.receiver_came("b", kLater - 1);
  succession.receiver_came("stranger", kLater - 1);
  EXPECT_FALSE(succession.due(kLater)) << "two of four, and one that the manager did not have";
  EXPECT_TRUE(succession.waits(kLater));
  succession.receiver_came("c", kLater);
  EXPECT_TRUE(succession.due(kLater));
  EXPECT_FALSE(succession.waits(kLater));
}

TEST_F(SuccessionTest, AManagerThatIsStartedAgainHasASecond) {
  succession.lost(kLost);
  for (const char* name : {"a", "b", "c", "d"}) succession.receiver_came(name, kLost + 1);
  EXPECT_FALSE(succession.due(kLater - 1));
  EXPECT_TRUE(succession.due(kLater));
  succession.followed();
  EXPECT_FALSE(succession.due(kLater)) << "it is back";
  succession.lost(kLater);
  EXPECT_FALSE(succession.due(kLater + kSecondNs)) << "who came then may be there by now";
}

TEST_F(SuccessionTest, NothingHappensWhileTheManagerIsThere) {
  for (const char* name : {"a", "b", "c"}) succession.receiver_came(name, kLost);
  EXPECT_FALSE(succession.due(kLater));
  EXPECT_FALSE(succession.waits(kLater));
}

TEST_F(SuccessionTest, ReceiversThatCameLongAgoMayBeBack) {
  succession.lost(kLost);
  for (const char* name : {"a", "b", "c"}) succession.receiver_came(name, kLost);
  EXPECT_TRUE(succession.due(kLost + Succession::kLatelyNs));
  EXPECT_FALSE(succession.due(kLost + Succession::kLatelyNs + 1));
}

TEST_F(SuccessionTest, AHangingManagerWasLostWhenItWasHeardLast) {
  succession.receiver_came("a", kLost - 1);
  for (const char* name : {"b", "c"}) succession.receiver_came(name, kLost + 1);
  succession.lost(kLost);  // found out later
  EXPECT_FALSE(succession.due(kLater)) << "one of the three came before";
  succession.receiver_came("d", kLost + 2);
  EXPECT_TRUE(succession.due(kLater));
}

TEST_F(SuccessionTest, AWallThatIsTakenDownStaysDown) {
  succession.ending();
  succession.lost(kLost);
  for (const char* name : {"a", "b", "c", "d"}) succession.receiver_came(name, kLater);
  EXPECT_FALSE(succession.due(kLater));
  succession.followed();  // it is brought up again
  succession.lost(kLost);
  succession.receiver_came("a", kLater);
  succession.set_receivers({"a"});
  EXPECT_TRUE(succession.due(kLater)) << "more than half of one is one";
}

TEST(SavedTerm, TellsWhoIsToBeFollowed) {
  const SavedTerm ruled{.term = 3, .other = "second:7440"};
  EXPECT_FALSE(ruled.is_outrun_by(2));
  EXPECT_FALSE(ruled.is_outrun_by(3)) << "it is the ruler of that term itself";
  EXPECT_TRUE(ruled.is_outrun_by(4));
  const SavedTerm followed{.term = 3, .followed = true, .other = "first:7440"};
  EXPECT_TRUE(followed.is_outrun_by(3)) << "the ruler of that term is who was followed";
  EXPECT_FALSE(followed.is_outrun_by(2));
}

TEST(SavedTerm, GoesUpWithWhoTakesOver) {
  const sail::TempFolder folder;
  const std::filesystem::path state = folder.file("state");
  EXPECT_EQ(load_term(state)->next(), 1U) << "nobody ever took over";
  ASSERT_TRUE(save_term(state, {.term = 4, .followed = true}));
  EXPECT_EQ(load_term(state)->term, 4U);
  EXPECT_EQ(load_term(state)->next(), 5U) << "what was followed is gone on with";
  ASSERT_TRUE(save_term(state, {.term = 5}));
  EXPECT_EQ(load_term(state)->next(), 5U);
  EXPECT_EQ(load_term(state)->other, "");
  ASSERT_TRUE(save_term(state, {.term = 5, .other = "second:7440"}));
  EXPECT_EQ(load_term(state)->other, "second:7440");
  for (const char* text : {"", "{}", R"({"term": 0})", R"({"term": 1e300})", R"({"term": "5"})"}) {
    std::ofstream(state / "term.json") << text;
    EXPECT_FALSE(load_term(state)) << text;
    EXPECT_FALSE(load_term_at_start(state, sail::Log("test", sail::LogLevel::kOff))) << text;
    EXPECT_EQ(load_term(state)->term, 1U) << "it was set aside";
  }
}

}  // namespace
}  // namespace manager
