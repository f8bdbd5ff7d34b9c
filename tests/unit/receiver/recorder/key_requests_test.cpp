#include "receiver/recorder/key_requests.h"

#include <gtest/gtest.h>

namespace receiver {
namespace {

constexpr int64_t kPause = KeyRequests::kLeastPauseNs;

TEST(KeyRequests, ARequestIsServedOnce) {
  KeyRequests requests;
  EXPECT_FALSE(requests.take(0));
  requests.ask();
  requests.ask();
  EXPECT_TRUE(requests.take(1));
  EXPECT_FALSE(requests.take(2 * kPause));
}

TEST(KeyRequests, ARequestThatComesTooEarlyWaits) {
  KeyRequests requests;
  requests.ask();
  EXPECT_TRUE(requests.take(0));
  requests.ask();
  EXPECT_FALSE(requests.take(kPause - 1));
  EXPECT_TRUE(requests.take(kPause));
}

}  // namespace
}  // namespace receiver
