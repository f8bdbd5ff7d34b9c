// CPU time and memory of other processes, from /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// User and system time of a running process with all its threads, in ms; 0 if it is gone.
double cpu_ms(pid_t pid);
// Time of its threads with exactly this name.
double thread_cpu_ms(pid_t pid, const std::string& name);
// Resident memory, MB.
double rss_mb(pid_t pid);
// Open file descriptors.
size_t descriptors(pid_t pid);

// Resource usage of a process since construction.
class Usage {
 public:
  explicit Usage(pid_t pid);
  double cpu_pct() const;  // percent of one core
  double rss_mb() const { return bench::rss_mb(pid_); }

 private:
  const pid_t pid_;
  const double cpu_ms_;
  const int64_t begin_ns_;
};

double cpu_ms(const std::vector<pid_t>& pids);
double thread_cpu_ms(const std::vector<pid_t>& pids, const std::string& name);
double rss_mb(const std::vector<pid_t>& pids);

}  // namespace bench
