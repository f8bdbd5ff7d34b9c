#include "manager/monitor/shared_state.h"

#include <gtest/gtest.h>

namespace manager {
namespace {

const sail::Ends kHere{"127.0.0.1", "127.0.0.1"};
const sail::Ends kSameNetwork{"10.0.0.1", "10.0.0.8"};
const sail::Ends kAlsoNear{"10.0.0.1", "10.0.0.9"};
const sail::Ends kFar{"10.1.0.1", "10.1.0.9"};

class SharedStateTest : public testing::Test {
 protected:
  // Returns the text for that peer, which tells how many were made before.
  sail::SharedText at(uint64_t revision, const sail::Ends& to, int64_t now_ns = 1) {
    const auto make = [this] {
      return SharedState::Text{.state = sail::share(std::to_string(made_++)), .lines = {}};
    };
    return state_.at(revision, to, now_ns, make).state;
  }

  SharedState state_;
  int made_ = 0;
};

TEST_F(SharedStateTest, ManyClientsOfARevisionShareOneText) {
  const sail::SharedText first = at(7, kSameNetwork);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(at(7, kAlsoNear), first);
  EXPECT_EQ(made_, 1);
}

TEST_F(SharedStateTest, AChangeMakesAnotherText) {
  const sail::SharedText first = at(7, kSameNetwork);
  EXPECT_NE(at(8, kSameNetwork), first);
  EXPECT_NE(*at(7, kSameNetwork), *first) << "an old text does not come back";
  EXPECT_EQ(made_, 3);
}

TEST_F(SharedStateTest, PeersThatReachOtherHostsOtherwiseGetTheirOwnText) {
  const sail::SharedText here = at(7, kHere);
  const sail::SharedText near = at(7, kSameNetwork);
  const sail::SharedText far = at(7, kFar);
  EXPECT_EQ(made_, 3);
  EXPECT_EQ(at(7, kHere), here);
  EXPECT_EQ(at(7, kAlsoNear), near);
  EXPECT_EQ(at(7, kFar), far);
  EXPECT_EQ(made_, 3);
}

TEST_F(SharedStateTest, StatisticsAreNotOlderThanTold) {
  const sail::SharedText first = at(7, kSameNetwork, 1);
  EXPECT_EQ(at(7, kSameNetwork, SharedState::kStatisticsNs), first);
  at(7, kFar, SharedState::kStatisticsNs);
  EXPECT_NE(at(7, kSameNetwork, 1 + SharedState::kStatisticsNs), first);
  EXPECT_EQ(made_, 3);
}

}  // namespace
}  // namespace manager
