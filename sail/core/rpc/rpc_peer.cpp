#include "sail/core/rpc/rpc_peer.h"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sail {
namespace {

constexpr int64_t kLastBytesMs = 1000;  // for queued data when we close a session
// Notification of a client before it closes a session for the listener's silence.
constexpr const char* kSilence = "silence";

}  // namespace

// Outlives its RpcPeer while one of its own callbacks runs; no handlers are called then.
struct RpcPeer::Impl : MessageChannel::Reader,
                       PeerGroup::Member,
                       std::enable_shared_from_this<Impl> {
  struct Call {
    AnswerCallback answer;
    Timer timeout;
  };

  Impl(Loop& its_loop, PeerGroup* its_group, std::unique_ptr<MessageChannel> its_channel,
       Handlers its_handlers)
      : loop(its_loop),
        group(its_group),
        stranger(its_group != nullptr),
        channel(std::move(its_channel)),
        handlers(std::move(its_handlers)),
        local(channel->local_address()),
        peer(channel->peer_address()),
        heartbeat(its_loop) {}

  void start();
  void on_received() override;
  void on_closed(const Error& error) override;
  void on_request(RpcRequest&& request) override;
  bool take_turn() override;
  PeerRank rank() const override { return its_rank; }
  size_t unsent_memory() const override { return channel ? channel->unsent_memory() : 0; }
  void evict(const Error& why) override { end_soon(why); }

  void call(std::string_view method, const Json& params, AnswerCallback answer, int64_t timeout_ms);
  void send(std::string_view line);
  void send(std::span<const SharedText> line);
  // Call after sending: ends the session of a peer that does not read.
  void limit_unsent();
  void beat(int64_t timeout_ms);
  // Returns true if there was a message.
  bool handle_next();
  void handle_line(std::string_view line);
  void handle_request(const RpcRequest& request);
  void handle_response(RpcResponse response);
  struct ReplyTo;
  Reply reply_to(int64_t id);
  void end(const Error& error);
  void end_soon(const Error& error);
  // Closes the channel after sending.
  void end_after_sending(const Error& error);
  void let_go();
  void drop_channel();
  void abandon();

  Loop& loop;
  PeerGroup* const group;  // null for a client
  bool stranger;
  bool refused = false;
  // Rank of strangers: before UI clients, because their few messages are quick to handle, but after
  // receivers, so that a crowd of strangers does not delay them.
  PeerRank its_rank = PeerRank::kApplication;
  std::unique_ptr<MessageChannel> channel;  // null once the session ends
  std::optional<RpcRequest> arrived;        // by on_request()
  Handlers handlers;
  const Address local;
  const Address peer;
  int64_t next_id = 1;
  std::map<int64_t, Call> calls;
  Timer heartbeat;          // pings; after refuse(): the delay before the refusal
  int64_t ping_ms = 0;      // interval of pings; 0: none are sent
  int64_t silent_ms = 0;    // time of pinging without a byte from the peer
  std::string refers_to;    // sent in errors
  std::string referred_to;  // from the last error received
  bool over = false;        // end() was called
  bool abandoned = false;   // RpcPeer was destroyed
};

void RpcPeer::Impl::start() {
  if (group != nullptr) {
    channel->set_unauthenticated(true);
    group->enter(*this, peer.host);
  }
  channel->start_reading(*this);
}

void RpcPeer::Impl::on_received() {
  const auto keep = shared_from_this();
  silent_ms = 0;
  if (group != nullptr) {
    channel->pause();
    group->request_turn(keep);
    return;
  }
  while (handle_next()) {
  }
}

// If the peer left two pings unanswered, the network was cut: the peer gave up, and may return.
void RpcPeer::Impl::on_closed(const Error& error) {
  const bool cut = group != nullptr && silent_ms > ping_ms;
  end(cut ? Error{ErrorCode::kTimeout, error.message} : error);
}

void RpcPeer::Impl::on_request(RpcRequest&& request) {
  arrived = std::move(request);
  on_received();
}

bool RpcPeer::Impl::take_turn() {
  const auto keep = shared_from_this();
  if (handle_next()) return true;
  if (channel && !refused) channel->resume();
  return false;
}

bool RpcPeer::Impl::handle_next() {
  if (!channel || refused) return false;
  if (arrived) {
    const RpcRequest request = *std::exchange(arrived, std::nullopt);
    handle_request(request);
    return true;
  }
  const auto line = channel->next();
  if (!line) {
    send(error_line(std::nullopt, line.error()));
    end_after_sending(line.error());
    return false;
  }
  if (!*line) return false;
  handle_line(**line);
  return true;
}

void RpcPeer::Impl::handle_line(std::string_view line) {
  auto message = parse_rpc(line);
  if (!message) {
    send(error_line(message.error().id, message.error().error));
    if (stranger) end_after_sending(message.error().error);
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
  } else if (request.method == kSilence && ping_ms > 0) {
    end({ErrorCode::kTimeout, "the peer received no data from here"});
  } else if (handlers.on_request) {
    handlers.on_request(request.method, request.params, std::move(reply));
  } else if (reply) {
    reply(fail(ErrorCode::kUnknownMethod, "this peer does not accept requests"));
  }
}

void RpcPeer::Impl::handle_response(RpcResponse response) {
  // Unknown ids belong to pings and to calls that timed out.
  const auto call = calls.extract(response.id);
  referred_to = std::move(response.at);
  if (call) call.mapped().answer(std::move(response.result));
}

struct RpcPeer::Impl::ReplyTo {
  // Null: nothing is to be sent.
  std::shared_ptr<Impl> claim() const {
    return std::exchange(*answered, true) ? nullptr : peer.lock();
  }
  void operator()(const Result<Json>& result) const {
    if (const auto impl = claim()) {
      impl->send(result ? result_line(id, *result)
                        : error_line(id, result.error(), impl->refers_to));
    }
  }

  std::weak_ptr<Impl> peer;
  int64_t id = 0;
  std::shared_ptr<bool> answered = std::make_shared<bool>(false);
};

RpcPeer::Reply RpcPeer::Impl::reply_to(int64_t id) {
  return ReplyTo{.peer = weak_from_this(), .id = id};
}

void RpcPeer::Impl::call(std::string_view method, const Json& params, AnswerCallback answer,
                         int64_t timeout_ms) {
  if (!channel) {
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
  if (!channel) return;
  channel->send(line);
  limit_unsent();
}

void RpcPeer::Impl::send(std::span<const SharedText> line) {
  if (!channel) return;
  channel->send_shared(line);
  limit_unsent();
}

void RpcPeer::Impl::limit_unsent() {
  const size_t unsent = channel->unsent_bytes();
  if (unsent > kMaxControlQueue) {
    end_soon({ErrorCode::kLimit, fmt::format("the peer does not read: {} unsent bytes", unsent)});
  } else if (group != nullptr) {
    group->sent_to(*this);
  }
}

void RpcPeer::Impl::beat(int64_t timeout_ms) {
  // Counts pings rather than clock time: after a pause of this process, the peer's bytes may be
  // waiting behind this timer.
  if (silent_ms >= timeout_ms) {
    if (group == nullptr) {
      send(notification_line(kSilence, Json::object()));
      let_go();
    }
    end({ErrorCode::kTimeout, fmt::format("no data received for {} ms", silent_ms)});
    return;
  }
  silent_ms += ping_ms;
  send(request_line(next_id++, "ping", Json::object()));
}

// Called only from the loop, because it calls handlers.
void RpcPeer::Impl::end(const Error& error) {
  if (std::exchange(over, true)) return;
  const auto keep = shared_from_this();
  drop_channel();
  heartbeat.stop();
  const std::map<int64_t, Call> open = std::exchange(calls, {});
  for (const auto& [id, call] : open) {
    if (abandoned) return;
    call.answer(fail(ErrorCode::kUnavailable,
                     fmt::format("the session ended before the answer: {}", error.message)));
  }
  if (!abandoned && handlers.on_closed) handlers.on_closed(error);
}

void RpcPeer::Impl::end_after_sending(const Error& error) {
  let_go();
  end(error);
}

void RpcPeer::Impl::end_soon(const Error& error) {
  drop_channel();
  loop.post([weak = weak_from_this(), error] {
    const auto impl = weak.lock();
    if (impl && !impl->abandoned) impl->end(error);
  });
}

void RpcPeer::Impl::abandon() {
  abandoned = true;
  heartbeat.stop();
  const std::map<int64_t, Call> dropped = std::exchange(calls, {});
  let_go();
}

void RpcPeer::Impl::let_go() {
  if (channel) channel->close_after_sending(kLastBytesMs);
  drop_channel();
}

void RpcPeer::Impl::drop_channel() {
  channel.reset();
  if (group != nullptr) group->leave(*this);
}

// ---- RpcPeer ----

RpcPeer::RpcPeer(Loop& loop, std::unique_ptr<MessageChannel> channel, Handlers handlers)
    : impl_(std::make_shared<Impl>(loop, nullptr, std::move(channel), std::move(handlers))) {
  impl_->start();
}

RpcPeer::RpcPeer(PeerGroup& group, std::unique_ptr<MessageChannel> channel, Handlers handlers)
    : impl_(std::make_shared<Impl>(group.loop(), &group, std::move(channel), std::move(handlers))) {
  impl_->start();
}

RpcPeer::RpcPeer(Loop& loop, std::unique_ptr<TcpConnection> connection, Handlers handlers)
    : RpcPeer(loop, tcp_channel(std::move(connection)), std::move(handlers)) {}

RpcPeer::~RpcPeer() {
  impl_->abandon();
}

void RpcPeer::admit(PeerRank rank) {
  impl_->its_rank = rank;
  if (!std::exchange(impl_->stranger, false) || !impl_->channel) return;
  impl_->channel->set_unauthenticated(false);
  impl_->group->admit(*impl_);
}

void RpcPeer::extend_timeout() {
  if (impl_->stranger && impl_->channel) impl_->group->extend_timeout(*impl_, impl_->peer.host);
}

void RpcPeer::refuse(Reply reply, const Error& why, int64_t delay_ms) {
  impl_->refused = true;
  impl_->heartbeat.start(delay_ms, 0, [impl = impl_.get(), reply = std::move(reply), why] {
    if (reply) reply(why);
    impl->end_after_sending({why.code, "refused: " + why.message});
  });
}

void RpcPeer::refer_to(const Address& other) {
  impl_->refers_to = address_text(other);
}

std::optional<Address> RpcPeer::referred_to() const {
  const auto address = parse_address(impl_->referred_to, {});
  if (!address || address->host.empty() || address->port == 0) return std::nullopt;
  return *address;
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

void RpcPeer::send_line(const SharedText& line) {
  impl_->send({&line, 1});
}

bool RpcPeer::offer_line(std::string_view line) {
  if (unsent_bytes() > kMaxDroppableQueue) return false;
  send_line(line);
  return true;
}

bool RpcPeer::offer_line(const SharedText& line) {
  if (unsent_bytes() > kMaxDroppableQueue) return false;
  send_line(line);
  return true;
}

void RpcPeer::answer(const Reply& reply, std::span<const SharedText> result) {
  const auto* direct = reply.target<Impl::ReplyTo>();
  if (direct == nullptr) {  // a wrapped reply takes a value
    std::string text;
    for (const SharedText& part : result) text += *part;
    return reply(parse_json(text, text.size()));
  }
  const auto impl = direct->claim();
  if (!impl) return;
  std::vector<SharedText> line(result.begin(), result.end());
  line.insert(line.begin(), share(result_start(direct->id)));
  line.push_back(share(std::string(kResultEnd)));
  impl->send(line);
}

void RpcPeer::keep_alive(int64_t every_ms, int64_t timeout_ms) {
  impl_->silent_ms = 0;
  impl_->ping_ms = every_ms;
  if (!impl_->channel) return;
  impl_->heartbeat.start(every_ms, every_ms,
                         [impl = impl_.get(), timeout_ms] { impl->beat(timeout_ms); });
}

size_t RpcPeer::unsent_bytes() const {
  return impl_->channel ? impl_->channel->unsent_bytes() : 0;
}

ProxiedUser RpcPeer::person() const {
  return impl_->channel ? impl_->channel->person() : ProxiedUser{};
}

std::string RpcPeer::binding() const {
  return impl_->channel ? impl_->channel->binding() : "";
}

Address RpcPeer::local_address() const {
  return impl_->local;
}
Address RpcPeer::peer_address() const {
  return impl_->peer;
}

}  // namespace sail
