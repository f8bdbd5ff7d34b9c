#include "sail/core/rpc/rpc_service.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

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
    case Role::kRecorder:
      break;
  }
  return PeerRank::kOther;
}

// Error message with the user's role, its rights, and the role needed for `what`.
Error not_allowed(Right right, const std::string& what, Right needed) {
  const char* may = "view the wall and show content, but not change the wall";
  if (right == Right::kViewer) may = "view the wall, but not change it";
  if (right == Right::kPresenter) may = "show content and change your own windows";
  if (right == Right::kOperator) may = "control the wall, but not administer it";
  const char* role = right_name(right);
  const bool vowel = right == Right::kOperator || right == Right::kProgram;
  return {ErrorCode::kUnauthorized,
          fmt::format("you are signed in as {} {}: you can {} ({} needs the role '{}')",
                      vowel ? "an" : "a", role, may, what, right_name(needed))};
}

// Answer to a peer without TLS, in plain text.
std::string plain_refusal(const std::string& server) {
  return error_line(std::nullopt,
                    {ErrorCode::kUnauthorized,
                     fmt::format("this {} accepts other machines by TLS 1.3 only: your program is "
                                 "an older release, or runs with VITRAIL_TLS=never",
                                 server)});
}

// The error for a person who is not let in. proxied: the name that a proxy reports; or empty.
Error refusal_of_person(const RpcService::Options& options, const std::string& proxied) {
  if (options.people != nullptr && !options.people_closed.empty()) {
    return {ErrorCode::kConflict, options.people_closed};
  }
  if (proxied.empty()) return {ErrorCode::kUnauthorized, "wrong name or password"};
  return {ErrorCode::kUnauthorized,
          fmt::format("the proxy signed you in as '{}', who is not a user of this wall: add the "
                      "name with `vitrail user add`",
                      proxied)};
}

}  // namespace

bool RpcVerb::is_for(Role role) const {
  switch (role) {
    case Role::kUi:
      return ui.has_value();
    case Role::kApplication:
      return application;
    case Role::kReceiver:
      return receiver;
    case Role::kRecorder:
      return recorder;
  }
  return false;
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
            .on_closed = [id, &service](const Error& error) { service.on_closed(id, error); }}) {}

std::string ServicePeer::text() const {
  return fmt::format("{} '{}' ({})", role_ ? role_name(*role_) : "peer", hello_.name,
                     address_text(rpc_.peer_address()));
}

// --- joining and leaving -------------------------------------------------------------------------

RpcService::RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
                       const Log& log)
    : options_(std::move(options)),
      verbs_(std::move(verbs)),
      handlers_(std::move(handlers)),
      log_(log),
      rate_limited_log_(log),
      settle_(loop),
      guard_(options_.key),
      group_(loop,
             {.hello_ms = options_.hello_ms, .max_unauthenticated = options_.max_unauthenticated}) {
  settle_.start(kSettleMs, kSettleMs, [this] { rate_limited_log_.settle(steady_now_ns()); });
}

Result<std::unique_ptr<TcpListener>> RpcService::listen(
    Loop& loop, const Address& at, const Options& options,
    const std::function<RpcService&()>& service) {
  auto listener = TcpListener::listen(
      loop, at,
      [service](auto connection) { service().accept(tcp_channel(std::move(connection))); },
      [service](const Error& why) { service().note_descriptors_exhausted(why); },
      {.tls = options.tls, .refusal = plain_refusal(options.server)});
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

ServicePeer* RpcService::find(uint64_t id) {
  const auto it = peers_.find(id);
  return it == peers_.end() ? nullptr : it->second.get();
}

// --- hello ---------------------------------------------------------------------------------------

Result<Json> RpcService::challenge(ServicePeer& peer, const Json& params) const {
  if (peer.role() || peer.challenge_) {
    return fail(ErrorCode::kInvalidRequest,
                "only one challenge is accepted, and only before hello");
  }
  const auto asked = message_from_json<Challenge>(params);
  if (!asked) return asked.error();
  if (guard_.everybody_is_welcome()) {
    return fail(ErrorCode::kUnauthorized,
                fmt::format("this {} has no key, but the client has: check the address, and set "
                            "VITRAIL_KEY_FILE for both",
                            options_.server));
  }
  if (options_.people != nullptr && is_person(asked->key)) {
    if (options_.people_closed.empty()) peer.rpc().give_time();
    peer.challenge_ = {{asked->key, ""}, asked->nonce, random_word(), peer.rpc().binding()};
    return to_json(ChallengeAnswer{.nonce = peer.challenge_->listener_nonce,
                                   .salt = options_.people->salt_of(asked->key)});
  }
  peer.challenge_ = {key_named(guard_.key(), asked->key), asked->nonce, random_word(),
                     peer.rpc().binding()};
  return to_json(ChallengeAnswer{peer.challenge_->listener_nonce, peer.challenge_->of_listener()});
}

KeyGuard::Given RpcService::proof_given(ServicePeer& peer) const {
  const Hello& hello = peer.hello_;
  if (hello.proof.empty()) return proxied(peer);
  const auto& challenge = peer.challenge_;
  if (options_.people != nullptr && is_person(hello.key)) {
    if (!challenge || challenge->key.name != hello.key) return KeyGuard::Given::kWrong;
    const auto proof = options_.people->check(*challenge, role_name(hello.role), hello.proof);
    if (!proof) return KeyGuard::Given::kWrong;
    peer.session_ = proof->session;
    peer.listener_proof_ = proof->of_listener;
    peer.person_ = hello.key.substr(kPersonKey.size());
    return KeyGuard::Given::kRight;
  }
  if (!challenge || challenge->key.name != hello.key ||
      !same_text(hello.proof, challenge->of_peer(role_name(hello.role)))) {
    return KeyGuard::Given::kWrong;
  }
  peer.session_ = challenge->session();
  return KeyGuard::Given::kRight;
}

KeyGuard::Given RpcService::proxied(ServicePeer& peer) const {
  const std::string person = peer.rpc().person();
  Hello& hello = peer.hello_;
  if (options_.people == nullptr || !hello.key.empty() || hello.role != Role::kUi ||
      !is_persons_name(person)) {
    return KeyGuard::Given::kNothing;
  }
  peer.proxied_ = true;
  hello.key = std::string(kPersonKey) + person;
  if (right_of(peer) == Right::kNone) return KeyGuard::Given::kNothing;
  peer.session_ = random_word();
  peer.person_ = person;
  return KeyGuard::Given::kRight;
}

KeyGuard::Given RpcService::proof_given(const WebRequest& request) {
  constexpr std::string_view kBearer = "Bearer ";
  if (const auto proof = read_request_proof(request.authorization)) {
    ServicePeer* peer = find(proof->client);
    // Unknown or ended session: not counted as a guess.
    if (peer == nullptr || peer->session_.empty() || !peer->role())
      return KeyGuard::Given::kNothing;
    const std::string right =
        request_proof(peer->session_, request.method, request.path, proof->number);
    if (!same_text(proof->proof, right)) return KeyGuard::Given::kWrong;
    return peer->requests_.take(proof->number) ? KeyGuard::Given::kRight
                                               : KeyGuard::Given::kNothing;
  }
  if (*request.bearer != '\0' && request.authorization.starts_with(kBearer)) {
    const WallKey key = key_named(guard_.key(), request.bearer);
    const auto said = std::string_view(request.authorization).substr(kBearer.size());
    return same_text(said, key_text(key)) ? KeyGuard::Given::kRight : KeyGuard::Given::kWrong;
  }
  return request.authorization.empty() ? KeyGuard::Given::kNothing : KeyGuard::Given::kWrong;
}

KeyGuard::Judgement RpcService::judge_request(const WebRequest& request) {
  auto judged = guard_.judge(proof_given(request), request.host, steady_now_ns());
  if (judged.wrong) count(*judged.wrong);
  const auto proof = read_request_proof(request.authorization);
  if (judged.wrong || guard_.everybody_is_welcome() || !proof) return judged;
  if (includes(find(proof->client)->right(), request.least)) return judged;
  Error refusal = not_allowed(find(proof->client)->right(), "this", request.least);
  refusal.code = ErrorCode::kInvalidRequest;
  return {std::move(refusal), 0};
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
    if (reply) reply(fail(ErrorCode::kInvalidRequest, "hello was received already"));
    return;
  }
  if (!reply)
    return refuse(peer, reply,
                  {ErrorCode::kInvalidRequest, "hello must be a request, not a notification"});
  auto hello = message_from_json<Hello>(params);
  if (!hello) return refuse(peer, reply, hello.error());
  peer.hello_ = std::move(*hello);
  auto key = guard_.judge(proof_given(peer), rpc.peer_address().host, steady_now_ns());
  if (key.wrong && key.wrong->code == ErrorCode::kUnauthorized && is_person(peer.key_name())) {
    key.wrong = refusal_of_person(options_, peer.proxied_ ? rpc.person() : "");
  }
  if (key.wrong) return refuse(peer, reply, *key.wrong, key.delay_ms);
  peer.right_ = guard_.everybody_is_welcome() ? Right::kAdmin : right_of(peer);
  auto welcome = check_hello(peer).and_then([&] { return handlers_.on_hello(peer); });
  if (!welcome) return refuse(peer, reply, welcome.error());
  (*welcome)["protocol"] = kControlProtocol;
  (*welcome)["version"] = VITRAIL_VERSION;
  if (!peer.listener_proof_.empty()) (*welcome)["proof"] = peer.listener_proof_;
  if (peer.proxied_) (*welcome)["session"] = peer.session_;
  peer.role_ = peer.hello_.role;
  rpc.admit(rank_of(*peer.role_));
  reply(std::move(*welcome));
  if (peer.role_ != Role::kUi) {
    rpc.keep_alive();
    log_.info("{} connected", peer.text());
  }
  if (handlers_.on_joined) handlers_.on_joined(peer);
}

Right RpcService::right_of_key(const std::string& name) const {
  return options_.people != nullptr && is_person(name) ? options_.people->right_of(name)
                                                       : sail::right_of(name);
}

Right RpcService::right_behind(const std::string& key_name) const {
  if (guard_.everybody_is_welcome()) return Right::kAdmin;
  const Right right = right_of_key(key_name);
  return right == Right::kNone && is_person(key_name) ? options_.proxied : right;
}

Right RpcService::right_of(const ServicePeer& peer) const {
  const Right right = right_of_key(peer.key_name());
  return right == Right::kNone && peer.proxied_ ? options_.proxied : right;
}

Result<void> RpcService::check_hello(const ServicePeer& peer) const {
  const Hello& hello = peer.hello();
  if (hello.protocol != kControlProtocol) {
    return fail(ErrorCode::kUnsupportedProtocol,
                fmt::format("this {} speaks control protocol {}, not {}", options_.server,
                            kControlProtocol, hello.protocol));
  }
  if (auto allowed = check_role(peer); !allowed) return allowed;
  const char* role = role_name(hello.role);
  if (std::ranges::none_of(verbs_, [&](const RpcVerb& verb) { return verb.is_for(hello.role); })) {
    return fail(
        ErrorCode::kInvalidParams,
        fmt::format("hello: this {} does not support the role '{}'", options_.server, role));
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

Result<void> RpcService::check_role(const ServicePeer& peer) const {
  const Hello& hello = peer.hello();
  const bool opens = guard_.everybody_is_welcome() ||
                     (hello.role == Role::kReceiver      ? opens_to_receiver(hello.key)
                      : hello.role == Role::kApplication ? opens_to_application(hello.key)
                                                         : right_of(peer) != Right::kNone);
  if (opens) return {};
  return fail(ErrorCode::kUnauthorized, fmt::format("the key '{}' does not allow the role '{}'",
                                                    hello.key, role_name(hello.role)));
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
               fmt::format("unknown verb '{}'{}", method, hint(method, role))));
  } else if (!verb->is_for(role)) {
    reply(fail(ErrorCode::kInvalidRequest,
               fmt::format("the verb '{}' is not available to this connection's role '{}'", method,
                           role_name(role))));
  } else if (role == Role::kUi && !includes(peer.right(), *verb->ui)) {
    reply(not_allowed(peer.right(), fmt::format("'{}'", method), *verb->ui));
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
  // The answer may come after the session has ended.
  return [this, weak = std::weak_ptr(peers_.at(peer.id())), method](const Result<Json>& result) {
    const auto its = weak.lock();
    if (result || !its || std::exchange(its->mistake_logged_, true)) return;
    log_.warning("{}: notification '{}': {}", its->text(), method, result.error().message);
  };
}

}  // namespace sail
