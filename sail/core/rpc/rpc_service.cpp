#include "sail/core/rpc/rpc_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/rpc/service_peer.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kTickMs = 1000;

PeerRank rank_of(Role role) {
  switch (role) {
    case Role::kReceiver:
      return PeerRank::kReceiver;
    case Role::kApplication:
      return PeerRank::kApplication;
    case Role::kUi:
    case Role::kRecorder:
      break;
  }
  return PeerRank::kOther;
}

// Answer to a peer without TLS, in plain text.
std::string plain_refusal(const std::string& server) {
  return error_line(std::nullopt,
                    {ErrorCode::kUnauthorized,
                     fmt::format("this {} accepts this connection by TLS 1.3 only: your program is "
                                 "an older release, or its VITRAIL_TLS differs",
                                 server)});
}

}  // namespace

// --- joining and leaving -------------------------------------------------------------------------

RpcService::RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
                       const Log& log)
    : options_(std::move(options)),
      verbs_(std::move(verbs), handlers.on_noted, handlers.on_admission),
      handlers_(std::move(handlers)),
      log_(log),
      rate_limited_log_(log),
      timer_(loop),
      authenticator_(options_.access),
      group_(loop,
             {.hello_ms = options_.hello_ms, .max_unauthenticated = options_.max_unauthenticated}) {
  timer_.start(kTickMs, kTickMs, [this] {
    rate_limited_log_.flush(steady_now_ns());
    end_keys();
  });
}

Result<std::unique_ptr<TcpListener>> RpcService::listen(
    Loop& loop, const Address& at, const Options& options,
    const std::function<RpcService&()>& service) {
  auto listener = TcpListener::listen(
      loop, at,
      [service](auto connection) { service().accept(tcp_channel(std::move(connection))); },
      [service](const Error& why) { service().note_descriptors_exhausted(why); },
      {.tls = options.tls, .refusal = plain_refusal(options.access.server)});
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
  add(std::move(channel));
}

void RpcService::accept_proven(std::unique_ptr<MessageChannel> channel, const std::string& key_name,
                               const std::string& name, const RpcPeer::Reply& reply) {
  ServicePeer& peer = add(std::move(channel));
  peer.hello_.role = Role::kUi;
  peer.hello_.protocol = kControlProtocol;
  peer.hello_.name = name;
  peer.hello_.key = key_name;
  join(peer, reply);
}

ServicePeer& RpcService::add(std::unique_ptr<MessageChannel> channel) {
  const uint64_t id = next_id_++;
  const RpcPeer::Handlers handlers{
      .on_request =
          [this, id](const std::string& method, const Json& params, const RpcPeer::Reply& reply) {
            if (ServicePeer* peer = find(id)) on_request(*peer, method, params, reply);
          },
      .on_closed = [this, id](const Error& error) { on_closed(id, error); }};
  const auto peer = std::make_shared<ServicePeer>(id, group_, std::move(channel), handlers);
  return *peers_.emplace(id, peer).first->second;
}

void RpcService::note_descriptors_exhausted(const Error& why) {
  rate_limited_log_.warning("descriptors", "", steady_now_ns(), "{}", why.message);
  group_.make_room();
}

void RpcService::on_closed(uint64_t id, const Error& error) {
  if (ServicePeer* peer = find(id)) peer->fell_silent_ = error.code == ErrorCode::kTimeout;
  end(id, error.message);
}

void RpcService::end(uint64_t id, std::string_view why) {
  const auto ended = peers_.extract(id);
  if (ended.empty()) return;
  ServicePeer& peer = *ended.mapped();
  if (!peer.role()) {
    rate_limited_log_.warning("refused connections", network_of(peer.rpc().peer_address().host),
                              steady_now_ns(), "{} was refused: {}", peer.text(), why);
    return;
  }
  if (peer.role() != Role::kUi) log_.info("{} left: {}", peer.text(), why);
  if (handlers_.on_left) handlers_.on_left(peer);
}

void RpcService::end_keys() {
  std::vector<uint64_t> ended;
  for (const auto& [id, peer] : peers_) {
    if (end_of_key(peer->key_name()) && sail::right_of(peer->key_name()) == Right::kNone) {
      ended.push_back(id);
    }
  }
  for (const uint64_t id : ended) end(id, "its key has ended");
}

ServicePeer* RpcService::find(uint64_t id) {
  const auto it = peers_.find(id);
  return it == peers_.end() ? nullptr : it->second.get();
}

// --- hello ---------------------------------------------------------------------------------------

Result<Json> RpcService::challenge(ServicePeer& peer, const Json& params) const {
  if (peer.role() || peer.proofs_.challenge) {
    return fail(ErrorCode::kInvalidRequest,
                "only one challenge is accepted, and only before hello");
  }
  const auto asked = message_from_json<Challenge>(params);
  if (!asked) return asked.error();
  const auto answer = authenticator_.challenge(peer.proofs_, *asked, peer.rpc().binding());
  if (!answer) return answer.error();
  if (authenticator_.takes_password_of(asked->key)) peer.rpc().extend_timeout();
  return to_json(*answer);
}

KeyGuard::Judgement RpcService::judge_request(const WebRequest& request) {
  const auto proof = read_request_proof(request.authorization);
  ServicePeer* peer = proof ? find(proof->client) : nullptr;
  const bool joined = peer != nullptr && peer->role();
  auto judged = authenticator_.judge(request, joined ? &peer->proofs_ : nullptr, steady_now_ns());
  if (judged.wrong) count(*judged.wrong);
  if (judged.wrong || allows_everybody() || !proof) return judged;
  if (includes(peer->right(), request.least)) return judged;
  Error refusal = not_allowed(peer->right(), "this", request.least);
  refusal.code = ErrorCode::kInvalidRequest;
  return {std::move(refusal), 0};
}

Authenticator::BearerJudgement RpcService::judge_bearer(std::string_view authorization,
                                                        const std::string& host) {
  auto judgement = authenticator_.judge_bearer(authorization, host, steady_now_ns());
  if (judgement.judged.wrong) count(*judgement.judged.wrong);
  return judgement;
}

void RpcService::count(const Error& refusal) {
  ++(refusal.code == ErrorCode::kUnauthorized ? refused_.unproven
     : refusal.code == ErrorCode::kLimit      ? refused_.limited
                                              : refused_.other);
}

void RpcService::refuse(ServicePeer& peer, const RpcPeer::Reply& reply, const Error& why,
                        int64_t delay_ms) {
  count(why);
  peer.rpc().refuse(reply, why, delay_ms);
}

void RpcService::on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply) {
  RpcPeer& rpc = peer.rpc();
  if (peer.role()) {
    if (reply) reply(fail(ErrorCode::kInvalidRequest, "hello was already received"));
    return;
  }
  if (!reply)
    return refuse(peer, reply,
                  {ErrorCode::kInvalidRequest, "hello must be a request, not a notification"});
  auto hello = message_from_json<Hello>(params);
  if (!hello) return refuse(peer, reply, hello.error());
  peer.hello_ = std::move(*hello);
  const auto judged = authenticator_.judge(peer.proofs_, peer.hello_, rpc.person(),
                                           rpc.peer_address().host, steady_now_ns());
  if (judged.wrong) return refuse(peer, reply, *judged.wrong, judged.delay_ms);
  join(peer, reply);
}

void RpcService::join(ServicePeer& peer, const RpcPeer::Reply& reply) {
  peer.right_ =
      allows_everybody() ? Right::kAdmin : authenticator_.right_of(peer.proofs_, peer.key_name());
  auto welcome = check_hello(peer).and_then([&] { return handlers_.on_hello(peer); });
  if (!welcome) return refuse(peer, reply, welcome.error());
  (*welcome)["protocol"] = kControlProtocol;
  (*welcome)["version"] = VITRAIL_VERSION;
  if (!peer.proofs_.listener_proof.empty()) (*welcome)["proof"] = peer.proofs_.listener_proof;
  if (peer.proofs_.proxied) (*welcome)["session"] = peer.proofs_.session;
  peer.role_ = peer.hello_.role;
  peer.rpc().admit(rank_of(*peer.role_));
  reply(std::move(*welcome));
  if (peer.role_ != Role::kUi) {
    peer.rpc().keep_alive();
    log_.info("{} connected", peer.text());
  }
  if (handlers_.on_joined) handlers_.on_joined(peer);
}

Result<void> RpcService::check_hello(const ServicePeer& peer) const {
  const Hello& hello = peer.hello();
  if (hello.protocol != kControlProtocol) {
    return fail(ErrorCode::kUnsupportedProtocol,
                fmt::format("this {} speaks control protocol {}, not {}", options_.access.server,
                            kControlProtocol, hello.protocol));
  }
  if (auto allowed = authenticator_.check_role(peer.proofs_, hello); !allowed) return allowed;
  const char* role = role_name(hello.role);
  if (!verbs_.serves(hello.role)) {
    return fail(
        ErrorCode::kInvalidParams,
        fmt::format("hello: this {} does not support the role '{}'", options_.access.server, role));
  }
  const auto others = std::ranges::count_if(
      peers_, [&](const auto& entry) { return entry.second->role() == hello.role; });
  if (hello.role != Role::kReceiver && static_cast<size_t>(others) >= options_.max_peers) {
    return fail(
        ErrorCode::kLimit,
        fmt::format("{} peers with the role '{}' are connected, which is the limit", others, role));
  }
  return {};
}

// --- verbs ---------------------------------------------------------------------------------------

void RpcService::on_request(ServicePeer& peer, const std::string& method, const Json& params,
                            const RpcPeer::Reply& reply) {
  if (method == "hello") {
    on_hello(peer, params, reply);
  } else if (method == "challenge") {
    auto answer = challenge(peer, params);
    if (answer && reply) {
      reply(std::move(*answer));
    } else {
      refuse(peer, reply,
             answer ? Error{ErrorCode::kInvalidRequest,
                            "challenge must be a request, not a notification"}
                    : answer.error());
    }
  } else if (!peer.role()) {
    refuse(peer, reply,
           {ErrorCode::kInvalidRequest, fmt::format("send hello before '{}'", method)});
  } else {
    verbs_.run(peer, method, params, reply ? reply : log_first_mistake(peer, method));
  }
}

RpcPeer::Reply RpcService::log_first_mistake(const ServicePeer& peer,
                                             const std::string& method) const {
  // The answer may come after the session has ended.
  return [this, weak = std::weak_ptr(peers_.at(peer.id())), method](const Result<Json>& result) {
    const auto its = weak.lock();
    if (result || !its || std::exchange(its->mistake_logged_, true)) return;
    log_.warning("{}: notification '{}': {}", its->text(), method, result.error().message);
  };
}

std::string ServicePeer::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     address_text(rpc_.peer_address()));
}

}  // namespace sail
