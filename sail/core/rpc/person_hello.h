// Client side of the handshake with a password: the challenge returns the salt, the hello proves
// the password, and the answer proves that the listener knows its verifier. Thread: the loop's.
//
// The password's derive_key() holds the loop up for a third of a second. That is harmless: only
// user interfaces sign in with a password, and they have nothing else to do before they are in.
#pragma once

#include <functional>

#include "sail/core/rpc/hello.h"

namespace sail {

// As start_handshake(), for a key with is_person().
void start_person_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                            std::function<void(Result<Welcome>)> answer);

}  // namespace sail
