#include "sail/core/process/program_sandbox.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "sail/core/base/descriptor.h"

namespace sail {
namespace {

// Rights of the first version of Landlock (Linux 5.13).
constexpr uint64_t kReadFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
constexpr uint64_t kOfFiles = kReadFile | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr uint64_t kRead = kReadFile | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t kAll = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

// Calls that reach other processes, the network, or files in ways that Landlock does not check.
// Names unknown here are ignored.
constexpr const char* kForbidden[] = {
    "connect", "sendmsg", "sendmmsg", "kill", "tkill", "pidfd_open", "pidfd_send_signal",
    "pidfd_getfd", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "ptrace", "process_vm_readv",
    "process_vm_writev", "process_madvise", "kcmp", "setpgid", "setsid",
    // memory and queues that programs share
    "shmget", "shmat", "shmctl", "msgget", "semget", "mq_open", "mq_unlink",
    // attributes of files
    "truncate", "truncate64", "chmod", "fchmodat", "fchmodat2", "chown", "chown32", "lchown",
    "lchown32", "fchownat", "setxattr", "lsetxattr", "removexattr", "lremovexattr", "utime",
    "utimes", "utimensat", "utimensat_time64", "futimesat", "open_by_handle_at",
    // the system
    "mount", "umount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
    "mount_setattr", "pivot_root", "chroot", "setns", "unshare", "bpf", "keyctl", "add_key",
    "request_key", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module",
    "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "syslog", "acct", "quotactl",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname",
    "iopl", "ioperm"};
// Calls whose arguments cannot be checked. The C library has others for the same purpose.
constexpr const char* kMissing[] = {"clone3", "openat2", "io_uring_setup", "io_uring_enter",
                                    "io_uring_register"};

Result<void> failed(const char* step) {
  return fail(ErrorCode::kInternal,
              fmt::format("cannot enter the sandbox: {}: {}", step, std::strerror(errno)));
}

bool allow_path(int rules, const std::string& path, uint64_t access) {
  const Descriptor opened(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat found {};
  if (opened.get() < 0 || fstat(opened.get(), &found) != 0) return errno == ENOENT;
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = S_ISDIR(found.st_mode) ? access : access & kOfFiles;
  beneath.parent_fd = opened.get();
  return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
}

Result<void> confine_files(const ProgramRights& rights) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = kAll;
  const Descriptor rules(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0)));
  if (rules.get() < 0) {
    return fail(ErrorCode::kUnavailable,
                "cannot enter the sandbox: this kernel has no Landlock; start it with landlock in "
                "its lsm= option");
  }
  for (const std::string& path : rights.readable) {
    if (!allow_path(rules.get(), path, kRead)) return failed(path.c_str());
  }
  if (!allow_path(rules.get(), rights.writable, kAll)) return failed(rights.writable.c_str());
  if (!allow_path(rules.get(), "/dev/null", kOfFiles)) return failed("/dev/null");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
  if (syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0) return failed("landlock");
  return {};
}

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

int forbid(scmp_filter_ctx filter, const char* name, int error) {
  const int number = seccomp_syscall_resolve_name(name);
  if (number == __NR_SCMP_ERROR) return 0;
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), number, 0);
}

int forbid_if(scmp_filter_ctx filter, int number, const scmp_arg_cmp& condition) {
  return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 1, condition);
}

// Opening a file for reading can cut it; the first versions of Landlock do not see that.
constexpr unsigned kCuts = O_ACCMODE | O_TRUNC;

int add_rules(scmp_filter_ctx filter) {
  for (const char* name : kForbidden) {
    if (const int error = forbid(filter, name, EPERM); error != 0) return error;
  }
  for (const char* name : kMissing) {
    if (const int error = forbid(filter, name, ENOSYS); error != 0) return error;
  }
  // LibreOffice ends if it cannot listen for other instances of LibreOffice. These calls succeed
  // without an effect.
  for (const char* name : {"bind", "listen"}) {
    if (const int error = forbid(filter, name, 0); error != 0) return error;
  }
  const struct {
    int number;
    scmp_arg_cmp condition;
  } conditions[] = {{SCMP_SYS(socket), {0, SCMP_CMP_NE, AF_UNIX, 0}},
                    {SCMP_SYS(prlimit64), {0, SCMP_CMP_NE, 0, 0}},
                    {SCMP_SYS(clone), {0, SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER}},
                    {SCMP_SYS(open), {1, SCMP_CMP_MASKED_EQ, kCuts, O_TRUNC}},
                    {SCMP_SYS(openat), {2, SCMP_CMP_MASKED_EQ, kCuts, O_TRUNC}},
                    // A datagram with an address reaches a socket that was never connected.
                    {SCMP_SYS(sendto), {4, SCMP_CMP_NE, 0, 0}}};
  for (const auto& one : conditions) {
    const int error = forbid_if(filter, one.number, one.condition);
    if (error != 0) return error;
  }
  return 0;
}

Result<void> confine_calls() {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), seccomp_release);
  int error = filter ? add_rules(filter.get()) : -ENOMEM;
  if (error == 0) error = seccomp_load(filter.get());
  if (error == 0) return {};
  errno = -error;
  return failed("seccomp");
}

bool limit(__rlimit_resource_t resource, uint64_t most) {
  const rlimit both{most, most};
  return setrlimit(resource, &both) == 0;
}

}  // namespace

Result<void> confine(const ProgramRights& rights) {
  if (!limit(RLIMIT_DATA, rights.most_memory_bytes) || !limit(RLIMIT_CPU, rights.most_cpu_s) ||
      !limit(RLIMIT_FSIZE, rights.most_file_bytes) || !limit(RLIMIT_CORE, 0)) {
    return failed("limits");
  }
  if (auto confined = confine_files(rights); !confined) return confined;
  return confine_calls();
}

}  // namespace sail
