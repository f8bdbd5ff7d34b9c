#include "sail/core/base/environment.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace sail {
namespace {

namespace fs = std::filesystem;

// The XDG conventions ignore relative paths.
fs::path absolute_in(const char* variable) {
  fs::path path = environment(variable);
  return path.is_absolute() ? path : fs::path();
}

fs::path ours(const char* variable, const char* in_home) {
  if (const fs::path folder = absolute_in(variable); !folder.empty()) return folder / "vitrail";
  if (const fs::path home = absolute_in("HOME"); !home.empty()) return home / in_home / "vitrail";
  return {};
}

}  // namespace

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool takes_control_codes() {
  const std::string terminal = environment("TERM");
  return isatty(STDERR_FILENO) == 1 && !terminal.empty() && terminal != "dumb";
}

fs::path user_state_folder() {
  return ours("XDG_STATE_HOME", ".local/state");
}

fs::path user_data_folder() {
  return ours("XDG_DATA_HOME", ".local/share");
}

fs::path user_config_folder() {
  return ours("XDG_CONFIG_HOME", ".config");
}

void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 65536;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kEnough));
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Linux ignores a limit of 0 if core_pattern names a program, but not a limit of 1.
void prevent_core_dumps() {
  rlimit limit{};
  getrlimit(RLIMIT_CORE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 1);
  setrlimit(RLIMIT_CORE, &limit);
}

bool has_memory_headroom(size_t bytes) {
  const size_t all = bytes + kMemoryHeadroom;
  void* tried = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return tried != MAP_FAILED && munmap(tried, all) == 0;
}

Result<void> ask_for_memory(size_t bytes, const char* what) {
  if (has_memory_headroom(bytes)) return {};
  return fail(ErrorCode::kLimit, fmt::format("not enough memory for {}", what));
}

bool has_descriptor_headroom() {
  const int one = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return one >= 0 && close(one) == 0;
}

}  // namespace sail
