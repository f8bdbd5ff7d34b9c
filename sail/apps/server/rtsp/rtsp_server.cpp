#include "sail/apps/server/rtsp/rtsp_server.h"

#include <utility>

#include "sail/core/time/clock.h"

namespace server {

sail::Result<std::unique_ptr<RtspServer>> RtspServer::start(sail::Loop& loop, FilmAccess& access,
                                                            const RtspOptions& options,
                                                            const sail::Log& log) {
  std::unique_ptr<RtspServer> server(new RtspServer(loop, access, options, log));
  // RTSP players do not use TLS on rtsp: URLs, on any host; the key protects the films.
  auto listener = sail::TcpListener::listen(
      loop, options.listen,
      [self = server.get()](std::unique_ptr<sail::TcpConnection> connection) {
        self->accept(std::move(connection));
      },
      {}, {.tls = sail::TlsUse::kNever});
  if (!listener) return std::move(listener.error());
  server->listener_ = std::move(*listener);
  return server;
}

RtspServer::RtspServer(sail::Loop& loop, FilmAccess& access, const RtspOptions& options,
                       const sail::Log& log)
    : options_(options),
      rate_limited_log_(log),
      host_{.loop = loop,
            .access = access,
            .log = log,
            .timeout_ms = options.timeout_ms,
            .films = FilmPlaces(options.max_films, options.max_films_each),
            .guard = sail::KeyGuard(options.key)},
      unauthenticated_quota_(options.max_unauthenticated) {}

// Connections with a session are limited by max_films. If there are too many others, one of the
// network with the most connections is closed.
void RtspServer::accept(std::unique_ptr<sail::TcpConnection> connection) {
  const std::string network = sail::network_of(connection->peer_address().host);
  if (unauthenticated_quota_.full()) {
    rate_limited_log_.warning(
        "rtsp", network, sail::steady_now_ns(),
        "rtsp: closed one of {} connections without a session, to accept a new one from {}",
        unauthenticated_quota_.taken(), network);
    leave(unauthenticated_quota_.next_to_go());
  }
  const uint64_t id = next_id_++;
  unauthenticated_quota_.enter(id, network);
  connections_[id] = std::make_unique<RtspConnection>(
      host_, std::move(connection),
      RtspConnection::Handlers{.on_gone =
                                   [self = std::weak_ptr(self_), id] {
                                     if (const auto server = self.lock()) (*server)->leave(id);
                                   },
                               .on_session =
                                   [this, id, network](bool has) {
                                     if (has) {
                                       unauthenticated_quota_.leave(id);
                                     } else {
                                       unauthenticated_quota_.enter(id, network);
                                     }
                                   }});
}

void RtspServer::leave(uint64_t id) {
  unauthenticated_quota_.leave(id);
  connections_.erase(id);
}

}  // namespace server
