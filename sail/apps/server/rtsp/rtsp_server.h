// The film server's RTSP interface for VLC, mpv, ffplay, GStreamer and other players of RTSP 1.0
// (RFC 2326). Sends the library's films as they are stored, by RTP over UDP or interleaved in the
// RTSP connection. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/rtsp/rtsp_connection.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/fair_shares.h"
#include "sail/core/socket/tcp.h"

namespace server {

constexpr uint16_t kDefaultRtspPort = 554;

struct RtspOptions {
  sail::Address listen{"127.0.0.1", kDefaultRtspPort};
  sail::WallKey key =
      {};  // players must prove a key derived from it; without a secret: no authentication
  int64_t timeout_ms = 60'000;      // timeout for silent players
  size_t max_unauthenticated = 64;  // connections without a session; then one is closed
  size_t max_films = 64;            // open at a time
  size_t max_films_each = 16;       // open at a time for one client network
};

class RtspServer {
 public:
  // access must outlive the server.
  static sail::Result<std::unique_ptr<RtspServer>> start(sail::Loop& loop, FilmAccess& access,
                                                         const RtspOptions& options,
                                                         const sail::Log& log);
  RtspServer(const RtspServer&) = delete;
  RtspServer& operator=(const RtspServer&) = delete;

  sail::Address address() const { return listener_->address(); }
  size_t connections() const { return connections_.size(); }
  size_t films() const { return host_.films.taken(); }

 private:
  RtspServer(sail::Loop& loop, FilmAccess& access, const RtspOptions& options,
             const sail::Log& log);
  void accept(std::unique_ptr<sail::TcpConnection> connection);
  void leave(uint64_t id);

  const RtspOptions options_;
  sail::RateLimitedLog rate_limited_log_;
  RtspConnection::Host host_;
  uint64_t next_id_ = 1;
  sail::ConnectionQuota unauthenticated_quota_;
  std::map<uint64_t, std::unique_ptr<RtspConnection>> connections_;
  // Callbacks posted to the loop hold a weak reference, so that they do nothing after destruction.
  std::shared_ptr<RtspServer*> self_ = std::make_shared<RtspServer*>(this);
  std::unique_ptr<sail::TcpListener> listener_;
};

}  // namespace server
