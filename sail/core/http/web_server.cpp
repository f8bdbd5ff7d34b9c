#include "sail/core/http/web_server.h"

#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <bit>
#include <map>
#include <utility>

#include "sail/core/address/socket_address.h"
#include "sail/core/http/web_context.h"
#include "sail/core/http/web_gate.h"
#include "sail/core/http/web_lws_exchange.h"
#include "sail/core/http/web_rules.h"
#include "sail/core/http/web_socket.h"
#include "sail/core/loop/handle.h"
#include "sail/core/socket/fair_shares.h"
#include "sail/core/socket/listening_socket.h"

namespace sail {
namespace {

constexpr int kUnsent = 131072;  // unsent bytes of an answer in the system

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
        gate(options),
        context(loop, options,
                [this](lws* connection, lws_callback_reasons reason, std::string_view bytes) {
                  return event(connection, reason, bytes);
                }),
        idle(options.max_connections) {}

  Result<void> start();
  void accept(Descriptor accepted);
  // A nonzero result closes the connection.
  int event(lws* connection, lws_callback_reasons reason, std::string_view bytes);
  int write_answer(lws* connection, LwsExchange& exchange);
  // Closes an idle connection. Returns false if there is none.
  bool make_room();
  int take_request(lws* connection, std::string_view path);
  int take_upgrade(lws* connection);
  void take_socket(lws* connection);
  void let_go(lws* connection);
  bool leave() override { return context.destroy(); }

  Loop& loop;
  const WebServerOptions options;
  Handlers handlers;
  const WebGate gate;
  WebContext context;
  std::unique_ptr<SocketListener> listener;
  std::map<lws*, std::shared_ptr<LwsExchange>> exchanges;
  std::map<lws*, std::shared_ptr<LwsSocket>> sockets;
  std::map<lws*, ProxiedUser> persons;  // for connections that become WebSockets
  size_t connections = 0;               // including WebSockets
  ConnectionQuota idle;                 // connections without a complete request
  bool dead = false;                    // WebServer was destroyed
};

Result<void> WebServer::Impl::start() {
  auto socket = options.listening >= 0 ? Result<Descriptor>(Descriptor(options.listening))
                                       : listening_socket(options.listen);
  if (!socket) return socket.error();

  if (auto created = context.create(); !created) return created;
  listener = SocketListener::adopt(
      loop, std::move(*socket), [this](Descriptor accepted) { accept(std::move(accepted)); },
      [this](const Error& why) {
        make_room();
        if (handlers.on_descriptors_exhausted) handlers.on_descriptors_exhausted(why);
      });
  return {};
}

void WebServer::Impl::accept(Descriptor accepted) {
  if (connections - sockets.size() >= options.max_connections && !make_room()) return;
  const int on = 1;
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // Data that a slow client has not taken waits in the handler, where it is bounded.
  setsockopt(accepted.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsent, sizeof kUnsent);
  const std::string network = network_of(address_of(accepted.get(), getpeername).host);
  const lws* connection = context.adopt(std::move(accepted));
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
    idle.enter(number_of(connection), network_of(exchange.peer().host));
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
      return -1;
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

int WebServer::Impl::take_request(lws* connection, std::string_view path) {
  const auto header = [connection](std::string_view name) {
    return request_header(connection, name).value_or("");
  };
  if (const auto refusal = gate.refuse_request(connection, path)) {
    answer_now(connection, *refusal);
    return -1;
  }
  const auto exchange = std::make_shared<LwsExchange>(
      connection, path, *request_body_length(connection), options.client_timeout_s);
  if (exchange->method().empty()) {
    answer_now(connection, text_answer(405, "the method is not supported"));
    return -1;
  }
  exchanges[connection] = exchange;
  idle.leave(number_of(connection));
  if (gate.is_foreign(connection)) {
    exchange->answer(text_answer(403, kForeignRequest));
  } else if (const WebAsset* asset = find_asset(options.assets, path)) {
    exchange->answer(asset_answer(
        *asset, {exchange->method(), header("accept-encoding"), header("if-none-match"),
                 header("host"), handlers.connect_sources ? handlers.connect_sources() : ""}));
  } else if (find_asset(options.assets, fmt::format("{}/", path)) != nullptr) {
    exchange->answer(to_folder(path));
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
  if (const auto refusal = gate.refuse_upgrade(connection, sockets.size())) {
    answer_now(connection, *refusal);
    return 1;
  }
  // The headers are not available any more once the connection is a WebSocket.
  if (ProxiedUser person = gate.person(connection); !person.name.empty()) {
    persons[connection] = std::move(person);
  }
  return 0;
}

void WebServer::Impl::take_socket(lws* connection) {
  const int descriptor = lws_get_socket_fd(connection);
  const auto named = persons.extract(connection);
  const auto socket = std::make_shared<LwsSocket>(
      connection, address_of(descriptor, getsockname), address_of(descriptor, getpeername),
      named ? named.mapped() : ProxiedUser{}, options.messages);
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
  return certificate.show_in(impl_->context.tls());
}

Address WebServer::address() const {
  return impl_->listener->address();
}

}  // namespace sail
