// The lock of a manager's state folder.
#include "manager/failover/state_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temp_folder.h"

namespace manager {
namespace {

TEST(StateLock, IsTheFirstManagersUntilItEnds) {
  const sail::TempFolder folder;
  const std::filesystem::path state = folder.path() / "wall";
  const pid_t first = fork();
  if (first == 0) {
    const bool locked = lock_state_folder(state, 0).has_value();
    const auto again = lock_state_folder(state, 0);
    _exit(locked && !again && again.error().code == sail::ErrorCode::kConflict ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(first, &status, 0), first);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(lock_state_folder(state, 0)) << "the first one has ended";
  const auto second = lock_state_folder(state, 0);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message,
              testing::HasSubstr("another manager uses the state folder " + state.string()));
}

TEST(StateLock, OfAFolderThatCannotBeIsNoConflict) {
  const sail::TempFolder folder;
  folder.write("file", "x");
  const auto locked = lock_state_folder(folder.path() / "file", 0);
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, sail::ErrorCode::kIo);
}

}  // namespace
}  // namespace manager
