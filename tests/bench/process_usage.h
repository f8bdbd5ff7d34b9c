// CPU time and memory of other processes, from /proc.
#pragma once

#include <sys/types.h>

#include <vector>

namespace bench {

// User and system time of a running process with all its threads, ms; 0 when it is gone.
double cpu_ms(pid_t pid);
// Resident memory, MB.
double rss_mb(pid_t pid);

double cpu_ms(const std::vector<pid_t>& pids);
double rss_mb(const std::vector<pid_t>& pids);

}  // namespace bench
