// A simulated network path. Forwards TCP and UDP traffic from its port to a target and back, with
// the delay, loss, reordering and rate limit of an Impairment. For tests, measurements and
// demonstrations. Thread: the loop's.
//
// Datagrams are lost, reordered, duplicated and dropped. TCP data is never lost; as on a real path,
// packet loss only delays it (PacketPath::take_stream), and a limited rate slows the sender.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "ui/impair/impairment.h"
#include "ui/impair/packet_path.h"

namespace sail {

struct RelayCounters {
  LaneCounters to_target;
  LaneCounters to_client;
  uint64_t connections = 0;  // TCP connections
  uint64_t clients = 0;      // clients that sent datagrams
  uint64_t overruns = 0;     // how often the relay was too slow and lost packets to the target
  uint64_t refused = 0;      // connections and datagrams: no target, or too many clients
};

class Relay {
 public:
  // Starts on a numeric address; port 0: any, the same for TCP and UDP. Errors as in
  // TcpListener::listen().
  static Result<std::unique_ptr<Relay>> start(Loop& loop, const Address& listen,
                                              const Impairment& impairment);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  Address address() const;
  // Sets the target, a numeric address; otherwise returns kInvalidParams. Without a target,
  // connections are closed and datagrams dropped.
  Result<void> set_target(const Address& target);
  // Applies to traffic from now on.
  void set_impairment(const Impairment& impairment);
  // Logs the traffic to the target (see TrafficLog). Call once, before any traffic.
  Result<void> log_traffic(const std::string& path);
  // Sets a listener that is called with each datagram to the target.
  void overhear(std::function<void(std::span<const uint8_t> packet)> listener);
  RelayCounters counters() const;

 private:
  struct Impl;
  explicit Relay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
