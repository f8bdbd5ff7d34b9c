#include "sail/core/base/host_load.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSamples = 4;  // span three seconds
constexpr int64_t kListedAgainNs = 4 * kSecondNs;
constexpr size_t kMostProcesses = 4096;
constexpr size_t kMostNames = 3;
constexpr double kCrowded = 2;      // threads per processor
constexpr double kWaitingPct = 40;  // percent of the time

std::string first_line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

// The number after the first `word` in the line; empty if there is no such number.
std::optional<int64_t> number_behind(std::string_view line, std::string_view word) {
  const size_t at = line.find(word);
  int64_t number = 0;
  if (at == std::string_view::npos) return std::nullopt;
  const char* begin = line.data() + at + word.size();
  const auto read = std::from_chars(begin, line.data() + line.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// In "0.20 0.18 0.12 5/80 11206", 5 of 80 threads run or wait for a processor, including this one.
double wanting_now(const std::string& loadavg) {
  std::istringstream words(loadavg);
  std::string word;
  for (int i = 0; i < 4; ++i) words >> word;
  return std::max(0.0, static_cast<double>(number_behind(word, "").value_or(1)) - 1);
}

int64_t own_time_ns() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto ns = [](const timeval& time) {
    return int64_t{time.tv_sec} * kSecondNs + int64_t{time.tv_usec} * 1000;
  };
  return ns(usage.ru_utime) + ns(usage.ru_stime);
}

// Name and processor time in ticks from a line of /proc/PID/stat (proc(5)).
std::optional<std::pair<std::string, uint64_t>> program_of(const std::string& stat) {
  constexpr int kUserTicks = 14 - 3;  // fields after the state, which is field 3
  const size_t begin = stat.find('(');
  const size_t end = stat.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(end + 1));
  std::string field;
  for (int i = 0; i < kUserTicks; ++i) fields >> field;
  uint64_t user = 0;
  uint64_t system = 0;
  fields >> user >> system;
  if (!fields) return std::nullopt;
  return std::pair(stat.substr(begin + 1, end - begin - 1), user + system);
}

}  // namespace

double HostLoad::crowd() const {
  return std::max(1.0, wanting / cores);
}

bool HostLoad::overloaded() const {
  return crowd() >= kCrowded && waits_pct.value_or(100) >= kWaitingPct;
}

HostLoadMeter::HostLoadMeter(fs::path proc, int cores) : proc_(std::move(proc)) {
  const auto found = static_cast<int>(std::thread::hardware_concurrency());
  load_.cores = std::max(1, cores != 0 ? cores : found);
}

const HostLoad& HostLoadMeter::sample(int64_t now_ns) {
  const int64_t own_ns = own_time_ns();
  if (!samples_.empty()) {
    const auto passed_ns = std::max<int64_t>(now_ns - samples_.back().at_ns, 1);
    load_.own_pct = 100 * static_cast<double>(own_ns - own_ns_) / static_cast<double>(passed_ns);
  }
  own_ns_ = own_ns;
  samples_.push_back({.at_ns = now_ns,
                      .wanting = wanting_now(first_line_of(proc_ / "loadavg")),
                      .waited_us = number_behind(first_line_of(proc_ / "pressure/cpu"), "total=")});
  if (samples_.size() > kSamples) samples_.pop_front();
  double sum = 0;
  for (const Sample& sample : samples_) sum += sample.wanting;
  load_.wanting = sum / static_cast<double>(samples_.size());
  const Sample& first = samples_.front();
  const Sample& last = samples_.back();
  load_.waits_pct.reset();
  if (first.waited_us && last.waited_us && last.at_ns > first.at_ns) {
    const auto waited_ns = static_cast<double>(*last.waited_us - *first.waited_us) * 1e3;
    load_.waits_pct =
        std::clamp(100 * waited_ns / static_cast<double>(last.at_ns - first.at_ns), 0.0, 100.0);
  }
  if (load_.overloaded()) {
    sample_programs(now_ns);
  } else {
    load_.busy.clear();
    processes_.clear();
    listed_ns_ = 0;
  }
  return load_;
}

// Compares two listings: the second follows a second after the first.
void HostLoadMeter::sample_programs(int64_t now_ns) {
  const int64_t pause_ns = load_.busy.empty() ? kSecondNs / 2 : kListedAgainNs;
  if (listed_ns_ != 0 && now_ns - listed_ns_ < pause_ns) return;
  listed_ns_ = now_ns;
  std::map<int, std::pair<std::string, uint64_t>> processes;
  std::map<std::string, uint64_t> ticks;  // since the last listing, by program name
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(proc_, error)) {
    const std::string name = folder.path().filename();
    int pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid <= 0 || processes.size() >= kMostProcesses) continue;
    const auto program = program_of(first_line_of(folder.path() / "stat"));
    if (!program) continue;
    const auto before = processes_.find(pid);
    const bool known = before != processes_.end() && before->second.second <= program->second;
    ticks[program->first] += program->second - (known ? before->second.second : 0);
    processes.emplace(pid, *program);
  }
  const bool first = std::exchange(processes_, std::move(processes)).empty();
  if (first) return;
  std::vector<std::pair<uint64_t, std::string>> sorted;
  for (const auto& [name, took] : ticks) {
    if (took > 0) sorted.emplace_back(took, name);
  }
  std::ranges::sort(sorted, std::greater<>());
  load_.busy.clear();
  for (const auto& [took, name] : sorted) {
    if (load_.busy.size() < kMostNames) load_.busy.push_back(name);
  }
}

}  // namespace sail
