// CPU time and memory of other processes, from /proc.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

// User and system time of a running process with all its threads, ms; 0 when it is gone.
double cpu_ms(pid_t pid);
// The time of its threads of exactly that name.
double thread_cpu_ms(pid_t pid, const std::string& name);
// Resident memory, MB.
double rss_mb(pid_t pid);
// Open ones.
size_t descriptors(pid_t pid);

// What one takes of the machine from now on.
class Usage {
 public:
  explicit Usage(pid_t pid);
  double cpu_pct() const;  // of a core
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
