// CPU load of this machine: how many threads compete for the processors, and the busy programs.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sail {

struct HostLoad {
  int cores = 1;
  double wanting = 0;                 // threads that run or wait for a processor, mean of 3 s
  std::optional<double> waits_pct{};  // percent of these 3 s with waiting threads; empty: unknown
  double own_pct = 0;                 // processor time of this process, percent of one processor
  // Names of the programs that use most processor time; empty unless the machine is overloaded.
  std::vector<std::string> busy{};

  // Runnable threads per processor; at least 1.
  double crowd() const;
  // Whether threads get half of the processor time that they need, or less.
  bool overloaded() const;
  bool operator==(const HostLoad&) const = default;
};

// sample() reads two small files, and every 4 s the process list while the machine is overloaded.
class HostLoadMeter {
 public:
  // proc: tests pass a folder with such files. cores: 0 for the number of processors.
  explicit HostLoadMeter(std::filesystem::path proc = "/proc", int cores = 0);
  // Updates the load. Call about once a second; now_ns is steady time.
  const HostLoad& sample(int64_t now_ns);

 private:
  struct Sample {
    int64_t at_ns = 0;
    double wanting = 0;
    std::optional<int64_t> waited_us{};  // since boot
  };
  void sample_programs(int64_t now_ns);

  const std::filesystem::path proc_;
  std::deque<Sample> samples_;  // one per call, the newest kSamples
  HostLoad load_;
  int64_t own_ns_ = 0;  // this process's processor time at the last call
  std::map<int, std::pair<std::string, uint64_t>> processes_;  // by pid: name, ticks
  int64_t listed_ns_ = 0;                                      // time of the last listing; 0: none
};

}  // namespace sail
