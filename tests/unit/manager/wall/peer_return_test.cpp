#include "manager/wall/peer_return.h"

#include <gtest/gtest.h>

namespace manager {
namespace {

constexpr int64_t kNow = 100 * PeerReturn::kStallNs;

sail::Routes routes_to(uint32_t stream, const std::string& receiver, uint64_t recorder = 0) {
  sail::Routes routes;
  routes.stream = stream;
  sail::Route& route = routes.routes.emplace_back();
  route.receiver = receiver;
  route.recorder = recorder;
  return routes;
}
bool everybody(const std::string&) {
  return true;
}

TEST(PeerReturnTest, WaitsForAWhile) {
  PeerReturn peers;
  EXPECT_FALSE(peers.has_waited());
  EXPECT_FALSE(peers.waits(kNow));
  peers.wait(kNow);
  EXPECT_TRUE(peers.has_waited());
  EXPECT_TRUE(peers.waits(kNow + PeerReturn::kReturnNs - 1));
  EXPECT_FALSE(peers.waits(kNow + PeerReturn::kReturnNs));
  EXPECT_FALSE(peers.may_wait_again(kNow + PeerReturn::kReturnNs));
  EXPECT_TRUE(peers.may_wait_again(kNow + PeerReturn::kReturnNs + PeerReturn::kStallNs));
}

TEST(PeerReturnTest, AStallIsNoticedOnce) {
  PeerReturn peers;
  EXPECT_FALSE(peers.stalled(kNow));  // Not without a tick.
  peers.tick(kNow);
  EXPECT_FALSE(peers.stalled(kNow + PeerReturn::kStallNs - 1));
  EXPECT_TRUE(peers.stalled(kNow + PeerReturn::kStallNs));
  EXPECT_FALSE(peers.stalled(kNow + PeerReturn::kStallNs));
}

TEST(PeerReturnTest, SilenceHoldsLayoutsBackButNotAgainAndAgain) {
  PeerReturn peers;
  EXPECT_FALSE(peers.may_be_isolated(kNow, true));
  peers.peer_fell_silent(kNow);
  const int64_t end = kNow + PeerReturn::kSilenceNs;
  EXPECT_TRUE(peers.may_be_isolated(end - 1, true));
  peers.peer_fell_silent(end - 1);
  EXPECT_FALSE(peers.may_be_isolated(end, true));
  peers.peer_fell_silent(end + PeerReturn::kStallNs);
  EXPECT_TRUE(peers.may_be_isolated(end + PeerReturn::kStallNs, true));
}

TEST(PeerReturnTest, WithoutReceiversItMayBeIsolatedForAWhile) {
  PeerReturn peers;
  EXPECT_FALSE(peers.may_be_isolated(kNow, false));
  peers.receivers_are_gone(kNow);
  EXPECT_TRUE(peers.may_be_isolated(kNow + 1, false));
  EXPECT_FALSE(peers.may_be_isolated(kNow + 1, true));
  EXPECT_FALSE(peers.may_be_isolated(kNow + PeerReturn::kStallNs, false));
}

TEST(PeerReturnTest, ASilentApplicationMayReturnForAWhileAndLongerIfNoReceiverIsLeft) {
  PeerReturn peers;
  EXPECT_FALSE(peers.may_return(kNow, true));
  EXPECT_FALSE(peers.may_return(kNow, false)) << "there never was a receiver";
  peers.peer_fell_silent(kNow);
  EXPECT_TRUE(peers.may_return(kNow + PeerReturn::kSilenceNs - 1, true));
  EXPECT_FALSE(peers.may_return(kNow + PeerReturn::kSilenceNs, true));
  peers.receivers_are_gone(kNow);
  EXPECT_TRUE(peers.may_return(kNow + 100 * PeerReturn::kStallNs, false));
  EXPECT_FALSE(peers.may_return(kNow + 100 * PeerReturn::kStallNs, true));
  EXPECT_TRUE(peers.may_return(kNow + PeerReturn::kLongestAloneNs - 1, false));
  EXPECT_FALSE(peers.may_return(kNow + PeerReturn::kLongestAloneNs, false));
}

// When a cut ends, receivers may return before applications.
TEST(PeerReturnTest, ASilentApplicationMayReturnForAWhileAfterTheFirstReceiver) {
  PeerReturn peers;
  peers.peer_fell_silent(kNow);
  peers.receivers_are_gone(kNow);
  const int64_t back = kNow + 100 * PeerReturn::kStallNs;
  peers.receivers_are_back(back);
  EXPECT_TRUE(peers.may_return(back + PeerReturn::kLateNs - 1, true));
  EXPECT_FALSE(peers.may_return(back + PeerReturn::kLateNs, true));
}

TEST(PeerReturnTest, TheWaitEndsWhenAllAreBack) {
  PeerReturn peers;
  peers.wait(kNow);
  peers.expect({1, 2}, true);
  peers.resume(routes_to(1, "left"));
  peers.end_when_all_are_back(kNow, everybody);
  EXPECT_TRUE(peers.waits(kNow));  // for the second stream
  peers.resume(routes_to(2, "right"));
  peers.end_when_all_are_back(kNow, [](const std::string& name) { return name == "left"; });
  EXPECT_TRUE(peers.waits(kNow));  // for the receiver
  peers.end_when_all_are_back(kNow, everybody);
  EXPECT_FALSE(peers.waits(kNow));
}

TEST(PeerReturnTest, WhoKnowsNotAllOthersEndsNoWait) {
  PeerReturn peers;
  peers.wait(kNow);
  peers.expect({1}, false);
  peers.resume(routes_to(1, "left"));
  peers.end_when_all_are_back(kNow, everybody);
  EXPECT_TRUE(peers.waits(kNow));
  peers.expect({}, true);
  peers.end_when_all_are_back(kNow, everybody);
  EXPECT_FALSE(peers.waits(kNow));
}

TEST(PeerReturnTest, ALayoutForgetsWhoCameBack) {
  PeerReturn peers;
  EXPECT_EQ(peers.resumed(1), nullptr);
  peers.resume(routes_to(1, "left"));
  ASSERT_NE(peers.resumed(1), nullptr);
  EXPECT_EQ(peers.resumed(1)->routes.size(), 1u);
  peers.forget();
  EXPECT_EQ(peers.resumed(1), nullptr);
}

TEST(PeerReturnTest, RoutesToRecordersAreNotTakenUp) {
  PeerReturn peers;
  peers.resume(routes_to(1, "recorder", 7));
  EXPECT_TRUE(peers.resumed(1)->routes.empty());
}

}  // namespace
}  // namespace manager
