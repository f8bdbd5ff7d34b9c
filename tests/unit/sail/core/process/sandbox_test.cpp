// What a compromised decoder could still do: each attempt runs in its own child process.
#include "sail/core/process/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include "tests/support/temp_folder.h"

namespace sail {
namespace {

constexpr int kRefused = 255;  // the sandbox could not be set up

// Runs `act` in a sandboxed child. Returns its exit code: 0 if the act succeeded, else errno.
int in_sandbox(const std::function<int()>& act, FileRights files = FileRights::kRead) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (!give_up_rights(files)) _exit(kRefused);
    _exit(act());
  }
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  return WEXITSTATUS(status);
}

int errno_unless(bool worked) {
  return worked ? 0 : errno;
}

TEST(Sandbox, TheNetworkIsOutOfReach) {
  for (const int family : {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK}) {
    EXPECT_EQ(in_sandbox([family] { return errno_unless(socket(family, SOCK_DGRAM, 0) >= 0); }),
              EPERM)
        << family;
  }
}

TEST(Sandbox, NoOtherProgramOrProcess) {
  EXPECT_EQ(in_sandbox([] { return errno_unless(execl("/bin/true", "true", nullptr) == 0); }),
            EPERM);
  EXPECT_EQ(in_sandbox([] { return errno_unless(fork() >= 0); }), EPERM);
  EXPECT_EQ(in_sandbox([] { return errno_unless(kill(getppid(), 0) == 0); }), EPERM);
  EXPECT_EQ(in_sandbox([] {
              return errno_unless(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0);
            }),
            EPERM);
}

TEST(Sandbox, NoFileIsChanged) {
  const TempFolder folder;
  const std::string file = folder.write("a", "old");
  const std::string other = folder.file("b");
  const std::function<int()> tries[] = {
      [&] { return errno_unless(open(file.c_str(), O_WRONLY) >= 0); },
      [&] { return errno_unless(open(file.c_str(), O_RDONLY | O_TRUNC) >= 0); },
      [&] { return errno_unless(open(other.c_str(), O_RDONLY | O_CREAT, 0600) >= 0); },
      [&] { return errno_unless(unlink(file.c_str()) == 0); },
      [&] { return errno_unless(rename(file.c_str(), other.c_str()) == 0); },
      [&] { return errno_unless(chmod(file.c_str(), 0) == 0); }};
  for (const auto& one : tries) EXPECT_EQ(in_sandbox(one), EPERM);
}

TEST(Sandbox, WithoutFilesNoneCanBeOpened) {
  const TempFolder folder;
  const std::string file = folder.write("a", "text");
  const auto open_it = [&] { return errno_unless(open(file.c_str(), O_RDONLY) >= 0); };
  EXPECT_EQ(in_sandbox(open_it, FileRights::kRead), 0);
  EXPECT_EQ(in_sandbox(open_it, FileRights::kNone), EPERM);
  EXPECT_EQ(
      in_sandbox([&] { return errno_unless(access(file.c_str(), F_OK) == 0); }, FileRights::kNone),
      EPERM);
}

TEST(Sandbox, NoRightsComeBack) {
  EXPECT_EQ(in_sandbox([] { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); }), 1);
  // The C library's setuid() signals other threads (a sanitizer has one), or aborts.
  EXPECT_EQ(in_sandbox([] { return errno_unless(syscall(SYS_setuid, 0) == 0); }), EPERM);
}

TEST(Sandbox, WhatDecodersNeedStays) {
  const TempFolder folder;
  const std::string file = folder.write("a", "text");
  EXPECT_EQ(in_sandbox([&] {
              int read_bytes = 0;
              std::thread([&] {
                char bytes[8];
                const int opened = open(file.c_str(), O_RDONLY | O_CLOEXEC);
                read_bytes = static_cast<int>(read(opened, bytes, sizeof bytes));
              }).join();
              return read_bytes;
            }),
            4);
}

}  // namespace
}  // namespace sail
