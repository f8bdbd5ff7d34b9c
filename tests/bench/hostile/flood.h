// Datagrams that nobody asked for, as fast as wanted, at a receiver's data port.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace bench {

// Random bytes, packets that look right but for their secret, some cut short, some too long. Sent
// by a thread of its own until it is destroyed.
class Flood {
 public:
  // To that port of this host.
  Flood(uint16_t port, double per_second);
  ~Flood();
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  uint64_t sent() const { return sent_; }

 private:
  void run(uint16_t port, double per_second);

  std::atomic<bool> ended_{false};
  std::atomic<uint64_t> sent_{0};
  std::thread thread_;
};

}  // namespace bench
