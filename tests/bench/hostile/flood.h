// Sends unsolicited datagrams to a receiver's data port at a given rate.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace bench {

// Random bytes, valid packets with a wrong secret, truncated ones, too long ones. Sent by a
// separate thread until destroyed.
class Flood {
 public:
  // Sends to this port on this host.
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
