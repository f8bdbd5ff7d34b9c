// The datagrams of a relay, in both directions. Each client gets its own socket to the target, so
// that replies can be assigned to it. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/socket/udp.h"
#include "ui/impair/delayed_packets.h"
#include "ui/impair/packet_path.h"

namespace sail {

class UdpRelay : private UdpReader {
 public:
  static constexpr size_t kMaxClients = 64;
  static constexpr int64_t kIdleMs = 60000;  // idle time after which a client is removed
  // Limit of bytes in transit, in each direction.
  static constexpr size_t kMaxWaitingBytes = size_t{128} << 20;

  // The lanes must outlive this object.
  UdpRelay(Loop& loop, std::unique_ptr<UdpSocket> socket, Lane& to_target, Lane& to_client);
  ~UdpRelay() override;

  // Sets the target, a numeric address; otherwise returns kInvalidParams. A new target resets the
  // clients and drops packets in transit to the old one.
  Result<void> set_target(const Address& target);
  // Logs packets to the target as they arrive; null: no log.
  void set_log(TrafficLog* log) { log_ = log; }
  using Listener = std::function<void(std::span<const uint8_t> packet)>;
  void set_listener(Listener listener) { listener_ = std::move(listener); }
  // Returns the number of packets refused without a target or above the limit of clients.
  uint64_t refused() const { return refused_; }
  uint64_t clients() const { return next_flow_; }
  // Returns how often client packets were lost because the relay was too slow (UdpSocket::dropped).
  uint64_t overruns() const { return socket_->dropped(); }

 private:
  struct Flow;
  void on_datagrams(std::span<const Datagram> datagrams) override;
  void on_answers(Flow& flow, std::span<const Datagram> datagrams);
  Flow* flow_of(const UdpPeer& client);
  Flow* flow_of(uint32_t id);
  void take(Lane& lane, DelayedPackets& queue, uint32_t flow, const Datagram& datagram);
  void send_due();
  bool send_to_target(int64_t now_ns);
  void send_to_clients(int64_t now_ns);
  void forget_idle_clients();

  Loop& loop_;
  const std::unique_ptr<UdpSocket> socket_;
  Lane& to_target_;
  Lane& to_client_;
  TrafficLog* log_ = nullptr;
  Listener listener_;
  std::optional<Address> target_;
  std::vector<std::unique_ptr<Flow>> flows_;
  uint32_t next_flow_ = 0;
  uint64_t refused_ = 0;
  DelayedPackets waiting_to_target_{kMaxWaitingBytes};
  DelayedPackets waiting_to_client_{kMaxWaitingBytes};
  FineTimer timer_;
  Timer forget_;
  // Buffers of send_to_target(), kept for their capacity.
  std::vector<std::unique_ptr<DelayedPackets::Packet>> batch_;
  std::vector<std::span<const uint8_t>> parts_;
  std::vector<OutgoingDatagram> outgoing_;
};

}  // namespace sail
