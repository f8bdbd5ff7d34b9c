// The TCP connections of a relay, in both directions. The relay terminates both connections, so the
// congestion control of each side does not see the delay and rate of the simulated path. Thread:
// the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "ui/impair/packet_path.h"

namespace sail {

class TcpRelay {
 public:
  static constexpr size_t kMaxConnections = 256;

  // The lanes must outlive this object.
  TcpRelay(Loop& loop, Lane& to_target, Lane& to_client);
  ~TcpRelay();
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;

  // Existing connections keep their target.
  void set_target(const Address& target) { target_ = target; }
  // Logs data to the target, each read as one packet; null: no log.
  void set_log(TrafficLog* log) { log_ = log; }
  // Accepts a client; closes it if there is no target, or too many connections.
  void take(std::unique_ptr<TcpConnection> client);

  uint64_t connections() const { return next_; }
  uint64_t refused() const { return refused_; }

 private:
  struct Pair;
  void connected(uint32_t id, Result<std::unique_ptr<TcpConnection>> target);

  Loop& loop_;
  Lane& to_target_;
  Lane& to_client_;
  TrafficLog* log_ = nullptr;
  std::optional<Address> target_;
  std::map<uint32_t, std::unique_ptr<Pair>> pairs_;
  uint32_t next_ = 0;
  uint64_t refused_ = 0;
};

}  // namespace sail
