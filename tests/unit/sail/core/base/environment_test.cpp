#include "sail/core/base/environment.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

namespace sail {
namespace {

TEST(Descriptors, AHabitIsNoLimit) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit low{before.rlim_max / 2, before.rlim_max};
  low.rlim_cur = std::min<rlim_t>(low.rlim_cur, 256);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  raise_descriptor_limit();
  rlimit raised{};
  getrlimit(RLIMIT_NOFILE, &raised);
  EXPECT_EQ(raised.rlim_cur, std::min<rlim_t>(before.rlim_max, 65536));
  EXPECT_EQ(raised.rlim_max, before.rlim_max);
  // A higher limit stays unchanged.
  const rlimit high{before.rlim_max, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &high), 0);
  raise_descriptor_limit();
  getrlimit(RLIMIT_NOFILE, &raised);
  EXPECT_EQ(raised.rlim_cur, before.rlim_max);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace sail
