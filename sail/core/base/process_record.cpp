#include "sail/core/base/process_record.h"

#include <fmt/core.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"

extern "C" {  // the header of glibc 2.36 lacks this
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

// Fields of /proc/PID/stat (proc(5)) after the program's name, which may contain any character.
struct Stat {
  char state = 'X';
  std::string start_ticks;
};
std::optional<Stat> stat_of(pid_t pid) {
  constexpr int kStartTicks = 22 - 3;  // fields after the state, which is field 3
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
  const bool ended = !stat || stat->state == 'Z' || stat->state == 'X';  // a zombie has ended, too
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
  // The pidfd keeps referring to the process that is checked here, even if the pid is reused.
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

// One line per process: "NAME\tPID BEGAN".
ProcessRecord::ProcessRecord(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    if (auto process = process_identity_from(std::string_view(line).substr(tab + 1))) {
      all_[line.substr(0, tab)] = std::move(*process);
    }
  }
}

void ProcessRecord::keep(const std::string& name, pid_t pid) {
  const auto process = identity_of(pid);
  if (!process) return;
  all_[name] = *process;
  if (file_.empty() || !make_private_folder(file_.parent_path())) return;
  std::string text;
  for (const auto& [known, identity] : all_) text += known + '\t' + to_text(identity) + '\n';
  (void)write_private_file(file_, text, Lasting::kThisBoot);
}

void ProcessRecord::forget() {
  all_.clear();
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

std::filesystem::path process_record_file(const std::filesystem::path& folder,
                                          const std::string& manager, const char* kind) {
  return folder.empty() ? folder : folder / (manager + "." + kind);
}

std::filesystem::path process_record_folder() {
  const std::filesystem::path ours = user_state_folder();
  return ours.empty() ? ours : ours / "run";
}

}  // namespace sail
