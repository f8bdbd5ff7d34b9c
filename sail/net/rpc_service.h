// A server's control connections: listens, lets peers in, and gives their requests to a table of
// verbs. The manager and the film server are both made on it.
//
// A peer is a stranger at first, with little time, little to say and one place among few
// (PeerGroup). Its first request must be "hello", before
// which it may ask for a "challenge" once. It is refused, in this order, for its key
// (KeyGuard), for its protocol, for a role that no verb is for, as one more than there may be of
// its role, and for whatever Handlers::on_hello finds. Otherwise on_hello's answer is sent, with
// "protocol" and "version" added, and the peer has joined: it may ask for the verbs of its role.
// Applications and receivers are sent pings from then on; a person who types into a bare connection
// answers none.
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

#include "sail/base/log.h"
#include "sail/base/rare_log.h"
#include "sail/net/key_guard.h"
#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/people.h"
#include "sail/net/proof.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/json.h"
#include "sail/wire/limits.h"

namespace sail {

class RpcService;

// One peer of a service, which owns it.
class ServicePeer {
 public:
  // id: never 0, never used twice.
  ServicePeer(RpcService& service, uint64_t id, std::unique_ptr<MessageChannel> channel);

  uint64_t id() const { return id_; }
  // Nothing before it has joined.
  std::optional<Role> role() const { return role_; }
  // As it said it; that of a stranger may be empty.
  const Hello& hello() const { return hello_; }
  const std::string& name() const { return hello_.name; }
  // The name of the key that it proved; of anything where there is no key.
  const std::string& key_name() const { return hello_.key; }
  // The name of the person who proved a password, or whom a trusted proxy signed in; else empty.
  const std::string& person() const { return person_; }
  // Sets name(), such as to one that shows who a person is.
  void set_name(std::string name) { hello_.name = std::move(name); }
  // A user's: everything where there is no key.
  Right right() const { return right_; }
  // It has left, and without closing its connection: nothing came from it any more.
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
  std::optional<ControlProof> challenge_;  // that it asked for
  std::string session_;                    // of its proofs by HTTP
  std::string person_;                     // see person()
  RequestNumbers requests_;
  std::string listener_proof_;   // for a person's welcome; else empty
  bool proxied_ = false;         // a proxy says who it is
  bool mistake_logged_ = false;  // in a notification
  bool fell_silent_ = false;
  RpcPeer rpc_;
};

// One request. `peer` and `params` are good during the call, `reply` may be kept: it is to come
// once, at once or later. Of a notification it does no more than log the peer's first mistake.
struct RpcCall {
  ServicePeer& peer;
  const char* verb;
  const Json& params;
  const RpcPeer::Reply& reply;  // never empty

  JsonFields fields() const { return {params, verb}; }
};

struct RpcVerb {
  const char* name;
  // Whose verb it is: of users with this right; nothing: of none.
  std::optional<Right> ui = {};
  bool application = false;
  bool receiver = false;
  bool recorder = false;
  std::function<void(const RpcCall&)> run;

  bool is_for(Role role) const;
};

// For RpcVerb::run: `read` takes the arguments from JsonFields&. A mistake in them, and one that
// nobody has read, is the answer; otherwise act(call, arguments) gives it (Result<Json>), or
// returns nothing and replies by itself.
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

// The `read` of verbs without arguments.
inline std::monostate no_arguments(JsonFields&) {
  return {};
}

// What a service is told of an HTTP request.
struct WebRequest {
  std::string method;
  std::string path;
  std::string authorization;     // the header, or ""
  std::string host;              // where it comes from
  const char* bearer = "";       // the name of a key that may be said here; "": none
  Right least = Right::kViewer;  // for the others
};

class RpcService {
 public:
  struct Options {
    std::string server;              // what peers are told that this is: "manager"
    std::string when_in_use = {};    // what is said of a port that is taken
    WallKey key = {};                // without a secret: everybody is welcome
    const People* people = nullptr;  // who outlive this; null: nobody has a password
    std::string people_closed = {};  // why nobody can prove a password at present; empty: they can
    // Of people whom a trusted proxy has signed in, and who are none of these. kNone: they are not
    // let in.
    Right proxied = Right::kNone;
    int64_t hello_ms = kHelloTimeoutMs;  // to say hello
    size_t max_peers = kMaxPeers;        // of each role; receivers are as many as are let in
    size_t max_strangers = kMaxStrangers;
    TlsUse tls = tls_use();  // see listening_tls()
  };
  struct Handlers {
    // What a good hello is answered with, or why the peer is not let in. It has no role yet.
    std::function<Result<Json>(ServicePeer&)> on_hello;
    // The answer is on its way.
    std::function<void(ServicePeer&)> on_joined = {};
    // It had joined. It is found no more, and is gone when this returns.
    std::function<void(ServicePeer&)> on_left = {};
  };
  RpcService(Loop& loop, Options options, std::vector<RpcVerb> verbs, Handlers handlers,
             const Log& log);
  RpcService(const RpcService&) = delete;
  RpcService& operator=(const RpcService&) = delete;

  // As TcpListener::listen(), with a sentence for people when the port is taken.
  Result<void> listen(const Address& at);
  // The same for a service that is made before the loop turns, and outlives what it gets.
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     const Options& options,
                                                     const std::function<RpcService&()>& service);
  // Once it listens.
  Address address() const { return listener_->address(); }
  // A peer that came another way than by listen(), and a descriptor that could not be had for one.
  void accept(std::unique_ptr<MessageChannel> channel);
  void note_starved(const Error& why);

  const std::vector<RpcVerb>& verbs() const { return verbs_; }
  // Peers and requests by HTTP that were not let in, since the start.
  struct Refused {
    uint64_t unproven = 0;  // no key, a wrong one, or one for something else
    uint64_t limited = 0;   // too many of them, or after too many wrong keys
    uint64_t other = 0;
  };
  const Refused& refused() const { return refused_; }
  bool everybody_is_welcome() const { return guard_.everybody_is_welcome(); }
  // What the holder of a key of that name may do now, whether connected or not.
  Right right_behind(const std::string& key_name) const;
  // The same guard for what comes another way: an HTTP request, which proves that it belongs to a
  // peer's session, or says the key that is named for it (`bearer`). kInvalidRequest: the peer's
  // right is too small.
  KeyGuard::Judgement judge_request(const WebRequest& request);
  // Null when it is gone.
  ServicePeer* find(uint64_t id);
  // By id, strangers and all.
  const std::map<uint64_t, std::shared_ptr<ServicePeer>>& peers() const { return peers_; }
  // Destroys it, as if it had gone; nothing happens when it is gone already. One that calls may
  // end itself.
  void end(uint64_t id, std::string_view why);
  // Destroys all, and nobody hears of it.
  void clear() { peers_.clear(); }

 private:
  friend class ServicePeer;

  void on_closed(uint64_t id, const Error& error);
  void on_request(ServicePeer& peer, const std::string& method, const Json& params,
                  const RpcPeer::Reply& reply);
  // Says why there is none.
  Result<Json> challenge(ServicePeer& peer, const Json& params) const;
  KeyGuard::Given proof_given(ServicePeer& peer) const;
  // Of one that proves nothing: who the proxy says that it is stands instead of a proof.
  KeyGuard::Given proxied(ServicePeer& peer) const;
  Right right_of_key(const std::string& name) const;
  Right right_of(const ServicePeer& peer) const;
  KeyGuard::Given proof_given(const WebRequest& request);
  void on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply);
  void refuse(ServicePeer& peer, const RpcPeer::Reply& reply, const Error& why,
              int64_t delay_ms = 0);
  void count(const Error& refusal);
  Result<void> check_hello(const ServicePeer& peer) const;
  Result<void> check_role(const ServicePeer& peer) const;
  void run_verb(ServicePeer& peer, const std::string& method, const Json& params,
                const RpcPeer::Reply& reply);
  // " (did you mean 'move'?)" when a verb of the role is near enough to be meant.
  std::string hint(std::string_view verb, Role role) const;
  // For notifications, which nobody answers.
  RpcPeer::Reply log_first_mistake(const ServicePeer& peer, const std::string& method) const;

  const Options options_;
  const std::vector<RpcVerb> verbs_;
  const Handlers handlers_;
  const Log log_;
  RareLog rare_log_;
  Timer settle_;  // rare_log_
  KeyGuard guard_;
  Refused refused_;
  PeerGroup group_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::shared_ptr<ServicePeer>> peers_;
  std::unique_ptr<TcpListener> listener_;
};

}  // namespace sail
