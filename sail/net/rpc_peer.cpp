#include "sail/net/rpc_peer.h"

#include <fmt/core.h>

#include <array>
#include <map>
#include <optional>
#include <utility>

namespace sail {
namespace {

constexpr int64_t kLastBytesMs = 1000;  // for what is queued when a session is closed by us

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

// Outlives its RpcPeer while one of its own callbacks runs; nobody is called then.
struct RpcPeer::Impl : TcpReader, std::enable_shared_from_this<Impl> {
  struct Call {
    AnswerCallback answer;
    Timer timeout;
  };

  Impl(Loop& its_loop, std::unique_ptr<TcpConnection> its_connection, Handlers its_handlers)
      : loop(its_loop),
        connection(std::move(its_connection)),
        handlers(std::move(its_handlers)),
        local(connection->local_address()),
        peer(connection->peer_address()),
        heartbeat(its_loop) {}

  std::span<uint8_t> read_buffer() override { return buffer; }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { end(error); }

  void call(std::string_view method, const Json& params, AnswerCallback answer, int64_t timeout_ms);
  void send(std::string_view line);
  void beat(int64_t every_ms, int64_t timeout_ms);
  void handle_line(std::string_view line);
  void handle_request(const RpcRequest& request);
  void handle_response(RpcResponse response);
  Reply reply_to(int64_t id);
  void end(const Error& error);
  void end_soon(const Error& error);
  void abandon();

  Loop& loop;
  std::unique_ptr<TcpConnection> connection;  // null once the session ends
  Handlers handlers;
  const Address local;
  const Address peer;
  LineFramer framer;
  std::array<uint8_t, 65536> buffer;
  int64_t next_id = 1;
  std::map<int64_t, Call> calls;
  Timer heartbeat;
  int64_t silent_ms = 0;   // how long pings have gone out without a byte from the peer
  bool over = false;       // end() has come
  bool abandoned = false;  // RpcPeer was destroyed
};

void RpcPeer::Impl::on_read(size_t bytes) {
  const auto keep = shared_from_this();
  silent_ms = 0;
  if (!framer.add({reinterpret_cast<const char*>(buffer.data()), bytes})) {
    const Error error{ErrorCode::kLimit,
                      fmt::format("a line is longer than {} bytes", kMaxControlLine)};
    send(error_line(std::nullopt, error));
    if (connection) TcpConnection::close_after_writes(std::move(connection), kLastBytesMs);
    end(error);
    return;
  }
  while (connection) {
    const auto line = framer.next();
    if (!line) return;
    handle_line(*line);
  }
}

void RpcPeer::Impl::handle_line(std::string_view line) {
  auto message = parse_rpc(line);
  if (!message) {
    send(error_line(message.error().id, message.error().error));
  } else if (auto* response = std::get_if<RpcResponse>(&*message)) {
    handle_response(std::move(*response));
  } else {
    handle_request(std::get<RpcRequest>(*message));
  }
}

void RpcPeer::Impl::handle_request(const RpcRequest& request) {
  Reply reply = request.id ? reply_to(*request.id) : Reply();
  if (request.method == "ping") {
    if (reply) reply(Json::object());
  } else if (handlers.on_request) {
    handlers.on_request(request.method, request.params, std::move(reply));
  } else if (reply) {
    reply(fail(ErrorCode::kUnknownMethod, "no requests are taken here"));
  }
}

void RpcPeer::Impl::handle_response(RpcResponse response) {
  // Unknown are the answers to pings, and those that come after their time.
  const auto call = calls.extract(response.id);
  if (call) call.mapped().answer(std::move(response.result));
}

RpcPeer::Reply RpcPeer::Impl::reply_to(int64_t id) {
  return [weak = weak_from_this(), id,
          answered = std::make_shared<bool>(false)](const Result<Json>& result) {
    const auto impl = weak.lock();
    if (!impl || std::exchange(*answered, true)) return;
    impl->send(result ? result_line(id, *result) : error_line(id, result.error()));
  };
}

void RpcPeer::Impl::call(std::string_view method, const Json& params, AnswerCallback answer,
                         int64_t timeout_ms) {
  if (!connection) {
    loop.post([weak = weak_from_this(), answer = std::move(answer)] {
      const auto impl = weak.lock();
      if (impl && !impl->abandoned) answer(fail(ErrorCode::kUnavailable, "the session has ended"));
    });
    return;
  }
  const int64_t id = next_id++;
  Timer timeout(loop);
  timeout.start(timeout_ms, 0, [this, id, timeout_ms, name = std::string(method)] {
    const auto keep = shared_from_this();
    const auto call = calls.extract(id);
    call.mapped().answer(
        fail(ErrorCode::kTimeout, fmt::format("no answer to {} within {} ms", name, timeout_ms)));
  });
  calls.emplace(id, Call{std::move(answer), std::move(timeout)});
  send(request_line(id, method, params));
}

void RpcPeer::Impl::send(std::string_view line) {
  if (!connection) return;
  connection->write_copy(bytes_of(line));
  const size_t unsent = connection->unsent_bytes();
  if (unsent > kMaxControlQueue) {
    end_soon({ErrorCode::kLimit, fmt::format("the peer does not read: {} bytes wait", unsent)});
  }
}

void RpcPeer::Impl::beat(int64_t every_ms, int64_t timeout_ms) {
  // Counted in pings and not by the clock: after a pause of this process itself, the peer's bytes
  // may be waiting behind this very timer.
  if (silent_ms >= timeout_ms) {
    end({ErrorCode::kTimeout, fmt::format("no sign of life for {} ms", silent_ms)});
    return;
  }
  silent_ms += every_ms;
  send(request_line(next_id++, "ping", Json::object()));
}

// From the loop only: calls back.
void RpcPeer::Impl::end(const Error& error) {
  if (std::exchange(over, true)) return;
  const auto keep = shared_from_this();
  connection.reset();
  heartbeat.stop();
  const std::map<int64_t, Call> open = std::exchange(calls, {});
  for (const auto& [id, call] : open) {
    if (abandoned) return;
    call.answer(fail(ErrorCode::kUnavailable,
                     fmt::format("the session ended before the answer: {}", error.message)));
  }
  if (!abandoned && handlers.on_closed) handlers.on_closed(error);
}

void RpcPeer::Impl::end_soon(const Error& error) {
  connection.reset();
  loop.post([weak = weak_from_this(), error] {
    const auto impl = weak.lock();
    if (impl && !impl->abandoned) impl->end(error);
  });
}

void RpcPeer::Impl::abandon() {
  abandoned = true;
  heartbeat.stop();
  const std::map<int64_t, Call> dropped = std::exchange(calls, {});
  if (connection) TcpConnection::close_after_writes(std::move(connection), kLastBytesMs);
}

// ---- RpcPeer ----

RpcPeer::RpcPeer(Loop& loop, std::unique_ptr<TcpConnection> connection, Handlers handlers)
    : impl_(std::make_shared<Impl>(loop, std::move(connection), std::move(handlers))) {
  impl_->connection->start_reading(*impl_);
}

RpcPeer::~RpcPeer() {
  impl_->abandon();
}

void RpcPeer::call(std::string_view method, const Json& params, AnswerCallback answer,
                   int64_t timeout_ms) {
  impl_->call(method, params, std::move(answer), timeout_ms);
}

void RpcPeer::notify(std::string_view method, const Json& params) {
  impl_->send(notification_line(method, params));
}

void RpcPeer::send_line(std::string_view line) {
  impl_->send(line);
}

bool RpcPeer::offer_line(std::string_view line) {
  if (unsent_bytes() > kMaxDroppableQueue) return false;
  impl_->send(line);
  return true;
}

void RpcPeer::keep_alive(int64_t every_ms, int64_t timeout_ms) {
  impl_->silent_ms = 0;
  if (!impl_->connection) return;
  impl_->heartbeat.start(every_ms, every_ms, [impl = impl_.get(), every_ms, timeout_ms] {
    impl->beat(every_ms, timeout_ms);
  });
}

size_t RpcPeer::unsent_bytes() const {
  return impl_->connection ? impl_->connection->unsent_bytes() : 0;
}

Address RpcPeer::local_address() const {
  return impl_->local;
}
Address RpcPeer::peer_address() const {
  return impl_->peer;
}

}  // namespace sail
