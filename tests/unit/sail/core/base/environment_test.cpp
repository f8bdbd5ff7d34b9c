#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "sail/core/base/environment.h"

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
namespace {

// Sets a resource limit of this process and restores it.
class Limit {
 public:
  Limit(__rlimit_resource which, rlim_t most) : which_(which) {
    getrlimit(which_, &before_);
    const rlimit scarce{most, before_.rlim_max};
    setrlimit(which_, &scarce);
  }
  ~Limit() { setrlimit(which_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  const __rlimit_resource which_;
  rlimit before_{};
};

// A parent that permits dumps does not matter, and a debugger can permit them again.
TEST(CoreDumps, AreNeitherWrittenNorGivenToAProgram) {
  rlimit before{};
  getrlimit(RLIMIT_CORE, &before);
  const Limit permitted(RLIMIT_CORE, before.rlim_max);
  prevent_core_dumps();
  rlimit now{};
  getrlimit(RLIMIT_CORE, &now);
  EXPECT_EQ(now.rlim_cur, std::min<rlim_t>(before.rlim_max, 1));
  EXPECT_EQ(now.rlim_max, before.rlim_max);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers reserve terabytes
TEST(Room, SomeMemoryStaysFree) {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const size_t taken = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  EXPECT_TRUE(has_memory_headroom(size_t{64} << 20));
  const Limit limit(RLIMIT_AS, taken + 2 * kMemoryHeadroom);
  EXPECT_TRUE(has_memory_headroom(kMemoryHeadroom / 2));
  EXPECT_FALSE(has_memory_headroom(2 * kMemoryHeadroom));
  EXPECT_FALSE(has_memory_headroom(kMemoryHeadroom * 5 / 4))
      << "it would fit, and leave too little";
}
#endif

TEST(Room, Descriptors) {
  EXPECT_TRUE(has_descriptor_headroom());
  const int next = dup(0);
  close(next);
  const Limit limit(RLIMIT_NOFILE, static_cast<rlim_t>(next));
  EXPECT_FALSE(has_descriptor_headroom());
}

}  // namespace
}  // namespace sail
