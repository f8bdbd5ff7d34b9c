#include "sail/core/base/sealed_memory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace sail {
namespace {

using Others = SealedMemory::Others;

constexpr size_t kMemoryBytes = 10000;

Descriptor copy_of(const SealedMemory& memory) {
  return Descriptor(dup(memory.descriptor().get()));
}

bool can_be_mapped(const SealedMemory& memory, int protection) {
  void* mapped = mmap(nullptr, kMemoryBytes, protection, MAP_SHARED, memory.descriptor().get(), 0);
  if (mapped == MAP_FAILED) return false;
  munmap(mapped, kMemoryBytes);
  return true;
}

TEST(SealedMemory, HasTheSameBytesForBoth) {
  const auto ours = SealedMemory::create("test", kMemoryBytes, Others::kWrite);
  ASSERT_TRUE(ours) << ours.error().message;
  const auto theirs = SealedMemory::attach(copy_of(**ours), kMemoryBytes);
  ASSERT_TRUE(theirs) << theirs.error().message;
  (*ours)->bytes().back() = 1;
  (*theirs)->bytes().front() = 2;
  EXPECT_EQ((*theirs)->bytes().back(), 1);
  EXPECT_EQ((*ours)->bytes().front(), 2);
}

TEST(SealedMemory, OthersOnlyReadWhatIsForReading) {
  const auto memory = SealedMemory::create("test", kMemoryBytes, Others::kRead);
  ASSERT_TRUE(memory) << memory.error().message;
  (*memory)->bytes()[5] = 7;
  EXPECT_TRUE(can_be_mapped(**memory, PROT_READ));
  EXPECT_FALSE(can_be_mapped(**memory, PROT_READ | PROT_WRITE));
  EXPECT_LT(pwrite((*memory)->descriptor().get(), "x", 1, 5), 0);
  EXPECT_EQ((*memory)->bytes()[5], 7);
  EXPECT_FALSE(SealedMemory::attach(copy_of(**memory), kMemoryBytes));
}

TEST(SealedMemory, KeepsItsSize) {
  for (const Others others : {Others::kRead, Others::kWrite}) {
    const auto memory = SealedMemory::create("test", kMemoryBytes, others);
    ASSERT_TRUE(memory) << memory.error().message;
    const int file = (*memory)->descriptor().get();
    EXPECT_NE(ftruncate(file, 0), 0);
    EXPECT_NE(ftruncate(file, 1 << 20), 0);
    EXPECT_NE(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE), 0);
  }
}

TEST(SealedMemory, ThatIsNotAsAnnouncedIsRefused) {
  const auto memory = SealedMemory::create("test", kMemoryBytes, Others::kWrite);
  ASSERT_TRUE(memory) << memory.error().message;
  EXPECT_TRUE(SealedMemory::check((*memory)->descriptor(), kMemoryBytes));
  for (const size_t bytes : {size_t{0}, kMemoryBytes - 1, kMemoryBytes + 1, SIZE_MAX}) {
    EXPECT_FALSE(SealedMemory::check((*memory)->descriptor(), bytes)) << bytes;
  }
  for (const int seals : {0, F_SEAL_GROW, F_SEAL_SHRINK}) {
    const Descriptor file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    ASSERT_EQ(ftruncate(file.get(), kMemoryBytes), 0);
    ASSERT_EQ(fcntl(file.get(), F_ADD_SEALS, seals), 0);
    EXPECT_FALSE(SealedMemory::check(file, kMemoryBytes)) << seals;
  }
  EXPECT_FALSE(SealedMemory::check(Descriptor(open("/dev/null", O_RDWR | O_CLOEXEC)), 0));
  EXPECT_FALSE(SealedMemory::check(Descriptor(-1), kMemoryBytes));
}

// The process has little of a resource.
class Limited {
 public:
  Limited(__rlimit_resource_t resource, rlim_t most) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit now{.rlim_cur = most, .rlim_max = before_.rlim_max};
    setrlimit(resource_, &now);
  }
  ~Limited() { setrlimit(resource_, &before_); }

 private:
  __rlimit_resource_t resource_;
  rlimit before_{};
};

// Without the check, the system ends the process.
TEST(SealedMemory, LargerThanFilesMayBeIsAnError) {
  const Limited little(RLIMIT_FSIZE, kMemoryBytes - 1);
  const auto memory = SealedMemory::create("test", kMemoryBytes, Others::kRead);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::kIo);
  EXPECT_NE(memory.error().message.find("ulimit -f"), std::string::npos);
}

TEST(SealedMemory, WithoutADescriptorIsAnError) {
  const Limited none(RLIMIT_NOFILE, 0);
  const auto memory = SealedMemory::create("test", kMemoryBytes, Others::kRead);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::kIo);
}

TEST(SealedMemory, NeedsNoLockedMemory) {
  const Limited none(RLIMIT_MEMLOCK, 0);
  EXPECT_TRUE(SealedMemory::create("test", kMemoryBytes, Others::kRead));
}

}  // namespace
}  // namespace sail
