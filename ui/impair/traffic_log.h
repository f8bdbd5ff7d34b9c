// Logs traffic over time as CSV: a line "ms,bytes,packets" for each millisecond with traffic,
// counted from the first packet.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

class TrafficLog {
 public:
  static Result<std::unique_ptr<TrafficLog>> open(const std::string& path);
  ~TrafficLog();  // writes the last line
  TrafficLog(const TrafficLog&) = delete;
  TrafficLog& operator=(const TrafficLog&) = delete;

  // Adds a packet. arrived_ns: steady; an earlier time than before counts as the newest
  // millisecond.
  void add(int64_t arrived_ns, size_t bytes);

 private:
  explicit TrafficLog(std::FILE* file) : file_(file) {}
  void write_line();

  std::FILE* file_;
  int64_t first_ns_ = -1;
  int64_t ms_ = 0;
  uint64_t bytes_ = 0;
  uint64_t packets_ = 0;
};

}  // namespace sail
