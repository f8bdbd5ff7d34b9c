// Checks the sound that an application submits and cuts it into messages. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <vector>

#include "sail/client/sound/sound_sender.h"
#include "sail/core/base/result.h"

namespace sail {

// now_ns: wall time. Returns kInvalidParams if an argument is wrong or the sound ends too far in
// the future, kTimeout if all of it is in the past.
Result<std::vector<SoundPiece>> sound_pieces(const sail_audio& given, int64_t now_ns);

}  // namespace sail
