// The first words of somebody who has a password: the challenge tells its salt, the hello proves
// it, and the answer proves that the listener knows of it. Thread: the loop's.
#pragma once

#include <functional>

#include "sail/net/hello.h"

namespace sail {

// As say_hello(), for a key that is_person().
void say_person_hello(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                      std::function<void(Result<Welcome>)> answer);

}  // namespace sail
