#include "receiver/intake/group_packets.h"

#include <utility>

#include "sail/core/text/ip_address.h"

namespace receiver {

GroupPackets::GroupPackets(std::shared_ptr<PacketPort> port, PacketPort::Session& session)
    : port_(std::move(port)), session_(session) {}

GroupPackets::~GroupPackets() {
  leave();
  port_->remove(secret_);
  port_->remove(former_secret_);
}

sail::Result<void> GroupPackets::follow(const sail::MulticastJoin& join, const sail::Ends& sender,
                                        bool sealed) {
  counters_before_ = counters();
  loss_ = {};
  heard_ = false;
  opens_.reset();
  const bool leaves = join.group == sail::IpAddress{};
  const sail::Address group{sail::ip_text(join.group), join.port};
  if (leaves || group != group_) leave();
  if (leaves) return set_secret(0);
  if (!socket_) {
    auto socket = port_->join(group, sender.here, sender.there);
    if (!socket) return std::move(socket.error());
    socket_ = *std::move(socket);
    group_ = group;
  }
  if (sealed) {
    opens_.emplace(sail::AesGcm::Use::kOpen, join.key, sail::PacketSeal::Direction::kToReceiver);
  }
  return set_secret(join.secret);
}

void GroupPackets::leave() {
  if (socket_) port_->leave(std::move(socket_));
  group_ = {};
}

// Packets with the secret before may still arrive. They must not count as a stranger's.
sail::Result<void> GroupPackets::set_secret(uint64_t secret) {
  port_->remove(former_secret_);
  former_secret_ = std::exchange(secret_, 0);
  if (secret == 0) return {};
  if (!port_->add(session_, secret)) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "the group's secret is in use");
  }
  secret_ = secret;
  return {};
}

std::span<const uint8_t> GroupPackets::open(uint64_t number, std::span<uint8_t> packet) {
  if (!opens_) return packet;
  return opens_->open(number, packet);
}

sail::LinkCounters GroupPackets::counters() const {
  return sail::sum(counters_before_, loss_.counters());
}

}  // namespace receiver
