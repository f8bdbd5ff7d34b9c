// A web server on a Loop (libwebsockets): assets from memory, other paths by a handler, and one
// path for WebSocket, whose connections come out as MessageChannels. HTTP/1.1, and with a
// certificate over TLS 1.3 alone: who comes without is sent there. Thread: the loop's.
//
// Refused by the server itself: requests with a foreign Origin (403; the Origin's host and port
// must be the Host's), WebSocket without the subprotocol (400), bodies in chunks of unknown length
// (411), paths and headers over a few KiB. Whoever is slow with a header, a body or an answer is
// disconnected, and when there are as many connections as there may be, those that ask for nothing
// make room (FairPlaces).
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

#include "sail/net/message_channel.h"
#include "sail/net/tcp.h"
#include "sail/net/web_certificate.h"
#include "sail/wire/limits.h"

namespace sail {

// One file of the page. All of it must outlive the server.
struct WebAsset {
  std::string_view path;  // "/style.css"; "/" is served "/index.html"
  std::string_view content_type;
  std::string_view etag;  // without quotes
  std::string_view plain;
  std::string_view gzip;  // the same, compressed; empty: not worth it
};

struct WebAnswer {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;                  // of HEAD only its length is sent
  std::optional<uint64_t> length{};  // of a body that is not in `body`: it comes piece by piece
  std::string also_asked{};    // sources that a page of this answer may ask besides ours (CSP)
  bool for_all_sites = false;  // pages of other sites may ask for it
};
WebAnswer text_answer(int status, std::string_view text);

// A request and its answer. The server and whoever answers share it; once the client is gone
// nothing here does anything.
class WebExchange {
 public:
  struct BodyReader {
    // Pieces in order, together at most body_size().
    std::function<void(std::string_view bytes)> on_bytes;
    std::function<void()> on_end;
    // The client left before the answer: nothing else comes.
    std::function<void()> on_gone;
  };

  // Where a body comes from that is too long to be in memory.
  struct BodyWriter {
    // The client takes more: the next piece goes to write(), at once or later.
    std::function<void()> on_wanted;
    // Once, the last: the client has all of it, or left, or was too slow.
    std::function<void()> on_over;
    int64_t patience_s = 0;  // for a client that takes nothing
  };
  // What must be free before a piece: the server may write there.
  static constexpr size_t kRoomBefore = 16;

  virtual ~WebExchange() = default;
  WebExchange(const WebExchange&) = delete;
  WebExchange& operator=(const WebExchange&) = delete;

  virtual const std::string& method() const = 0;  // "GET", "HEAD", "POST", "PATCH", …
  // Decoded, without the query; begins with "/" and has no "." or ".." between slashes.
  virtual const std::string& path() const = 0;
  // Only while the handler runs. Names in lower case; at most 4 KiB, longer values are absent.
  virtual std::optional<std::string> header(std::string_view name) const = 0;
  virtual std::optional<std::string> query(std::string_view name) const = 0;
  virtual Address peer() const = 0;  // likewise
  virtual uint64_t body_size() const = 0;

  // Only while the handler runs: the body comes after it has returned. A body that nobody reads is
  // not read at all: the connection ends with the answer.
  virtual void read_body(BodyReader reader) = 0;
  // No more of the body, and again: for readers that are slower than the client.
  virtual void pause_body() = 0;
  virtual void resume_body() = 0;
  // Once, at once or later.
  virtual void answer(WebAnswer answer) = 0;
  // Instead, with answer.length bytes to come, at least one.
  virtual void answer_by_pieces(WebAnswer answer, BodyWriter writer) = 0;
  // Once after each on_wanted. The bytes stay as they are until on_wanted or on_over comes; all
  // pieces have the length that was said, together.
  virtual void write(std::span<uint8_t> piece) = 0;
  // There is no more to write: the connection ends, by which the client sees that this is not all.
  virtual void give_up() = 0;

 protected:
  WebExchange() = default;
};

// What a WebSocket may bring.
struct WebMessages {
  bool binary = false;  // beside text; who reads them tells them apart by their first byte
  size_t most_bytes = kMaxControlLine;
};

// Hands requests on, and says in one of their headers whom it has signed in.
struct TrustedProxy {
  std::vector<std::string> from;  // numeric addresses; of others the header is nothing
  std::string header;             // in lower case
};

struct WebServerOptions {
  Address listen;
  int listening =
      -1;  // a socket that listens already, which becomes the server's; -1: it opens one
  std::span<const WebAsset> assets;
  std::optional<WebCertificate> certificate = {};  // nothing: no TLS
  std::optional<TrustedProxy> proxy = {};
  std::string socket_path = "/control";
  std::string subprotocol = "vitrail";
  WebMessages messages{};
  // The page came from another port of this host: of an Origin only the host must be the Host's.
  bool page_of_other_port = false;
  // Takes requests to hosts named localhost or like it only: a page of another site may give its
  // own name our address, and would be no foreign origin then.
  bool loopback_hosts_only = false;
  size_t max_sockets = 1024;      // WebSocket
  size_t max_connections = 256;   // beside these
  int64_t client_timeout_s = 10;  // to send a header or the next piece of a body or an answer
};

class WebServer {
 public:
  struct Handlers {
    // A path that is no asset, from no foreign origin.
    std::function<void(std::shared_ptr<WebExchange> exchange)> on_request;
    // A WebSocket that was let in.
    std::function<void(std::unique_ptr<MessageChannel> channel)> on_socket;
    TcpListener::StarvedCallback on_starved = {};
    // The only origin that assets may ask besides ours; "": none.
    std::function<std::string()> also_asked = {};
  };
  // As TcpListener::listen().
  static Result<std::unique_ptr<WebServer>> start(Loop& loop, const WebServerOptions& options,
                                                  Handlers handlers);
  // Ends all its connections. Nobody hears of it: no callback comes any more.
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  Address address() const;
  // Who comes from now on is shown this one. Only where there was one before.
  Result<void> show(const WebCertificate& certificate);

 private:
  struct Impl;
  explicit WebServer(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
