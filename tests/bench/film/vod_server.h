// A film server's HTTP door before a storage of a known rate, in a process of its own; or before
// disk servers that share that rate, also in it. Its films are called by their Mbit/s: "1.5", "8",
// "125".
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace bench {

class VodServer {
 public:
  // To be called while this process has one thread.
  static sail::Result<VodServer> start(const std::vector<std::string>& films, double peak_mb_per_s,
                                       size_t disks = 0);
  VodServer(VodServer&& other) noexcept;
  VodServer& operator=(VodServer&&) = delete;
  ~VodServer();

  uint16_t port() const { return port_; }
  pid_t pid() const { return pid_; }

 private:
  VodServer() = default;

  pid_t pid_ = -1;
  uint16_t port_ = 0;
  std::string folder_;  // with a name for each film
};

}  // namespace bench
