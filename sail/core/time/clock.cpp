#include "sail/core/time/clock.h"

#include <chrono>
#include <filesystem>
#include <fstream>

namespace sail {

int64_t steady_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int64_t calendar_now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// The time namespace is included because a container may have its own.
std::string steady_clock_name() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::error_code error;
  const auto offset = std::filesystem::read_symlink("/proc/self/ns/time", error);
  std::string boot;
  if (!std::getline(file, boot)) return {};
  return boot + offset.string();
}

}  // namespace sail
