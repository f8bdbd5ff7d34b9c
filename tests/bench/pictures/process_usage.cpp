#include "tests/bench/pictures/process_usage.h"

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>

#include "sail/core/time/clock.h"

namespace bench {

double cpu_ms(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(in, line);
  const size_t name_end = line.rfind(')');  // the name may contain blanks
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string skipped;
  constexpr int kFieldsBeforeUtime = 11;
  for (int i = 0; i < kFieldsBeforeUtime; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) * 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double thread_cpu_ms(pid_t pid, const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  double sum_ms = 0;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", pid), error)) {
    std::string its_name;
    std::getline(std::ifstream(thread.path() / "comm"), its_name);
    double run_ns = 0;
    if (its_name == name) std::ifstream(thread.path() / "schedstat") >> run_ns;
    sum_ms += run_ns / 1e6;
  }
  return sum_ms;
}

double rss_mb(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  double total = 0;
  double resident = 0;
  in >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

size_t descriptors(pid_t pid) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::directory_iterator open(fmt::format("/proc/{}/fd", pid), error);
  return static_cast<size_t>(std::distance(begin(open), end(open)));
}

Usage::Usage(pid_t pid)
    : pid_(pid), cpu_ms_(bench::cpu_ms(pid)), begin_ns_(sail::steady_now_ns()) {}

double Usage::cpu_pct() const {
  const double time_ms = static_cast<double>(sail::steady_now_ns() - begin_ns_) / 1e6;
  return (bench::cpu_ms(pid_) - cpu_ms_) / time_ms * 100;
}

double cpu_ms(const std::vector<pid_t>& pids) {
  return std::accumulate(pids.begin(), pids.end(), 0.0,
                         [](double sum, pid_t pid) { return sum + cpu_ms(pid); });
}

double thread_cpu_ms(const std::vector<pid_t>& pids, const std::string& name) {
  return std::accumulate(pids.begin(), pids.end(), 0.0,
                         [&](double sum, pid_t pid) { return sum + thread_cpu_ms(pid, name); });
}

double rss_mb(const std::vector<pid_t>& pids) {
  return std::accumulate(pids.begin(), pids.end(), 0.0,
                         [](double sum, pid_t pid) { return sum + rss_mb(pid); });
}

}  // namespace bench
