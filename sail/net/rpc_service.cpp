#include "sail/net/rpc_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/base/clock.h"
#include "sail/base/token.h"
#include "sail/wire/nearest_word.h"

namespace sail {
namespace {

constexpr int64_t kSettleMs = 1000;

PeerRank rank_of(Role role) {
  switch (role) {
    case Role::kReceiver:
      return PeerRank::kReceiver;
    case Role::kApplication:
      return PeerRank::kApplication;
    case Role::kUi:
      break;
  }
  return PeerRank::kOther;
}

}  // namespace

bool RpcVerb::is_for(Role role) const {
  return role == Role::kUi ? ui : role == Role::kApplication ? application : receiver;
}

// --- ServicePeer ---------------------------------------------------------------------------------

ServicePeer::ServicePeer(RpcService& service, uint64_t id, std::unique_ptr<MessageChannel> channel)
    : id_(id),
      rpc_(service.group_, std::move(channel),
           {.on_request =
                [this, &service](const std::string& method, const Json& params,
                                 const RpcPeer::Reply& reply) {
                  service.on_request(*this, method, params, reply);
                },
            .on_closed = [id, &service](const Error& error) { service.end(id, error.message); }}) {}

std::string ServicePeer::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     address_text(rpc_.peer_address()));
}

// --- who comes and goes --------------------------------------------------------------------------

RpcService::RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
                       const Log& log)
    : options_(std::move(options)),
      verbs_(std::move(verbs)),
      handlers_(std::move(handlers)),
      log_(log),
      rare_log_(log),
      settle_(loop),
      tokens_(options_.token),
      group_(loop, {.hello_ms = options_.hello_ms, .max_strangers = options_.max_strangers}) {
  settle_.start(kSettleMs, kSettleMs, [this] { rare_log_.settle(steady_now_ns()); });
}

Result<std::unique_ptr<TcpListener>> RpcService::listen(
    Loop& loop, const Address& at, const Options& options,
    const std::function<RpcService&()>& service) {
  if (options.token.size() + kTokenMarkBytes > kMaxTokenLength) {
    return fail(ErrorCode::kLimit, fmt::format("the token (VITRAIL_TOKEN) is longer than {} bytes",
                                               kMaxTokenLength - kTokenMarkBytes));
  }
  auto listener = TcpListener::listen(
      loop, at,
      [service](auto connection) { service().accept(tcp_channel(std::move(connection))); },
      [service](const Error& why) { service().note_starved(why); });
  if (listener || listener.error().code != ErrorCode::kConflict) return listener;
  return fail(ErrorCode::kConflict,
              fmt::format("port {} on {} is in use: {}, or choose another with --listen", at.port,
                          at.host, options.when_in_use));
}

Result<void> RpcService::listen(const Address& at) {
  auto listener = listen(group_.loop(), at, options_, [this]() -> RpcService& { return *this; });
  if (!listener) return listener.error();
  listener_ = std::move(*listener);
  return {};
}

void RpcService::accept(std::unique_ptr<MessageChannel> channel) {
  const uint64_t id = next_id_++;
  peers_.emplace(id, std::make_shared<ServicePeer>(*this, id, std::move(channel)));
}

void RpcService::note_starved(const Error& why) {
  rare_log_.warning("descriptors", "", steady_now_ns(), "{}", why.message);
  group_.make_room();
}

void RpcService::end(uint64_t id, std::string_view why) {
  const auto ended = peers_.extract(id);
  if (ended.empty()) return;
  ServicePeer& peer = *ended.mapped();
  if (!peer.role()) {
    rare_log_.warning("not let in", network_of(peer.rpc().peer_address().host), steady_now_ns(),
                      "{} was not let in: {}", peer.text(), why);
    return;
  }
  if (peer.role() != Role::kUi) log_.info("{} left: {}", peer.text(), why);
  if (handlers_.on_left) handlers_.on_left(peer);
}

ServicePeer* RpcService::find(uint64_t id) {
  const auto it = peers_.find(id);
  return it == peers_.end() ? nullptr : it->second.get();
}

// --- hello ---------------------------------------------------------------------------------------

void RpcService::on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply) {
  RpcPeer& rpc = peer.rpc();
  if (peer.role()) {
    if (reply) reply(fail(ErrorCode::kInvalidRequest, "hello was said already, once is enough"));
    return;
  }
  if (!reply)
    return rpc.refuse(reply, {ErrorCode::kInvalidRequest, "its hello was a notification"});
  auto hello = message_from_json<Hello>(params);
  if (!hello) return rpc.refuse(reply, hello.error());
  peer.hello_ = std::move(*hello);
  const auto token = tokens_.judge(peer.hello_.token, rpc.peer_address().host, steady_now_ns());
  if (token.wrong) return rpc.refuse(reply, *token.wrong, token.delay_ms);
  auto welcome = check_hello(peer.hello_).and_then([&] { return handlers_.on_hello(peer); });
  if (!welcome) return rpc.refuse(reply, welcome.error());
  (*welcome)["protocol"] = kControlProtocol;
  (*welcome)["version"] = VITRAIL_VERSION;
  peer.role_ = peer.hello_.role;
  rpc.admit(rank_of(*peer.role_));
  reply(std::move(*welcome));
  if (peer.role_ != Role::kUi) {
    rpc.keep_alive();
    log_.info("{} connected", peer.text());
  }
  if (handlers_.on_joined) handlers_.on_joined(peer);
}

Result<void> RpcService::check_hello(const Hello& hello) const {
  if (hello.protocol != kControlProtocol) {
    return fail(ErrorCode::kUnsupportedProtocol,
                fmt::format("this {} speaks control protocol {}, not {}", options_.server,
                            kControlProtocol, hello.protocol));
  }
  const char* role = role_name(hello.role);
  if (std::ranges::none_of(verbs_, [&](const RpcVerb& verb) { return verb.is_for(hello.role); })) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("hello: this {} has nothing for the role '{}'", options_.server, role));
  }
  const auto others = std::ranges::count_if(
      peers_, [&](const auto& entry) { return entry.second->role() == hello.role; });
  if (hello.role != Role::kReceiver && static_cast<size_t>(others) >= options_.max_peers) {
    return fail(
        ErrorCode::kLimit,
        fmt::format("{} peers with the role '{}' are connected, no more are let in", others, role));
  }
  return {};
}

// --- verbs ---------------------------------------------------------------------------------------

void RpcService::on_request(ServicePeer& peer, const std::string& method, const Json& params,
                            const RpcPeer::Reply& reply) {
  if (method == "hello") {
    on_hello(peer, params, reply);
  } else if (!peer.role()) {
    peer.rpc().refuse(reply,
                      {ErrorCode::kInvalidRequest, fmt::format("say hello before '{}'", method)});
  } else {
    run_verb(peer, method, params, reply ? reply : log_first_mistake(peer, method));
  }
}

void RpcService::run_verb(ServicePeer& peer, const std::string& method, const Json& params,
                          const RpcPeer::Reply& reply) {
  const Role role = *peer.role();
  const auto verb =
      std::ranges::find_if(verbs_, [&](const RpcVerb& known) { return method == known.name; });
  if (verb == verbs_.end()) {
    reply(fail(ErrorCode::kUnknownMethod,
               fmt::format("there is no verb '{}'{}", method, hint(method, role))));
  } else if (!verb->is_for(role)) {
    reply(fail(ErrorCode::kInvalidRequest,
               fmt::format("'{}' is no verb of the role '{}', which this connection has", method,
                           role_name(role))));
  } else {
    verb->run({peer, verb->name, params, reply});
  }
}

std::string RpcService::hint(std::string_view verb, Role role) const {
  std::vector<std::string_view> names;
  for (const RpcVerb& known : verbs_) {
    if (known.is_for(role)) names.emplace_back(known.name);
  }
  const std::string_view nearest = nearest_word(verb, names);
  return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
}

RpcPeer::Reply RpcService::log_first_mistake(const ServicePeer& peer,
                                             const std::string& method) const {
  // The answer may come when the session is gone.
  return [this, weak = std::weak_ptr(peers_.at(peer.id())), method](const Result<Json>& result) {
    const auto its = weak.lock();
    if (result || !its || std::exchange(its->mistake_logged_, true)) return;
    log_.warning("{}: notification '{}': {}", its->text(), method, result.error().message);
  };
}

}  // namespace sail
