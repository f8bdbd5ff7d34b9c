// Sends the film of one RTSP session: its packets when they are due, and an RTCP report per track
// every few seconds. Worker threads of libuv read the film a few seconds ahead. Thread: the loop's.
//
// A player that stops reading stops its film; the film continues when the player reads again. At
// most kMaxUnsent and the read-ahead are buffered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/server/rtsp/rtp_films.h"
#include "sail/apps/server/rtsp/rtp_routes.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/media/rtp/media_source_rtp.h"

namespace server {

class RtpSender {
 public:
  // Receives the film time at which playback starts.
  using Started = std::function<void(sail::Result<int64_t>)>;

  // connection must outlive this object. on_alive: the player sent RTCP.
  RtpSender(sail::Loop& loop, sail::TcpConnection& connection, std::shared_ptr<SharedRtpFilm> film,
            std::function<void()> on_alive);
  ~RtpSender();
  RtpSender(const RtpSender&) = delete;
  RtpSender& operator=(const RtpSender&) = delete;

  const sail::RtpFilm& film() const { return *film_->film; }
  RtpRoutes& routes() { return routes_; }
  const RtpRoutes& routes() const { return routes_; }

  // Plays from the key picture before range.from_ns, or from where playback was paused. started is
  // called once, before the first packet, unless play() is called again or this object is
  // destroyed.
  void play(const RtspRange& range, Started started);
  void pause();
  // False when paused or at the end.
  bool playing() const { return playing_; }

 private:
  struct Chunk {
    std::vector<sail::RtpBurst> bursts;
    bool at_end = false;
  };
  void begin_at(int64_t film_ns, Started started);
  void go_on(int64_t film_ns, bool resumed, const Started& started);
  void take(Chunk chunk);
  // False: the storage is not ready; try again soon.
  bool read_ahead();

  void send_what_is_due();
  // Milliseconds until the next packet may be sent; empty: now.
  std::optional<int64_t> wait_ms(int64_t now_ns);
  void report(bool last);
  void come_to_the_end();

  sail::Loop& loop_;
  sail::TcpConnection& connection_;
  std::shared_ptr<SharedRtpFilm> film_;
  const std::string name_;  // CNAME for RTCP
  RtpRoutes routes_;

  std::deque<RtpRoutes::Queued> queue_;
  size_t queued_bytes_ = 0;
  bool read_all_ = false;        // everything has been read into the queue
  std::shared_ptr<void> fetch_;  // set while the film is being read
  std::optional<int64_t> to_ns_;

  bool playing_ = false;
  bool begun_ = false;            // playback can be resumed
  int64_t anchor_steady_ns_ = 0;  // when anchor_film_ns_ is due
  int64_t anchor_film_ns_ = 0;
  int64_t shown_later_ns_ =
      0;  // time from a packet's due time to its presentation, for the first picture
  bool gains_lead_ = false;  // the lead is being gained gradually (UDP)
  int64_t reported_ns_ = 0;
  sail::Timer timer_;
};

}  // namespace server
