// What an application submits to be heard, checked, and cut into messages. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <vector>

#include "sail/base/result.h"
#include "sail/client/sound_sender.h"

namespace sail {

// now_ns: wall time. kInvalidParams: an argument is wrong, or the sound ends too far ahead;
// kTimeout: it would have been heard by now.
Result<std::vector<SoundPiece>> sound_pieces(const sail_audio& given, int64_t now_ns);

}  // namespace sail
