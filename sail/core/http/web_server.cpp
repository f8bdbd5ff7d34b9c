#include "sail/core/http/web_server.h"

#include <fmt/core.h>
#include <libwebsockets.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/http/web_exchange.h"
#include "sail/core/http/web_rules.h"
#include "sail/core/http/web_socket.h"
#include "sail/core/loop/handle.h"
#include "sail/core/socket/connection_quota.h"
#include "sail/core/socket/socket_listener.h"

namespace sail {
namespace {

constexpr unsigned kBodyPiece = 65536;       // bytes read at once
constexpr int kUnsent = 131072;              // unsent bytes of an answer in the system
constexpr unsigned kMostHeaderBytes = 8192;  // of one request
constexpr unsigned kKeepAliveS = 30;         // for an idle connection
constexpr unsigned kOwnDescriptors = 16;     // used by the library itself

// Pings silent WebSockets and closes them without an answer, e.g. of a suspended browser.
constexpr lws_retry_bo_t kSignsOfLife = {.retry_ms_table = nullptr,
                                         .retry_ms_table_count = 0,
                                         .conceal_count = 0,
                                         .secs_since_valid_ping = 20,
                                         .secs_since_valid_hangup = 40,
                                         .jitter_percent = 0};

constexpr const char* kForeign = "requests from pages of other sites are refused";

// The library initialises OpenSSL and lets us set the certificate. Plain connections reach us as
// well, so that we can redirect them. Client certificates are not verified.
constexpr uint64_t kTlsOptions =
    LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX |
    LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT | LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER |
    LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS;

uint64_t number_of(const lws* connection) {
  return reinterpret_cast<uintptr_t>(connection);
}

}  // namespace

// Lives until the library has destroyed its context, which takes several loop iterations.
struct WebServer::Impl : LoopGuest, std::enable_shared_from_this<WebServer::Impl> {
  Impl(Loop& its_loop, const WebServerOptions& its_options, Handlers its_handlers)
      : loop(its_loop),
        options(its_options),
        handlers(std::move(its_handlers)),
        idle(options.max_connections) {}

  Result<void> start();
  void accept(Descriptor accepted);
  // Callback of the library; a nonzero result closes the connection.
  static int on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                      size_t size);
  int event(lws* connection, lws_callback_reasons reason, std::string_view bytes);
  int write_answer(lws* connection, LwsExchange& exchange);
  // Closes an idle connection. Returns false if there is none.
  bool make_room();
  bool is_foreign(lws* connection) const;
  // True if TLS is required but not used.
  bool lacks_tls(lws* connection) const;
  int take_request(lws* connection, std::string_view path);
  int take_upgrade(lws* connection);
  void take_socket(lws* connection);
  std::string person_named(lws* connection) const;
  void let_go(lws* connection);
  bool leave() override;
  bool holds_handles() const;

  Loop& loop;
  const WebServerOptions options;
  Handlers handlers;
  std::unique_ptr<SocketListener> listener;
  lws_protocols protocols[3] = {};
  lws_context* context = nullptr;           // set to null by the library once it is destroyed
  void* tls = nullptr;                      // OpenSSL's SSL_CTX; null: no TLS
  std::vector<const uv_handle_t*> handles;  // of the context itself
  std::map<lws*, std::shared_ptr<LwsExchange>> exchanges;
  std::map<lws*, std::shared_ptr<LwsSocket>> sockets;
  std::map<lws*, std::string> persons;  // for connections that become WebSockets
  size_t connections = 0;               // including WebSockets
  ConnectionQuota idle;                 // connections without a complete request
  bool dead = false;                    // WebServer was destroyed
  bool leaving = false;                 // lws_context_destroy() was called
};

namespace {

std::vector<const uv_handle_t*> handles_of(uv_loop_t* loop) {
  std::vector<const uv_handle_t*> handles;
  uv_walk(
      loop,
      [](uv_handle_t* handle, void* list) {
        static_cast<std::vector<const uv_handle_t*>*>(list)->push_back(handle);
      },
      &handles);
  std::sort(handles.begin(), handles.end());
  return handles;
}

}  // namespace

Result<void> WebServer::Impl::start() {
  auto socket = options.listening >= 0 ? Result<Descriptor>(Descriptor(options.listening))
                                       : listening_socket(options.listen);
  if (!socket) return socket.error();

  lws_set_log_level(0, nullptr);  // relevant events reach our callbacks
  // The first entry handles everything except our WebSocket; its name is not a valid subprotocol.
  protocols[0].name = "http";
  protocols[0].callback = on_event;
  protocols[1].name = options.subprotocol.c_str();
  protocols[1].callback = on_event;
  protocols[1].rx_buffer_size = kBodyPiece;
  void* loops[] = {&loop.impl().uv};
  lws_context_creation_info info{};
  info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
  info.protocols = protocols;
  info.alpn = "http/1.1";
  info.foreign_loops = loops;
  info.options = LWS_SERVER_OPTION_LIBUV | (options.certificate ? kTlsOptions : 0);
  info.user = this;
  info.pcontext = &context;
  info.gid = -1;
  info.uid = -1;
  info.fd_limit_per_thread =
      static_cast<unsigned>(options.max_sockets + options.max_connections) + kOwnDescriptors;
  info.pt_serv_buf_size = kBodyPiece;
  info.max_http_header_data = kMostHeaderBytes;
  info.timeout_secs = static_cast<unsigned>(options.client_timeout_s);
  info.keepalive_timeout = kKeepAliveS;
  info.retry_and_idle_policy = &kSignsOfLife;

  const auto before = handles_of(&loop.impl().uv);
  context = lws_create_context(&info);
  if (context == nullptr) {
    return fail(ErrorCode::kInternal,
                "cannot start the web server: libwebsockets cannot create a context (install "
                "libwebsockets-evlib-uv and a build that uses OpenSSL)");
  }
  const auto after = handles_of(&loop.impl().uv);
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(handles));
  listener = SocketListener::adopt(
      loop, std::move(*socket), [this](Descriptor accepted) { accept(std::move(accepted)); },
      [this](const Error& why) {
        make_room();
        if (handlers.on_descriptors_exhausted) handlers.on_descriptors_exhausted(why);
      });
  return {};
}

int WebServer::Impl::on_event(lws* connection, lws_callback_reasons reason, void* user, void* in,
                              size_t size) {
  lws_context* context = connection == nullptr ? nullptr : lws_get_context(connection);
  if (context == nullptr) return 0;
  auto* server = static_cast<Impl*>(lws_context_user(context));
  if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS) {
    server->tls = user;
    return server->options.certificate->show_in(user) ? 0 : -1;
  }
  return server->event(connection, reason, {static_cast<const char*>(in), size});
}

void WebServer::Impl::accept(Descriptor accepted) {
  if (connections - sockets.size() >= options.max_connections && !make_room()) return;
  const int on = 1;
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Data that a slow client has not taken waits in the handler, where it is bounded.
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsent, sizeof kUnsent);
  const std::string network = network_of(address_of(accepted.get(), getpeername).host);
  // Closes the descriptor on failure.
  const lws* connection =
      lws_adopt_socket_vhost(lws_get_vhost_by_name(context, "default"), accepted.take());
  if (connection != nullptr) idle.enter(number_of(connection), network);
}

bool WebServer::Impl::make_room() {
  if (idle.taken() == 0) return false;
  const uint64_t oldest = idle.next_to_go();
  idle.leave(oldest);
  lws_set_timeout(std::bit_cast<lws*>(oldest), PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
  return true;
}

int WebServer::Impl::write_answer(lws* connection, LwsExchange& exchange) {
  const int result = exchange.on_writable();
  if (result == 0 && exchange.is_over()) {
    const int descriptor = lws_get_socket_fd(connection);
    idle.enter(number_of(connection), network_of(address_of(descriptor, getpeername).host));
  }
  return result;
}

int WebServer::Impl::event(lws* connection, lws_callback_reasons reason, std::string_view bytes) {
  const auto keep = shared_from_this();
  const auto exchange = [&]() -> std::shared_ptr<LwsExchange> {
    const auto found = exchanges.find(connection);
    return found == exchanges.end() ? nullptr : found->second;
  };
  const auto socket = [&]() -> std::shared_ptr<LwsSocket> {
    const auto found = sockets.find(connection);
    return found == sockets.end() ? nullptr : found->second;
  };
  switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
      ++connections;
      return 0;
    case LWS_CALLBACK_WSI_DESTROY:
      let_go(connection);
      --connections;
      return 0;
    case LWS_CALLBACK_HTTP:
      return dead ? -1 : take_request(connection, request_path(connection, bytes));
    case LWS_CALLBACK_HTTP_BODY:
      if (const auto found = exchange()) found->on_body(bytes);
      return 0;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
      if (const auto found = exchange()) return found->on_body_end();
      return 0;
    case LWS_CALLBACK_TIMER:
      if (const auto found = exchange()) return found->on_timer();
      return 0;
    case LWS_CALLBACK_HTTP_WRITEABLE:
      if (const auto found = exchange()) return write_answer(connection, *found);
      return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return dead ? -1 : take_upgrade(connection);
    case LWS_CALLBACK_ESTABLISHED:
      if (dead) return -1;
      take_socket(connection);
      return 0;
    case LWS_CALLBACK_RECEIVE:
      if (const auto found = socket()) found->on_message_part(bytes);
      return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
      if (const auto found = socket()) return found->on_writable();
      return 0;
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_CLOSED_HTTP:
      let_go(connection);
      return 0;
    default:
      return 0;
  }
}

bool WebServer::Impl::is_foreign(lws* connection) const {
  const std::string host = request_header(connection, "host").value_or("");
  const std::string origin = request_header(connection, "origin").value_or("");
  const bool foreign =
      options.page_of_other_port ? is_of_other_host(origin, host) : is_foreign_origin(origin, host);
  return foreign || (options.loopback_hosts_only && !is_loopback_host(host));
}

bool WebServer::Impl::lacks_tls(lws* connection) const {
  return tls != nullptr && lws_is_ssl(connection) == 0;
}

int WebServer::Impl::take_request(lws* connection, std::string_view path) {
  const auto header = [connection](std::string_view name) {
    return request_header(connection, name).value_or("");
  };
  const auto no = [connection](int status, std::string_view text) {
    answer_now(connection, text_answer(status, text));
    return -1;
  };
  if (lacks_tls(connection)) {
    const bool reads = lws_hdr_total_length(connection, WSI_TOKEN_GET_URI) > 0 ||
                       lws_hdr_total_length(connection, WSI_TOKEN_HEAD_URI) > 0;
    answer_now(connection, to_https(reads, header("host"), path));
    return -1;
  }
  const auto body_size = request_body_length(connection);
  if (!body_size) return no(400, "Content-Length must be one number, the length of the whole body");
  if (!header("transfer-encoding").empty()) {
    return no(411, "Transfer-Encoding is not supported: send Content-Length");
  }
  const auto exchange =
      std::make_shared<LwsExchange>(connection, path, *body_size, options.client_timeout_s);
  if (exchange->method().empty()) return no(405, "the method is not supported");
  exchanges[connection] = exchange;
  idle.leave(number_of(connection));
  if (is_foreign(connection)) {
    exchange->answer(text_answer(403, kForeign));
  } else if (const WebAsset* asset = find_asset(options.assets, path)) {
    exchange->answer(asset_answer(
        *asset, {exchange->method(), header("accept-encoding"), header("if-none-match"),
                 header("host"), handlers.also_asked ? handlers.also_asked() : ""}));
  } else if (handlers.on_request) {
    handlers.on_request(exchange);
  } else {
    exchange->answer(text_answer(404, "not found"));
  }
  exchange->on_handled();
  return 0;
}

// A positive result means: refused and answered.
int WebServer::Impl::take_upgrade(lws* connection) {
  const auto header = [connection](std::string_view name) {
    return request_header(connection, name).value_or("");
  };
  const auto no = [connection](int status, std::string_view text) {
    answer_now(connection, text_answer(status, text));
    return 1;
  };
  if (lacks_tls(connection)) return no(403, "WebSocket connections need TLS: use wss:");
  if (is_foreign(connection)) return no(403, kForeign);
  if (request_body_length(connection) != 0)
    return no(400, "a WebSocket request must not have a body");
  char path[256] = {};
  lws_hdr_copy(connection, path, sizeof path, WSI_TOKEN_GET_URI);
  if (path != options.socket_path) {
    return no(404,
              fmt::format("WebSocket connections are accepted at {} only", options.socket_path));
  }
  if (!names_protocol(header("sec-websocket-protocol"), options.subprotocol)) {
    return no(400, fmt::format("request the subprotocol '{}'", options.subprotocol));
  }
  if (sockets.size() >= options.max_sockets) {
    return no(503, "too many WebSocket connections: try again later");
  }
  // The headers are not available any more once it is a WebSocket.
  if (std::string person = person_named(connection); !person.empty()) {
    persons[connection] = std::move(person);
  }
  return 0;
}

std::string WebServer::Impl::person_named(lws* connection) const {
  if (!options.proxy) return "";
  const std::string host = address_of(lws_get_socket_fd(connection), getpeername).host;
  if (std::ranges::find(options.proxy->from, host) == options.proxy->from.end()) return "";
  return request_header(connection, options.proxy->header).value_or("");
}

void WebServer::Impl::take_socket(lws* connection) {
  const int descriptor = lws_get_socket_fd(connection);
  const auto named = persons.extract(connection);
  const auto socket = std::make_shared<LwsSocket>(
      connection, address_of(descriptor, getsockname), address_of(descriptor, getpeername),
      named ? named.mapped() : std::string(), options.messages);
  sockets[connection] = socket;
  idle.leave(number_of(connection));
  handlers.on_socket(socket_channel(socket));
}

void WebServer::Impl::let_go(lws* connection) {
  idle.leave(number_of(connection));
  persons.erase(connection);
  const auto exchange = exchanges.extract(connection);
  const auto socket = sockets.extract(connection);
  if (exchange) exchange.mapped()->on_gone();
  if (socket) socket.mapped()->on_closed();
}

bool WebServer::Impl::holds_handles() const {
  const auto now = handles_of(&loop.impl().uv);
  return std::any_of(handles.begin(), handles.end(), [&now](const uv_handle_t* handle) {
    return std::binary_search(now.begin(), now.end(), handle);
  });
}

// The first lws_context_destroy() closes the library's handles. The second one frees the context,
// and must not be called before the loop has closed these handles.
bool WebServer::Impl::leave() {
  const bool first = !std::exchange(leaving, true);
  if (first || (context != nullptr && !holds_handles())) lws_context_destroy(context);
  return context == nullptr;
}

// ---- WebServer ----

Result<std::unique_ptr<WebServer>> WebServer::start(Loop& loop, const WebServerOptions& options,
                                                    Handlers handlers) {
  auto impl = std::make_shared<Impl>(loop, options, std::move(handlers));
  if (auto started = impl->start(); !started) return started.error();
  return std::unique_ptr<WebServer>(new WebServer(std::move(impl)));
}

WebServer::WebServer(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

WebServer::~WebServer() {
  impl_->dead = true;
  impl_->handlers = {};
  for (const auto& [connection, exchange] : impl_->exchanges) exchange->silence();
  for (const auto& [connection, socket] : impl_->sockets) socket->set_reader(nullptr);
  impl_->listener.reset();
  leave_loop(impl_->loop, impl_);
}

Result<void> WebServer::show(const WebCertificate& certificate) {
  return certificate.show_in(impl_->tls);
}

Address WebServer::address() const {
  return impl_->listener->address();
}

}  // namespace sail
