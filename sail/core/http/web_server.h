// A web server on a Loop (libwebsockets): assets from memory, other paths by a handler, and one
// path for WebSocket, whose connections become MessageChannels. HTTP/1.1; with a certificate only
// over TLS 1.3, and plain requests are redirected. Thread: the loop's.
//
// The server itself refuses requests with a foreign Origin (403; the Origin's host and port must
// match the Host, unless the options say otherwise), WebSockets without the subprotocol (400),
// chunked bodies (411), and paths and headers over a few KiB. Clients that are slow with a header,
// a body or an answer are disconnected. At the connection limit, idle connections are closed
// (ConnectionQuota).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/http/web_certificate.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/message_channel.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"

namespace sail {

// One file of the page. All fields must outlive the server.
struct WebAsset {
  std::string_view path;  // "/style.css"; for "/a/", "/a/index.html" is served
  std::string_view content_type;
  std::string_view etag;  // without quotes
  std::string_view plain;
  std::string_view gzip;         // compressed form of `plain`; empty: not worth it
  std::string_view policy = {};  // see WebAnswer
};

// Messages accepted on a WebSocket.
struct WebMessages {
  bool binary = false;  // also accept binary messages; see their first byte
  size_t most_bytes = kMaxControlLine;
};

// A reverse proxy that forwards requests with the signed-in user in a header.
struct TrustedProxy {
  std::vector<std::string> from;   // numeric addresses; headers are ignored from all others
  std::string header;              // with the user's name; in lower case
  std::string groups_header = "";  // with the user's groups; in lower case; "": none
};

struct WebServerOptions {
  Address listen;
  int listening = -1;  // an already listening socket, owned by the server; -1: none
  std::span<const WebAsset> assets;
  std::optional<WebCertificate> certificate = {};  // empty: no TLS
  std::optional<TrustedProxy> proxy = {};
  std::string socket_path = "/control";
  std::string subprotocol = "vitrail";
  WebMessages messages{};
  // The page may come from another port of this host: only the Origin's host must match the Host.
  bool page_of_other_port = false;
  // Pages of all sites may send requests: the handler checks a secret that browsers do not add.
  bool pages_of_all_sites = false;
  // Accept only requests for localhost names. Prevents DNS rebinding: a page of another site could
  // map its own name to our address and would then not be a foreign origin.
  bool loopback_hosts_only = false;
  size_t max_sockets = 1024;      // WebSocket connections
  size_t max_connections = 256;   // other connections
  int64_t client_timeout_s = 10;  // for a header, or the next piece of a body or an answer
};

class WebServer {
 public:
  struct Handlers {
    // A request for a path that is not an asset, without a foreign origin.
    std::function<void(std::shared_ptr<WebExchange> exchange)> on_request;
    // An accepted WebSocket.
    std::function<void(std::unique_ptr<MessageChannel> channel)> on_socket;
    TcpListener::DescriptorsExhaustedCallback on_descriptors_exhausted = {};
    // The only additional origin for the policy of assets; "": none.
    std::function<std::string()> connect_sources = {};
  };
  // As TcpListener::listen().
  static Result<std::unique_ptr<WebServer>> start(Loop& loop, const WebServerOptions& options,
                                                  Handlers handlers);
  // Closes all connections. No more callbacks are called.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  Address address() const;
  // Uses this certificate for new connections. Only if the server was started with one.
  Result<void> show(const WebCertificate& certificate);

 private:
  struct Impl;
  explicit WebServer(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// Answers later, after a wrong key (KeyGuard).
inline void answer_after(Loop& loop, int64_t delay_ms, const std::shared_ptr<WebExchange>& exchange,
                         WebAnswer answer) {
  if (delay_ms == 0) return exchange->answer(std::move(answer));
  // The timer is owned by its own callback.
  const auto delay = std::make_shared<Timer>(loop);
  delay->start(delay_ms, 0, [delay, exchange, answer = std::move(answer)]() mutable {
    exchange->answer(std::move(answer));
  });
}

}  // namespace sail
