// Attacks on a wall, one at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bench {

struct AttackTarget {
  uint16_t manager_port = 0;
  std::vector<uint16_t> data_ports;  // ports of the receivers
  double seconds = 10;               // time over which counted attacks are spread
  int addresses = 1;                 // number of source addresses
};

using Attack = void (*)(const AttackTarget&);  // never returns

struct NamedAttack {
  const char* name;
  const char* what;
  Attack run;
};
const std::vector<NamedAttack>& attacks();
// Returns null if there is no attack of this name.
const NamedAttack* attack_named(const std::string& name);

// Sends unsolicited datagrams to a receiver's data port at a given rate: random bytes, valid
// packets with a wrong secret, truncated ones, too long ones. Sent by a separate thread until
// destroyed.
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
