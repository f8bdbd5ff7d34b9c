// A film server's HTTP server with a storage of known rate, in a child process; or with disk
// servers in that process that share the rate. Films are named by their Mbit/s: "1.5", "8", "125".
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace bench {

class VodServer {
 public:
  // Call while this process has one thread.
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
  std::string folder_;  // contains a name for each film
};

}  // namespace bench
