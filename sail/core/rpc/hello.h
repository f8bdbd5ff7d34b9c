// Client side of the control handshake: the challenge, in which the listener proves the key first,
// and then the hello with our own proof. Without a key only the hello is sent. Thread: the loop's.
#pragma once

#include <functional>
#include <string>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/text/json.h"
#include "sail/core/wire/hello_messages.h"

namespace sail {

struct Welcome {
  Json answer;
  std::string session{};  // ControlProof::session(); "" without a key
};

// `answer` is called once, but never after the peer is destroyed. kUnauthorized: we were refused,
// or the listener did not prove that it has our key.
void start_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                     std::function<void(Result<Welcome>)> answer);

// As start_handshake(), for a key with is_person(): the challenge returns the salt, the hello
// proves the password, and the answer proves that the listener knows its verifier.
//
// The password's derive_key() blocks the loop for a third of a second. That is harmless: only user
// interfaces sign in with a password, and they do nothing else before they are signed in.
void start_person_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                            std::function<void(Result<Welcome>)> answer);

}  // namespace sail
