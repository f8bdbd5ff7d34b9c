// Control connections of a server: listens, authenticates peers, and dispatches their requests to a
// table of verbs. Used by the manager and the film server.
//
// A new peer is a stranger, with a short timeout, a small quota and a limited number of places
// (PeerGroup). Its first request must be "hello"; before that it may send one "challenge". The
// checks are, in this order: its key (Authenticator), its protocol version, whether its key allows
// the role, whether the role has verbs, the maximum number of peers with this role, and
// Handlers::on_hello. Then on_hello's answer is sent, with "protocol" and "version" added, and the
// peer has joined: it may use the verbs of its role. From then on, all peers except UI clients are
// sent pings; a person who types into a raw connection answers none.
//
//   RpcService service(loop, {.server = "film server", .key = key},
//                      {{.name = "pause", .ui = Right::kProgram,
//                        .run = with_arguments(read_film, [&](const RpcCall&, uint32_t film) {
//                          return pause(film);  // Result<Json>
//                        })}},
//                      {.on_hello = [](ServicePeer&) { return Json::object(); }}, log);
//   if (auto listening = service.listen({"0.0.0.0", 7450}); !listening) return listening.error();
//
// Thread: the loop's. No handler and no verb may destroy the service.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sail/core/auth/key_guard.h"
#include "sail/core/auth/people.h"
#include "sail/core/base/log.h"
#include "sail/core/base/rate_limited_log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/authenticator.h"
#include "sail/core/rpc/peer_group.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"
#include "sail/core/text/limits.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

class RpcService;

// One peer of a service; owned by the service.
class ServicePeer {
 public:
  // id: never 0, never used twice.
  ServicePeer(RpcService& service, uint64_t id, std::unique_ptr<MessageChannel> channel);

  uint64_t id() const { return id_; }
  // Empty until the peer has joined.
  std::optional<Role> role() const { return role_; }
  // As received; empty for a stranger that sent none.
  const Hello& hello() const { return hello_; }
  const std::string& name() const { return hello_.name; }
  // Name of the proved key; unverified if the service has no key.
  const std::string& key_name() const { return hello_.key; }
  // User name, if the peer proved a password or was signed in by a trusted proxy; else empty.
  const std::string& person() const { return proofs_.person; }
  // Replaces name(), e.g. by a display name for a user.
  void set_name(std::string name) { hello_.name = std::move(name); }
  // Right of a UI client; everything is allowed if the service has no key.
  Right right() const { return right_; }
  // The peer was disconnected by the liveness timeout.
  bool fell_silent() const { return fell_silent_; }
  // "application 'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  RpcPeer& rpc() { return rpc_; }

 private:
  friend class RpcService;

  const uint64_t id_;
  Hello hello_;
  std::optional<Role> role_;
  Right right_ = Right::kNone;
  PeerProofs proofs_;
  bool mistake_logged_ = false;  // an error in a notification was logged
  bool fell_silent_ = false;
  RpcPeer rpc_;
};

// One request. `peer` and `params` are valid during the call; `reply` may be kept and must be
// called once, at once or later. For a notification, `reply` only logs the peer's first error.
struct RpcCall {
  ServicePeer& peer;
  const char* verb;
  const Json& params;
  const RpcPeer::Reply& reply;  // never empty

  JsonFields fields() const { return {params, verb}; }
};

struct RpcVerb {
  const char* name;
  // Roles that may use the verb. `ui`: the right that UI clients need; empty: not for UI clients.
  std::optional<Right> ui = {};
  bool application = false;
  bool receiver = false;
  bool recorder = false;
  std::function<void(const RpcCall&)> run;

  bool is_for(Role role) const;
};

// Makes a RpcVerb::run. `read` reads the arguments from JsonFields&; invalid or unknown arguments
// are answered with an error. act(call, arguments) returns the answer (Result<Json>), or returns
// void and replies itself.
template <typename Read, typename Act>
std::function<void(const RpcCall&)> with_arguments(Read read, Act act) {
  return [read = std::move(read), act = std::move(act)](const RpcCall& call) {
    JsonFields fields(call.params, call.verb);
    auto arguments = read(fields);
    if (const auto error = fields.finish()) {
      call.reply(*error);
    } else if constexpr (std::is_void_v<decltype(act(call, std::move(arguments)))>) {
      act(call, std::move(arguments));
    } else {
      call.reply(act(call, std::move(arguments)));
    }
  };
}

// `read` for verbs without arguments.
inline std::monostate no_arguments(JsonFields&) {
  return {};
}

class RpcService {
 public:
  struct Options {
    std::string server;              // server type in messages to peers: "manager"
    std::string when_in_use = {};    // hint in the error for a port in use
    WallKey key = {};                // without a secret: everybody is let in
    const People* people = nullptr;  // must outlive this; null: no passwords
    std::string people_closed = {};  // why no password is accepted at present; empty: they are
    // Right of users that a trusted proxy has signed in and that are not in `people`. kNone: they
    // are refused.
    Right proxied = Right::kNone;
    int64_t hello_ms = kHelloTimeoutMs;  // timeout for the hello
    size_t max_peers = kMaxPeers;        // of each role; no limit for receivers
    size_t max_unauthenticated = kMaxUnauthenticated;
    TlsUse tls = tls_use();  // see listening_tls()
  };
  struct Handlers {
    // Returns the answer to a valid hello, or the reason for refusing. The peer has no role yet.
    std::function<Result<Json>(ServicePeer&)> on_hello;
    // Called after the answer was sent.
    std::function<void(ServicePeer&)> on_joined = {};
    // Called for a joined peer when it leaves. find() does not return it any more; it is destroyed
    // afterwards.
    std::function<void(ServicePeer&)> on_left = {};
  };
  RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
             const Log& log);
  RpcService(const RpcService&) = delete;
  RpcService& operator=(const RpcService&) = delete;

  // As TcpListener::listen(), with a helpful message if the port is in use.
  Result<void> listen(const Address& at);
  // As listen(), for a service that is created later and outlives the listener.
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     const Options& options,
                                                     const std::function<RpcService&()>& service);
  // Only valid after listen().
  Address address() const { return listener_->address(); }
  // Adds a peer from another listener, or reports that a descriptor was missing for one.
  void accept(std::unique_ptr<MessageChannel> channel);
  void note_descriptors_exhausted(const Error& why);

  const std::vector<RpcVerb>& verbs() const { return verbs_; }
  // Refused peers and HTTP requests since the start.
  struct Refused {
    uint64_t unproven = 0;  // no key, a wrong key, or a key for another purpose
    uint64_t limited = 0;   // too many peers, or too many wrong keys
    uint64_t other = 0;
  };
  const Refused& refused() const { return refused_; }
  bool everybody_is_welcome() const { return authenticator_.everybody_is_welcome(); }
  // Current right of the holder of this key, connected or not.
  Right right_behind(const std::string& key_name) const {
    return authenticator_.right_behind(key_name);
  }
  // Checks an HTTP request: it must prove that it belongs to a peer's session, or present the key
  // named by `bearer`. kInvalidRequest: the peer's right is insufficient.
  KeyGuard::Judgement judge_request(const WebRequest& request);
  // Null if the peer is gone.
  ServicePeer* find(uint64_t id);
  // By id, strangers included.
  const std::map<uint64_t, std::shared_ptr<ServicePeer>>& peers() const { return peers_; }
  // Destroys the peer as if it had disconnected; does nothing if it is gone. A peer may end itself
  // during a call.
  void end(uint64_t id, std::string_view why);
  // Destroys all peers without calling on_left.
  void clear() { peers_.clear(); }

 private:
  friend class ServicePeer;

  void on_closed(uint64_t id, const Error& error);
  void on_request(ServicePeer& peer, const std::string& method, const Json& params,
                  const RpcPeer::Reply& reply);
  // The error states why there is no challenge.
  Result<Json> challenge(ServicePeer& peer, const Json& params) const;
  void on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply);
  void refuse(ServicePeer& peer, const RpcPeer::Reply& reply, const Error& why,
              int64_t delay_ms = 0);
  void count(const Error& refusal);
  Result<void> check_hello(const ServicePeer& peer) const;
  void run_verb(ServicePeer& peer, const std::string& method, const Json& params,
                const RpcPeer::Reply& reply);
  // " (did you mean 'move'?)" if a verb of the role is similar enough.
  std::string hint(std::string_view verb, Role role) const;
  // For notifications, which get no answer.
  RpcPeer::Reply log_first_mistake(const ServicePeer& peer, const std::string& method) const;

  const Options options_;
  const std::vector<RpcVerb> verbs_;
  const Handlers handlers_;
  const Log log_;
  RateLimitedLog rate_limited_log_;
  Timer settle_;  // for rate_limited_log_
  Authenticator authenticator_;
  Refused refused_;
  PeerGroup group_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::shared_ptr<ServicePeer>> peers_;
  std::unique_ptr<TcpListener> listener_;
};

}  // namespace sail
