// The verbs of an RpcService, and who may use them. Thread: the loop's.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/rpc/service_peer.h"
#include "sail/core/text/json.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

// One request. `peer` and `params` are valid during the call; `reply` may be kept and must be
// called once, at once or later. For a notification, `reply` only logs the peer's first error.
struct RpcCall {
  ServicePeer& peer;
  const char* verb;
  const Json& params;
  const RpcPeer::Reply& reply;  // never empty

  JsonFields fields() const { return {params, verb}; }
};

// Called with the answer to a verb.
using VerbNote = std::function<void(const Result<Json>& answer)>;
// Called before a verb runs whose use is noted, and when any verb is denied.
using VerbNoting = std::function<VerbNote(ServicePeer& peer, const char* verb, const Json& params)>;
// Called before a verb runs for a UI client whose right suffices. May refuse it for its parameters,
// which are not checked yet.
using VerbAdmission =
    std::function<Result<void>(ServicePeer& peer, const char* verb, const Json& params)>;

struct RpcVerb {
  const char* name;
  // Roles that may use the verb. `ui`: the right that UI clients need; empty: not for UI clients.
  std::optional<Right> ui = {};
  bool application = false;
  bool receiver = false;
  bool recorder = false;
  // The verb concerns the connection itself, so a single HTTP request cannot use it.
  bool lasting = false;
  bool noted = false;  // the verb changes something: see VerbNoting
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

class VerbTable {
 public:
  // noting, admission: may be empty.
  explicit VerbTable(std::vector<RpcVerb> verbs, VerbNoting noting = {},
                     VerbAdmission admission = {});

  const std::vector<RpcVerb>& all() const { return verbs_; }
  // Null: there is none.
  const RpcVerb* find(std::string_view name) const;
  // Returns true if the role has a verb.
  bool serves(Role role) const;
  // Runs the verb for a joined peer if the peer may use it; otherwise replies with an error.
  void run(ServicePeer& peer, const std::string& method, const Json& params,
           const RpcPeer::Reply& reply) const;

 private:
  // Why the peer may not run the verb with these parameters; empty: it may.
  std::optional<Error> refusal(ServicePeer& peer, const RpcVerb& verb, const Json& params) const;
  // " (did you mean 'move'?)" if a verb of the role is similar enough.
  std::string hint(std::string_view verb, Role role) const;

  const std::vector<RpcVerb> verbs_;
  std::unordered_map<std::string_view, size_t> positions_;  // in verbs_, by name
  const VerbNoting noting_;
  const VerbAdmission admission_;
};

// The error for a user with this right. It states what the user may do, and the role needed for
// `what`.
Error not_allowed(Right right, const std::string& what, Right needed);

}  // namespace sail
