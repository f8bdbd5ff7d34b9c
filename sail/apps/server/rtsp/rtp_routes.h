// Sends the packets of a film's tracks to one player, each track by its route, and counts them for
// the reports. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/apps/server/rtsp/rtcp.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/socket/udp.h"
#include "sail/media/rtp/media_source_rtp.h"

namespace server {

// Two consecutive local UDP ports, the first one even, connected to two ports of the player.
struct RtpPorts {
  std::unique_ptr<sail::UdpSocket> rtp;
  std::unique_ptr<sail::UdpSocket> rtcp;

  static sail::Result<RtpPorts> open(sail::Loop& loop, const std::string& host,
                                     std::pair<uint16_t, uint16_t> ports);
};

// How one track is sent to the player.
struct RtpRoute {
  std::pair<uint16_t, uint16_t>
      channels;                   // interleaved channels of the connection, for RTP and RTCP
  std::optional<RtpPorts> ports;  // if set, UDP instead
};

class RtpRoutes : private sail::UdpReader {
 public:
  struct Counts {
    uint32_t packets = 0;
    uint32_t octets = 0;
    uint16_t next_sequence = 0;
  };
  // Packets that are being sent.
  struct Queued {
    sail::RtpBurst burst;
    size_t sent_bytes = 0;  // bytes of the burst sent by UDP
  };

  // connection must outlive this object. on_alive: the player sent RTCP.
  RtpRoutes(sail::TcpConnection& connection, size_t tracks, std::function<void()> on_alive);
  RtpRoutes(const RtpRoutes&) = delete;
  RtpRoutes& operator=(const RtpRoutes&) = delete;

  void set(size_t track, RtpRoute route);
  bool has(size_t track) const { return routes_[track].has_value(); }
  size_t count() const;
  const Counts& counts(size_t track) const { return counts_[track]; }
  // Whether a track is sent by UDP.
  bool use_ports() const;

  // Sends a burst of a track with a route. False: not sent completely, try again in the next turn.
  bool send(Queued& queued);
  // Call once per turn of the loop.
  void begin_turn() { turn_bytes_ = 0; }
  // Whether this turn may send more by UDP.
  bool may_send() const;
  // Sends an RTCP packet.
  void send_rtcp(size_t track, const std::vector<uint8_t>& bytes);

 private:
  void on_datagrams(std::span<const sail::Datagram>) override { on_alive_(); }
  void send_by_connection(Queued& queued, const RtpRoute& route);
  bool send_by_ports(Queued& queued, const RtpRoute& route);

  sail::TcpConnection& connection_;
  const std::function<void()> on_alive_;
  std::vector<std::optional<RtpRoute>> routes_;  // by track
  std::vector<Counts> counts_;                   // by track
  size_t turn_bytes_ = 0;                        // sent by UDP in this turn

  // Members only to reuse their memory.
  std::vector<std::span<const uint8_t>> parts_;
  std::vector<sail::OutgoingDatagram> datagrams_;
};

}  // namespace server
