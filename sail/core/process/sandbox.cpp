#include "sail/core/process/sandbox.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace sail {
namespace {

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// System calls of decoders, the C library and their threads. Names unknown here are ignored.
constexpr const char* kAllowed[] = {
    // memory
    "brk", "mmap", "mmap2", "munmap", "mremap", "mprotect", "madvise", "membarrier",
    // open files, and communication among threads
    "fstat", "fstat64", "read", "readv", "pread64", "preadv", "lseek", "_llseek", "close", "dup",
    "dup2", "dup3", "fcntl", "fcntl64", "flock", "write", "writev", "pipe", "pipe2", "eventfd2",
    "poll", "ppoll", "select", "_newselect", "pselect6", "epoll_create1", "epoll_ctl", "epoll_wait",
    "epoll_pwait",
    // threads and locks
    "futex", "futex_time64", "set_robust_list", "get_robust_list", "rseq", "set_tid_address",
    "gettid", "getpid", "getppid", "exit", "exit_group", "sched_yield", "sched_getaffinity",
    "sched_getattr", "sched_getparam", "sched_getscheduler", "getpriority", "arch_prctl", "prctl",
    // time and signals
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_nanosleep", "nanosleep",
    "gettimeofday", "time", "times", "alarm", "setitimer", "rt_sigaction", "rt_sigprocmask",
    "rt_sigreturn", "sigreturn", "sigaltstack", "restart_syscall",
    // system information
    "uname", "sysinfo", "getuid", "geteuid", "getgid", "getegid", "getuid32", "geteuid32",
    "getgid32", "getegid32", "getrandom", "getrusage", "getrlimit", "ugetrlimit", "getcpu"};

constexpr const char* kAllowedForReading[] = {
    "access",     "faccessat",  "faccessat2",   "stat",       "stat64", "lstat",
    "lstat64",    "newfstatat", "fstatat64",    "statx",      "statfs", "statfs64",
    "fstatfs",    "fstatfs64",  "readlink",     "readlinkat", "getcwd", "getdents",
    "getdents64", "fadvise64",  "fadvise64_64", "readahead"};

int allow(scmp_filter_ctx filter, const char* name) {
  const int number = seccomp_syscall_resolve_name(name);
  return number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
}

// Allows open and openat for reading only.
int allow_reading(scmp_filter_ctx filter) {
  for (const char* name : kAllowedForReading) {
    if (const int error = allow(filter, name); error != 0) return error;
  }
  constexpr unsigned kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  const int error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                                     scmp_arg_cmp{1, SCMP_CMP_MASKED_EQ, kWriting, 0});
  if (error != 0) return error;
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                          scmp_arg_cmp{2, SCMP_CMP_MASKED_EQ, kWriting, 0});
}

// Allows signals to and limits of this process only.
int allow_self(scmp_filter_ctx filter) {
  const int error =
      seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                       scmp_arg_cmp{0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid()), 0});
  if (error != 0) return error;
  return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                          scmp_arg_cmp{0, SCMP_CMP_EQ, 0, 0});
}

// Allows clone for threads only. clone3 is reported as missing, because its flags cannot be
// checked; the C library then uses clone.
int allow_threads(scmp_filter_ctx filter) {
  const int error =
      seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                       scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD});
  if (error != 0) return error;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

}  // namespace

Result<void> give_up_rights(FileRights files) {
  // May fail, depending on the kernel. The filter forbids the network in any case.
  (void)unshare(CLONE_NEWUSER | CLONE_NEWNET);
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  int error = filter ? 0 : -ENOMEM;
  for (const char* name : kAllowed) {
    if (error == 0) error = allow(filter.get(), name);
  }
  if (error == 0 && files == FileRights::kRead) error = allow_reading(filter.get());
  if (error == 0) error = allow_self(filter.get());
  if (error == 0) error = allow_threads(filter.get());
  // Also sets no_new_privs: setuid programs cannot regain rights.
  if (error == 0) error = seccomp_load(filter.get());
  if (error == 0) return {};
  return fail(ErrorCode::kInternal,
              fmt::format("cannot enter the sandbox: {}", std::strerror(-error)));
}

}  // namespace sail
