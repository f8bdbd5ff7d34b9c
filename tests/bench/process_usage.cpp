#include "tests/bench/process_usage.h"

#include <fmt/core.h>
#include <unistd.h>

#include <fstream>
#include <numeric>
#include <sstream>
#include <string>

namespace bench {

double cpu_ms(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(in, line);
  const size_t name_end = line.rfind(')');  // the name may hold blanks
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

double rss_mb(pid_t pid) {
  std::ifstream in(fmt::format("/proc/{}/statm", pid));
  double total = 0;
  double resident = 0;
  in >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

double cpu_ms(const std::vector<pid_t>& pids) {
  return std::accumulate(pids.begin(), pids.end(), 0.0,
                         [](double sum, pid_t pid) { return sum + cpu_ms(pid); });
}

double rss_mb(const std::vector<pid_t>& pids) {
  return std::accumulate(pids.begin(), pids.end(), 0.0,
                         [](double sum, pid_t pid) { return sum + rss_mb(pid); });
}

}  // namespace bench
