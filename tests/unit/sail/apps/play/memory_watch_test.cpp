#include "sail/apps/play/memory_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sail {
namespace {

struct Shows {
  std::string receiver;
  int32_t same_host = 1;
  std::string trouble{};
  sail_transport transport = SAIL_TCP;
};

class MemoryWatchTest : public testing::Test {
 protected:
  // Seconds pass in which these receivers show the video. Returns how often the answer changed.
  int after(int seconds, const std::vector<Shows>& receivers) {
    int changes = 0;
    for (int i = 0; i < seconds; ++i) {
      now_ns_ += kSecondNs;
      for (const Shows& one : receivers) {
        sail_link_stats link{};
        std::ranges::copy(one.receiver, link.receiver);
        std::ranges::copy(one.trouble, link.memory_trouble);
        link.same_host = one.same_host;
        link.transport = one.transport;
        watch_.take(link, now_ns_);
      }
      changes += watch_.update(now_ns_) ? 1 : 0;
    }
    return changes;
  }

  MemoryWatch watch_;
  int64_t now_ns_ = 1000 * kSecondNs;
  const std::vector<Shows> here_{{.receiver = "left"}, {.receiver = "right"}};
  const std::vector<Shows> far_{{.receiver = "left"}, {.receiver = "right", .same_host = 0}};
};

TEST_F(MemoryWatchTest, WithoutReceiversNothingIsShared) {
  EXPECT_EQ(after(100, {}), 0);
  EXPECT_FALSE(watch_.shared());
  EXPECT_EQ(watch_.reason(), "");
}

TEST_F(MemoryWatchTest, ReceiversOfThisHostShareItSoon) {
  EXPECT_EQ(after(3, here_), 1);
  EXPECT_TRUE(watch_.shared());
  EXPECT_TRUE(watch_.several());
  EXPECT_NE(watch_.reason(), "");
  EXPECT_EQ(after(1000, here_), 0);
}

TEST_F(MemoryWatchTest, OneReceiverIsNotSeveral) {
  const std::vector<Shows> one{{.receiver = "left"}};
  EXPECT_EQ(after(3, one), 1);
  EXPECT_FALSE(watch_.several());
  EXPECT_EQ(after(12, here_), 0);
  EXPECT_TRUE(watch_.several());
  EXPECT_EQ(after(15, one), 0);
  EXPECT_FALSE(watch_.several());
}

TEST_F(MemoryWatchTest, AWindowThatMovesHasNotSeveralReceivers) {
  EXPECT_EQ(after(3, {{.receiver = "left"}}), 1);
  EXPECT_EQ(after(1, here_), 0);
  EXPECT_EQ(after(30, {{.receiver = "right"}}), 0);
  EXPECT_FALSE(watch_.several());
}

TEST_F(MemoryWatchTest, AReceiverOfAnotherHostEndsItAtOnce) {
  after(3, here_);
  EXPECT_EQ(after(1, far_), 1);
  EXPECT_FALSE(watch_.shared());
  EXPECT_FALSE(watch_.several());
  EXPECT_NE(watch_.reason().find("'right'"), std::string::npos);
  EXPECT_EQ(after(100, far_), 0);
}

TEST_F(MemoryWatchTest, AfterAnotherHostItIsSharedAgainLater) {
  after(3, here_);
  after(1, far_);
  EXPECT_EQ(after(10, here_), 0);
  EXPECT_EQ(after(1, here_), 1);
  EXPECT_TRUE(watch_.shared());
}

TEST_F(MemoryWatchTest, AWindowThatMovesToAndFroChangesTheWayOnce) {
  after(3, here_);
  int changes = 0;
  for (int i = 0; i < 20; ++i) changes += after(4, far_) + after(6, here_);
  EXPECT_EQ(changes, 1);
  EXPECT_FALSE(watch_.shared());
}

TEST_F(MemoryWatchTest, AReceiverThatIsNotConnectedMayBeAnywhere) {
  const std::vector<Shows> starting{{.receiver = "left"}, {.receiver = "right", .same_host = -1}};
  EXPECT_EQ(after(100, starting), 0);
  EXPECT_EQ(after(2, here_), 1);
  EXPECT_EQ(after(100, starting), 0);  // it died: its place may be taken by one of this host
  EXPECT_TRUE(watch_.shared());
}

TEST_F(MemoryWatchTest, FramesByUdpAreNotShared) {
  EXPECT_EQ(after(100, {{.receiver = "left", .transport = SAIL_UDP}}), 0);
}

TEST_F(MemoryWatchTest, ReceiversThatAreGoneDoNotCount) {
  EXPECT_EQ(after(10, far_), 0);
  EXPECT_EQ(after(6, {{.receiver = "left"}}), 1);
}

TEST_F(MemoryWatchTest, HiddenWindowsKeepTheirWay) {
  after(3, here_);
  EXPECT_EQ(after(1000, {}), 0);
  EXPECT_TRUE(watch_.shared());
}

TEST_F(MemoryWatchTest, RefusedMemoryIsTriedAgainAfterGrowingPauses) {
  const std::vector<Shows> refuses{{.receiver = "left", .trouble = "no descriptors"}};
  const std::vector<Shows> encoded{{.receiver = "left"}};  // only raw streams report a refusal
  after(3, encoded);
  EXPECT_EQ(after(1, refuses), 1);
  EXPECT_FALSE(watch_.shared());
  EXPECT_NE(watch_.reason().find("'left'"), std::string::npos);
  EXPECT_NE(watch_.reason().find("no descriptors"), std::string::npos);
  EXPECT_EQ(after(59, encoded), 0);
  EXPECT_EQ(after(1, encoded), 1);
  EXPECT_TRUE(watch_.shared());
  EXPECT_EQ(after(1, refuses), 1);
  EXPECT_EQ(after(119, encoded), 0);
  EXPECT_EQ(after(1, encoded), 1);
}

}  // namespace
}  // namespace sail
