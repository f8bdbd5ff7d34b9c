// How busy this machine is: how many programs want its processors, and which.
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
  std::optional<double> waits_pct{};  // of these 3 s in which a thread waited; nothing: unknown
  double own_pct = 0;                 // of one processor, that this process took
  // While the machine is overloaded: programs that took most processor time, by name.
  std::vector<std::string> busy{};

  // How many programs share a processor; at least 1.
  double crowd() const;
  // Programs get half the time that they need, or less.
  bool overloaded() const;
  bool operator==(const HostLoad&) const = default;
};

// Reads two small files at each look, and the list of processes only while the machine is
// overloaded, every 4 s.
class HostLoadMeter {
 public:
  // proc: for tests a folder with such files.
  explicit HostLoadMeter(std::filesystem::path proc = "/proc", int cores = 0);
  // To be called about once a second; times are steady.
  const HostLoad& look(int64_t now_ns);

 private:
  struct Sample {
    int64_t at_ns = 0;
    double wanting = 0;
    std::optional<int64_t> waited_us{};  // since the machine's start
  };
  void look_at_programs(int64_t now_ns);

  const std::filesystem::path proc_;
  std::deque<Sample> samples_;  // of the last seconds
  HostLoad load_;
  int64_t own_ns_ = 0;                                         // processor time by the last look
  std::map<int, std::pair<std::string, uint64_t>> processes_;  // by the last list: name, ticks
  int64_t listed_ns_ = 0;                                      // 0: no list is of use
};

}  // namespace sail
