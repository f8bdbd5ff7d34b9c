#include "ui/impair/traffic_log.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>

namespace sail {

Result<std::unique_ptr<TrafficLog>> TrafficLog::open(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  fmt::print(file, "ms,bytes,packets\n");
  return std::unique_ptr<TrafficLog>(new TrafficLog(file));
}

TrafficLog::~TrafficLog() {
  write_line();
  std::fclose(file_);
}

void TrafficLog::add(int64_t arrived_ns, size_t bytes) {
  if (first_ns_ < 0) first_ns_ = arrived_ns;
  const int64_t ms = (arrived_ns - first_ns_) / 1'000'000;
  if (ms > ms_) {
    write_line();
    ms_ = ms;
    bytes_ = 0;
    packets_ = 0;
  }
  bytes_ += bytes;
  ++packets_;
}

void TrafficLog::write_line() {
  if (packets_ > 0) fmt::print(file_, "{},{},{}\n", ms_, bytes_, packets_);
}

}  // namespace sail
