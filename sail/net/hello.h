// A client's first words on a control connection: the challenge, by which the listener proves the
// key first, and the hello with our own proof. Without a key there is the hello alone. Thread: the
// loop's.
#pragma once

#include <functional>
#include <string>

#include "sail/base/result.h"
#include "sail/net/rpc_peer.h"
#include "sail/net/wall_key.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/json.h"

namespace sail {

struct Welcome {
  Json answer;
  std::string session{};  // ControlProof::session(), or "" without a key
};

// `answer` comes once, never after the peer is destroyed. kUnauthorized: we are not let in, or the
// listener does not prove that it has our key.
void say_hello(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
               std::function<void(Result<Welcome>)> answer);

}  // namespace sail
