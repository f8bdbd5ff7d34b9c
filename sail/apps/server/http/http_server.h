// The film server's HTTP interface, or HTTPS with a certificate, for browsers, curl, VLC and
// others: serves any film of the catalogue as its file, with ranges. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/server/http/http_film.h"
#include "sail/apps/server/http/http_login.h"
#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/rtsp/rtp_films.h"
#include "sail/core/base/log.h"
#include "sail/core/http/renewed_certificate.h"
#include "sail/core/http/web_server.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace server {

constexpr uint16_t kDefaultHttpPort = 7451;

struct HttpOptions {
  sail::Address listen{"127.0.0.1", kDefaultHttpPort};
  sail::WallKey key =
      {};  // clients must prove a key derived from it; without a secret: no authentication
  std::optional<sail::WebCertificate> certificate = {};  // empty: no TLS
  size_t max_films = 1024;                               // films sent at a time
  size_t max_films_each = 64;     // films sent at a time to one client network
  size_t max_idle = 256;          // other connections; a new one beyond this replaces an old one
  int64_t client_timeout_s = 10;  // time limit to send a request
  int64_t wait_timeout_s =
      60;  // timeout for a client that reads nothing, for example a paused player
};

class HttpServer {
 public:
  // access must outlive the server.
  static sail::Result<std::unique_ptr<HttpServer>> start(sail::Loop& loop, FilmAccess& access,
                                                         const HttpOptions& options,
                                                         const sail::Log& log);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  sail::Address address() const { return web_->address(); }
  size_t films() const { return places_.taken(); }

 private:
  struct Request;

  HttpServer(sail::Loop& loop, FilmAccess& access, const HttpOptions& options,
             const sail::Log& log);
  void take(const std::shared_ptr<sail::WebExchange>& exchange);
  void give_poster(const std::shared_ptr<sail::WebExchange>& exchange, const std::string& title);
  // null: the request is over.
  Request* find(uint64_t id);
  void look_up(uint64_t id, sail::Result<CatalogueEntry> entry);
  void open(Request& request);
  void opened(Request& request);
  void send(Request& request, const HttpPart& part);
  void refuse(Request& request, const sail::Error& error);
  void leave(uint64_t id);

  sail::Loop& loop_;
  FilmAccess& access_;
  const HttpOptions options_;
  const sail::Log log_;
  HttpLogin login_;
  FilmPlaces places_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::unique_ptr<Request>> requests_;
  // Callbacks hold a weak reference, because answers may arrive after destruction.
  std::shared_ptr<HttpServer*> self_ = std::make_shared<HttpServer*>(this);
  std::unique_ptr<sail::RenewedCertificate> certificate_;  // null: no TLS
  std::unique_ptr<sail::WebServer> web_;
};

}  // namespace server
