// A network path in between: what comes to its port, over TCP and UDP, goes on to a target and
// back, delayed, lost, reordered and limited as an Impairment says. For tests, measurements and
// demonstrations of what networks do. Thread: the loop's.
//
// Datagrams are lost, reordered, doubled and dropped like packets. TCP loses no bytes: a path that
// loses packets makes them late, and so does the relay (PacketPath::take_stream); a rate that is
// exceeded makes the sender wait.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/relay/impairment.h"
#include "sail/relay/lane.h"

namespace sail {

struct RelayCounters {
  LaneCounters to_target;
  LaneCounters to_client;
  uint64_t connections = 0;  // of TCP
  uint64_t clients = 0;      // that sent datagrams
  uint64_t overruns = 0;     // the relay itself was too slow and lost packets for the target
  uint64_t refused = 0;      // connections, and datagrams of clients, without a target or a place
};

class Relay {
 public:
  // At a numeric address; port 0: the system chooses, the same for TCP and UDP. Errors as
  // TcpListener::listen.
  static Result<std::unique_ptr<Relay>> start(Loop& loop, const Address& listen,
                                              const Impairment& impairment);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  Address address() const;
  // A numeric address; kInvalidParams. Until it is known connections are closed and datagrams
  // dropped.
  Result<void> set_target(const Address& target);
  // For what comes from now on.
  void set_impairment(const Impairment& impairment);
  // Writes down what comes for the target (see TrafficLog). Once, before anything comes.
  Result<void> log_traffic(const std::string& path);
  // Hears each datagram that comes for the target.
  void overhear(std::function<void(std::span<const uint8_t> packet)> listener);
  RelayCounters counters() const;

 private:
  struct Impl;
  explicit Relay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
