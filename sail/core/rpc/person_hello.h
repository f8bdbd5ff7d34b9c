// Client side of the handshake with a password: the challenge returns the salt, the hello proves
// the password, and the answer proves that the listener knows its verifier. Thread: the loop's.
#pragma once

#include <functional>

#include "sail/core/rpc/hello.h"

namespace sail {

// As start_handshake(), for a key with is_person().
void start_person_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                            std::function<void(Result<Welcome>)> answer);

}  // namespace sail
