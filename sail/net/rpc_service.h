// A server's control connections: listens, lets peers in, and gives their requests to a table of
// verbs. The manager and the film server are both made on it.
//
// A peer is a stranger at first, with little time, little to say and one place among few
// (PeerGroup). Its first request must be "hello". It is refused, in this order, for its token
// (TokenGuard), for its protocol, for a role that no verb is for, as one more than there may be of
// its role, and for whatever Handlers::on_hello finds. Otherwise on_hello's answer is sent, with
// "protocol" and "version" added, and the peer has joined: it may ask for the verbs of its role.
// Applications and receivers are sent pings from then on; a person who types into a bare connection
// answers none.
//
//   RpcService service(loop, {.server = "film server", .token = token},
//                      {{.name = "pause", .ui = true,
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
#include <variant>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/rare_log.h"
#include "sail/net/loop.h"
#include "sail/net/peer_group.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/tcp.h"
#include "sail/net/token_guard.h"
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
  const std::string& token() const { return hello_.token; }
  // "application 'bplay' (127.0.0.1:40000)", for the log.
  std::string text() const;
  RpcPeer& rpc() { return rpc_; }

 private:
  friend class RpcService;

  const uint64_t id_;
  Hello hello_;
  std::optional<Role> role_;
  bool mistake_logged_ = false;  // in a notification
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
  // Whose verb it is.
  bool ui = false;
  bool application = false;
  bool receiver = false;
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

class RpcService {
 public:
  struct Options {
    std::string server;                  // what peers are told that this is: "manager"
    std::string when_in_use = {};        // what is said of a port that is taken
    std::string token = {};              // empty: everybody is welcome
    int64_t hello_ms = kHelloTimeoutMs;  // to say hello
    size_t max_peers = kMaxPeers;        // of each role; receivers are as many as are let in
    size_t max_strangers = kMaxStrangers;
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

  // As TcpListener::listen(), with a sentence for people when the port is taken; kLimit when the
  // token is too long.
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
  // For those who are asked for it by other ways, too.
  TokenGuard& tokens() { return tokens_; }
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

  void on_request(ServicePeer& peer, const std::string& method, const Json& params,
                  const RpcPeer::Reply& reply);
  void on_hello(ServicePeer& peer, const Json& params, const RpcPeer::Reply& reply);
  Result<void> check_hello(const Hello& hello) const;
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
  TokenGuard tokens_;
  PeerGroup group_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::shared_ptr<ServicePeer>> peers_;
  std::unique_ptr<TcpListener> listener_;
};

}  // namespace sail
