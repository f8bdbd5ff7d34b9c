#include "sail/base/process_identity.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

extern "C" {  // glibc 2.36 forgets to say so itself
#include <sys/pidfd.h>
}

namespace sail {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// What is read from /proc/PID/stat (proc(5)), behind the program's name, which may hold anything.
struct Stat {
  char state = 'X';
  std::string start_ticks;
};
std::optional<Stat> stat_of(pid_t pid) {
  constexpr int kStartTicks = 22 - 3;  // fields behind the state, which is the third
  const std::string line = first_line(fmt::format("/proc/{}/stat", pid));
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(line.substr(name_end + 1));
  Stat stat;
  fields >> stat.state;
  for (int i = 0; i < kStartTicks; ++i) fields >> stat.start_ticks;
  return fields ? std::optional(stat) : std::nullopt;
}

}  // namespace

std::optional<ProcessIdentity> identity_of(pid_t pid) {
  const auto stat = stat_of(pid);
  const bool ended =
      !stat || stat->state == 'Z' || stat->state == 'X';  // nobody may have asked how
  if (ended) return std::nullopt;
  const std::string boot = first_line("/proc/sys/kernel/random/boot_id");
  return ProcessIdentity{pid, fmt::format("{}/{}", boot, stat->start_ticks)};
}

bool is_running(const ProcessIdentity& process) {
  return identity_of(process.pid) == process;
}

void signal_process(const ProcessIdentity& process, int number) {
  const int handle = pidfd_open(process.pid, 0);
  if (handle < 0) return;
  // Whatever the number means from now on: the handle is of whom we look at here.
  if (is_running(process)) pidfd_send_signal(handle, number, nullptr, 0);
  close(handle);
}

std::string to_text(const ProcessIdentity& process) {
  return fmt::format("{} {}", process.pid, process.began);
}

std::optional<ProcessIdentity> process_identity_from(std::string_view text) {
  ProcessIdentity process;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, process.pid);
  if (error != std::errc() || process.pid <= 0 || stop == end || *stop != ' ') return std::nullopt;
  process.began.assign(stop + 1, end);
  return process;
}

}  // namespace sail
