#include "sail/core/socket/memory_handover.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace sail {
namespace {

constexpr size_t kHandedBytes = 10000;

std::unique_ptr<SealedMemory> some_memory() {
  return *SealedMemory::create("test", kHandedBytes, SealedMemory::Others::kRead);
}

ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

class MemoryHandover : public testing::Test {
 protected:
  // A peer that sends these descriptors in one message.
  void send(const std::vector<int>& descriptors) const {
    const Descriptor peer(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = fmt::format("vitrail-{:02x}", fmt::join(listener_->name(), ""));
    std::ranges::copy(name, address.sun_path + 1);
    const size_t size = offsetof(sockaddr_un, sun_path) + 1 + name.size();
    ASSERT_EQ(connect(peer.get(), reinterpret_cast<const sockaddr*>(&address),
                      static_cast<socklen_t>(size)),
              0);
    char byte = 0;
    iovec part{&byte, 1};
    const size_t bytes = descriptors.size() * sizeof(int);
    std::vector<cmsghdr> control(CMSG_SPACE(bytes) / sizeof(cmsghdr) + 1);
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
      message.msg_control = control.data();
      message.msg_controllen = CMSG_SPACE(bytes);
      cmsghdr* rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(bytes);
      std::memcpy(CMSG_DATA(rights), descriptors.data(), bytes);
    }
    ASSERT_EQ(sendmsg(peer.get(), &message, 0), 1);
  }

  const std::unique_ptr<MemoryListener> listener_ = *MemoryListener::open();
  const std::unique_ptr<SealedMemory> memory_ = some_memory();
};

TEST_F(MemoryHandover, BringsTheBytes) {
  memory_->bytes()[9999] = 42;
  ASSERT_TRUE(hand_over(*memory_, listener_->name()));
  const auto taken = listener_->take(kHandedBytes);
  ASSERT_TRUE(taken) << taken.error().message;
  uint8_t byte = 0;
  EXPECT_EQ(pread(taken->get(), &byte, 1, 9999), 1);
  EXPECT_EQ(byte, 42);
}

TEST_F(MemoryHandover, WithoutAListenerFails) {
  MemoryName other = listener_->name();
  ++other[3];
  const auto done = hand_over(*memory_, other);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kIo);
}

TEST_F(MemoryHandover, WithoutDescriptorsFails) {
  const auto memory = some_memory();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  const auto listener = MemoryListener::open();
  const auto handed = hand_over(*memory, MemoryName{});
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(listener);
  EXPECT_EQ(listener.error().code, ErrorCode::kIo);
  ASSERT_FALSE(handed);
  EXPECT_EQ(handed.error().code, ErrorCode::kIo);
}

TEST_F(MemoryHandover, ThatDidNotHappenIsToldAtOnce) {
  const auto taken = listener_->take(kHandedBytes);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::kIo);
}

TEST_F(MemoryHandover, OfOtherMemoryThanAnnouncedIsRefused) {
  ASSERT_TRUE(hand_over(*memory_, listener_->name()));
  EXPECT_EQ(listener_->take(kHandedBytes + 1).error().code, ErrorCode::kBadData);
  const Descriptor unsealed(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(ftruncate(unsealed.get(), kHandedBytes), 0);
  send({unsealed.get()});
  EXPECT_EQ(listener_->take(kHandedBytes).error().code, ErrorCode::kBadData);
}

// In a process of its own, which ends with the user's result.
int as_another_user(const std::function<bool()>& act) {
  const pid_t child = fork();
  if (child == 0) _exit(seteuid(65534) == 0 && act() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(MemoryHandover, ToAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a second user";
  EXPECT_EQ(as_another_user([this] {
              const auto done = hand_over(*memory_, listener_->name());
              return !done && done.error().code == ErrorCode::kUnauthorized;
            }),
            0);
}

TEST_F(MemoryHandover, OfAnotherUserIsPassedOver) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a second user";
  EXPECT_EQ(as_another_user([this] {
              send({memory_->descriptor().get()});
              return !HasFailure();
            }),
            0);
  ASSERT_TRUE(hand_over(*memory_, listener_->name()));
  EXPECT_TRUE(listener_->take(kHandedBytes));
  EXPECT_EQ(as_another_user([this] {
              send({memory_->descriptor().get()});
              return !HasFailure();
            }),
            0);
  EXPECT_FALSE(listener_->take(kHandedBytes));
}

TEST_F(MemoryHandover, OfNoneOrManyDescriptorsIsRefusedAndLeavesNoneOpen) {
  const int file = memory_->descriptor().get();
  for (const size_t count : {0U, 2U, 4U, 5U, 100U}) {
    const ptrdiff_t before = open_descriptors();
    send(std::vector<int>(count, file));
    EXPECT_EQ(listener_->take(kHandedBytes).error().code, ErrorCode::kBadData) << count;
    EXPECT_EQ(open_descriptors(), before) << count;
  }
}

}  // namespace
}  // namespace sail
