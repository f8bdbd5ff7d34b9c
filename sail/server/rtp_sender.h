// Sends the film of one RTSP session: its packets when they are due, and a report of each track
// every few seconds. The film is read on libuv's threads, a few seconds ahead. Thread: the loop's.
//
// A player that does not read stops its film, and it goes on from there when it reads again: nobody
// waits for a film but its player, and no more of it is kept than kMaxUnsent and what is read
// ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/base/result.h"
#include "sail/media/media_source_rtp.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/net/udp.h"
#include "sail/server/rtp_films.h"
#include "sail/server/rtsp_headers.h"

namespace server {

// Two ports here, an even one and the next, and two there.
struct RtpPorts {
  std::unique_ptr<sail::UdpSocket> rtp;
  std::unique_ptr<sail::UdpSocket> rtcp;

  static sail::Result<RtpPorts> open(sail::Loop& loop, const std::string& host,
                                     std::pair<uint16_t, uint16_t> ports);
};

// How one track gets to its player.
struct RtpRoute {
  std::pair<uint16_t, uint16_t> channels;  // of the connection, for RTP and RTCP
  std::optional<RtpPorts> ports;           // instead
};

class RtpSender : private sail::UdpReader {
 public:
  // With the film time from which it plays.
  using Started = std::function<void(sail::Result<int64_t>)>;

  // connection outlives this. on_alive: the player was heard.
  RtpSender(sail::Loop& loop, sail::TcpConnection& connection, std::shared_ptr<SharedRtpFilm> film,
            std::function<void()> on_alive);
  ~RtpSender() override;
  RtpSender(const RtpSender&) = delete;
  RtpSender& operator=(const RtpSender&) = delete;

  const sail::RtpFilm& film() const { return *film_->film; }
  void set_route(size_t track, RtpRoute route);
  bool has_route(size_t track) const { return routes_[track].has_value(); }
  size_t routes() const;
  // Of the track's next packet.
  uint16_t next_sequence(size_t track) const { return counts_[track].next_sequence; }

  // From the key picture before range.from_ns, or from where it was paused. started comes once,
  // before the first packet, unless this is destroyed or played again before.
  void play(const RtspRange& range, Started started);
  void pause();
  // Not yet at its end, nor paused.
  bool playing() const { return playing_; }

 private:
  struct Queued {
    sail::RtpBurst burst;
    size_t sent_bytes = 0;  // of the burst's, by UDP
  };
  struct Chunk {
    std::vector<sail::RtpBurst> bursts;
    bool at_end = false;
  };
  struct Counts {
    uint32_t packets = 0;
    uint32_t octets = 0;
    uint16_t next_sequence = 0;
  };

  void on_datagrams(std::span<const sail::Datagram>) override { on_alive_(); }

  bool goes_by_ports() const;
  void begin_at(int64_t film_ns, Started started);
  void go_on(int64_t film_ns, bool resumed, const Started& started);
  void take(Chunk chunk);
  // False: it is to be tried again soon.
  bool read_ahead();

  void send_what_is_due();
  // How long to wait before more can be sent; nothing: at once.
  std::optional<int64_t> wait_ms(int64_t now_ns);
  // False: not all of it.
  bool send(Queued& queued);
  void send_by_connection(Queued& queued, const RtpRoute& route);
  bool send_by_ports(Queued& queued, const RtpRoute& route);
  void send_rtcp(const RtpRoute& route, const std::vector<uint8_t>& bytes);
  void report(bool last);
  void come_to_the_end();

  sail::Loop& loop_;
  sail::TcpConnection& connection_;
  std::shared_ptr<SharedRtpFilm> film_;
  const std::function<void()> on_alive_;
  const std::string name_;                       // of the sender, for RTCP
  std::vector<std::optional<RtpRoute>> routes_;  // by track
  std::vector<Counts> counts_;                   // likewise

  std::deque<Queued> queue_;
  size_t queued_bytes_ = 0;
  bool read_all_ = false;        // nothing is left but the queue
  std::shared_ptr<void> fetch_;  // while the film is being read
  std::optional<int64_t> to_ns_;

  bool playing_ = false;
  bool begun_ = false;            // there is a place to go on from
  int64_t anchor_steady_ns_ = 0;  // when anchor_film_ns_ is due
  int64_t anchor_film_ns_ = 0;
  int64_t shown_later_ns_ = 0;  // the first picture is shown so much after it is due
  bool gains_lead_ = false;     // by and by
  int64_t reported_ns_ = 0;
  size_t turn_bytes_ = 0;  // sent by UDP in this turn
  sail::Timer timer_;

  // Kept for their memory.
  std::vector<std::span<const uint8_t>> parts_;
  std::vector<sail::OutgoingDatagram> datagrams_;
};

}  // namespace server
