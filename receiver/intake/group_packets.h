// The multicast group from which a stream's packets come, too: its socket, secret and key, and
// which of its packets have arrived. Loop thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "receiver/intake/packet_loss.h"
#include "receiver/intake/packet_port.h"
#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/udp.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class GroupPackets {
 public:
  // The session gets the packets, and must outlive this object.
  GroupPackets(std::shared_ptr<PacketPort> port, PacketPort::Session& session);
  ~GroupPackets();
  GroupPackets(const GroupPackets&) = delete;
  GroupPackets& operator=(const GroupPackets&) = delete;

  // Follows the message: joins the group, takes its new secret and key, or leaves. sender: the ends
  // of the connection to the stream's sender. Packets with the secret before are ignored from now
  // on.
  sail::Result<void> follow(const sail::MulticastJoin& join, const sail::Ends& sender, bool sealed);
  uint64_t secret() const { return secret_; }  // 0: outside
  // Returns the packet, decrypted in place if it is sealed; empty: it is forged.
  std::span<const uint8_t> open(uint64_t number, std::span<uint8_t> packet);
  // Returns true once for each secret, when its first packet has arrived.
  bool take_heard() { return !std::exchange(heard_, true); }

  PacketLoss& loss() { return loss_; }
  const PacketLoss& loss() const { return loss_; }
  // Counters of all secrets.
  sail::LinkCounters counters() const;

 private:
  void leave();
  sail::Result<void> set_secret(uint64_t secret);

  const std::shared_ptr<PacketPort> port_;
  PacketPort::Session& session_;
  std::unique_ptr<sail::UdpSocket> socket_;
  sail::Address group_;
  uint64_t secret_ = 0;
  uint64_t former_secret_ = 0;
  std::optional<sail::PacketSeal> opens_;
  bool heard_ = false;
  PacketLoss loss_;
  sail::LinkCounters counters_before_;  // counters of packets with former secrets
};

}  // namespace receiver
