#include "sail/client/transport/multicast_member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sail/core/wire/stats.h"

namespace sail {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kGroupSecret = 77;
constexpr int64_t kStart = 5;

class MulticastMemberTest : public ::testing::Test {
 protected:
  void enter() {
    member.ask(kGroupSecret, kStart);
    member.answer({.secret = kGroupSecret, .hears = true});
    member.enter();
    member.update(now_ns, 0, 0);
  }
  // The group sends this many symbols within a window, of which some do not come.
  void window(uint64_t sent, uint64_t missed, double loss = 0, uint64_t behind = 0) {
    member.count_sent(sent);
    for (uint64_t i = 0; i < missed; ++i) member.count_missed();
    now_ns += MulticastMember::kWindowNs;
    member.update(now_ns, loss, behind);
  }

  MulticastMember member;
  int64_t now_ns = kStart;
};

TEST_F(MulticastMemberTest, HearsBeforeItEnters) {
  EXPECT_TRUE(member.outside());
  member.answer({.secret = kGroupSecret, .hears = true});
  EXPECT_TRUE(member.outside()) << "it was not asked";
  member.ask(kGroupSecret, kStart);
  EXPECT_TRUE(member.waits());
  member.answer({.secret = kGroupSecret + 1, .hears = true});
  EXPECT_TRUE(member.waits()) << "of another secret";
  member.answer({.secret = kGroupSecret, .hears = true});
  EXPECT_TRUE(member.hears());
  member.update(kStart + MulticastMember::kHearNs, 0, 0);
  EXPECT_FALSE(member.failed());
  member.leave();
  EXPECT_TRUE(member.outside());
}

TEST_F(MulticastMemberTest, FailsIfItHearsNothing) {
  member.ask(kGroupSecret, kStart);
  member.update(kStart + MulticastMember::kHearNs - 1, 0, 0);
  EXPECT_TRUE(member.waits());
  member.update(kStart + MulticastMember::kHearNs, 0, 0);
  EXPECT_TRUE(member.failed());
  EXPECT_EQ(member.why(), "no packet of the group came within 1000 ms");
  member.leave();
  EXPECT_TRUE(member.failed()) << "until the connection ends";
  EXPECT_TRUE(member.take_failure());
  EXPECT_FALSE(member.take_failure()) << "told once";
}

TEST_F(MulticastMemberTest, FailsIfItCannotJoin) {
  member.ask(kGroupSecret, kStart);
  member.answer({.secret = kGroupSecret, .text = std::string(200, 'x')});
  EXPECT_TRUE(member.failed());
  EXPECT_EQ(member.why().size(), kMaxTroubleText);
}

TEST_F(MulticastMemberTest, FailsIfMostSymbolsOfASecondAreMissing) {
  enter();
  window(100, 50);
  EXPECT_FALSE(member.failed());
  window(100, 51);
  EXPECT_TRUE(member.failed());
  EXPECT_EQ(member.why(), "51 of 100 packets of the group did not come");
}

TEST_F(MulticastMemberTest, WaitsForEnoughSymbols) {
  enter();
  window(MulticastMember::kLeastSymbols - 1, MulticastMember::kLeastSymbols - 1);
  EXPECT_FALSE(member.failed());
  window(1, 1);
  EXPECT_TRUE(member.failed());
}

TEST_F(MulticastMemberTest, FailsIfMuchIsLostForSeconds) {
  enter();
  const double much = MulticastMember::kMostLoss + 0.02;
  for (int i = 1; i < MulticastMember::kBadWindows; ++i) window(100, 0, much);
  window(100, 0, MulticastMember::kMostLoss);
  for (int i = 1; i < MulticastMember::kBadWindows; ++i) window(100, 0, much);
  EXPECT_FALSE(member.failed());
  window(100, 0, much);
  EXPECT_TRUE(member.failed());
  EXPECT_THAT(member.why(), HasSubstr("12 % of the packets"));
}

// All members get the data that the one behind lacks.
TEST_F(MulticastMemberTest, FailsIfItIsFarBehindForSeconds) {
  enter();
  constexpr uint64_t kFar = MulticastMember::kMostFramesBehind + 1;
  for (int i = 1; i < MulticastMember::kBadWindows; ++i) window(100, 0, 0, kFar);
  member.update(now_ns + 1, 0, MulticastMember::kMostFramesBehind);
  window(100, 0, 0, kFar);
  for (int i = 1; i < MulticastMember::kBadWindows; ++i) window(100, 0, 0, kFar);
  EXPECT_FALSE(member.failed()) << "it was near once in a window";
  window(100, 0, 0, kFar);
  EXPECT_TRUE(member.failed());
  EXPECT_EQ(member.why(), "it gets its frames much later than the others");
}

}  // namespace
}  // namespace sail
