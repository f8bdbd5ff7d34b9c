#include "sail/apps/server/rtsp/rtp_routes.h"

#include <algorithm>

#include "sail/core/base/secret.h"

namespace server {
namespace {

// UDP bytes per turn of the loop; fits into any socket buffer.
constexpr size_t kTurnBytes = 64 << 10;
constexpr int kPortTries = 16;

size_t packet_bytes(const std::vector<uint8_t>& bytes, size_t at) {
  return size_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

}  // namespace

sail::Result<RtpPorts> RtpPorts::open(sail::Loop& loop, const std::string& host,
                                      std::pair<uint16_t, uint16_t> ports) {
  uint16_t local = 0;
  for (int attempt = 0; attempt < kPortTries; ++attempt) {
    auto rtp = sail::UdpSocket::connect(loop, {host, ports.first}, local);
    if (!rtp) {
      local = 0;
      continue;
    }
    const uint16_t got = (*rtp)->address().port;
    if (got % 2 != 0) {
      local = static_cast<uint16_t>(got + 1);
      continue;
    }
    local = 0;
    auto rtcp =
        sail::UdpSocket::connect(loop, {host, ports.second}, static_cast<uint16_t>(got + 1));
    if (rtcp) return RtpPorts{std::move(*rtp), std::move(*rtcp)};
  }
  return sail::fail(sail::ErrorCode::kIo, "no pair of adjacent UDP ports is free");
}

RtpRoutes::RtpRoutes(sail::TcpConnection& connection, size_t tracks, std::function<void()> on_alive)
    : connection_(connection), on_alive_(std::move(on_alive)), routes_(tracks), counts_(tracks) {
  // Start low, so that sequence numbers wrap late.
  constexpr uint64_t kMostFirst = 0x0fff;
  for (Counts& counts : counts_) {
    counts.next_sequence = static_cast<uint16_t>(sail::random_secret() & kMostFirst);
  }
}

void RtpRoutes::set(size_t track, RtpRoute route) {
  const bool first = !use_ports();
  routes_[track] = std::move(route);
  // A player sends RTCP for all its tracks; one socket is enough to detect liveness.
  if (routes_[track]->ports && first) routes_[track]->ports->rtcp->start_reading(*this);
}

bool RtpRoutes::use_ports() const {
  return std::ranges::any_of(routes_,
                             [](const auto& route) { return route && route->ports.has_value(); });
}

size_t RtpRoutes::count() const {
  return static_cast<size_t>(
      std::ranges::count_if(routes_, [](const auto& route) { return route.has_value(); }));
}

bool RtpRoutes::may_send() const {
  return turn_bytes_ < kTurnBytes;
}

bool RtpRoutes::send(Queued& queued) {
  const auto& route = routes_[queued.burst.track];
  if (!route) return true;  // unreachable: the film returns only packets of tracks with a route
  if (route->ports) return send_by_ports(queued, *route);
  send_by_connection(queued, *route);
  return true;
}

void RtpRoutes::send_by_connection(Queued& queued, const RtpRoute& route) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(std::move(queued.burst.bytes));
  Counts& counts = counts_[queued.burst.track];
  for (size_t at = 0; at < bytes->size();) {
    (*bytes)[at + 1] = static_cast<uint8_t>(route.channels.first);
    const size_t packet = packet_bytes(*bytes, at);
    counts.octets += static_cast<uint32_t>(packet - sail::kRtpHeaderBytes);
    at += sail::kRtpFrameBytes + packet;
  }
  counts.packets += queued.burst.packets;
  counts.next_sequence = static_cast<uint16_t>(counts.next_sequence + queued.burst.packets);
  const std::span<const uint8_t> part(*bytes);
  connection_.write({&part, 1}, [bytes](bool) {});
}

bool RtpRoutes::send_by_ports(Queued& queued, const RtpRoute& route) {
  const std::vector<uint8_t>& bytes = queued.burst.bytes;
  parts_.clear();
  datagrams_.clear();
  for (size_t at = queued.sent_bytes; at < bytes.size() && turn_bytes_ < kTurnBytes;) {
    const size_t packet = packet_bytes(bytes, at);
    parts_.push_back(std::span(bytes).subspan(at + sail::kRtpFrameBytes, packet));
    turn_bytes_ += packet;
    at += sail::kRtpFrameBytes + packet;
  }
  for (const auto& part : parts_) datagrams_.push_back({{&part, 1}, part.size()});
  const size_t taken = route.ports->rtp->send(datagrams_);
  Counts& counts = counts_[queued.burst.track];
  for (size_t i = 0; i < taken; ++i) {
    counts.octets += static_cast<uint32_t>(parts_[i].size() - sail::kRtpHeaderBytes);
    queued.sent_bytes += sail::kRtpFrameBytes + parts_[i].size();
  }
  counts.packets += static_cast<uint32_t>(taken);
  counts.next_sequence = static_cast<uint16_t>(counts.next_sequence + taken);
  return queued.sent_bytes == bytes.size();
}

void RtpRoutes::send_rtcp(size_t track, const std::vector<uint8_t>& bytes) {
  const RtpRoute& route = *routes_[track];
  const std::span<const uint8_t> part(bytes);
  if (route.ports) {
    const sail::OutgoingDatagram datagram{{&part, 1}, bytes.size()};
    route.ports->rtcp->send({&datagram, 1});
    return;
  }
  std::vector<uint8_t> framed{'$', static_cast<uint8_t>(route.channels.second),
                              static_cast<uint8_t>(bytes.size() >> 8),
                              static_cast<uint8_t>(bytes.size())};
  framed.insert(framed.end(), bytes.begin(), bytes.end());
  connection_.write_copy(framed);
}

}  // namespace server
