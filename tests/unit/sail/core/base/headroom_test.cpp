#include "sail/core/base/headroom.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace sail {
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
