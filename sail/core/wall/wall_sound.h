// The bounds of a wall's sound, in its file and in messages.
#pragma once

#include "sail/core/text/fields.h"
#include "sail/core/text/limits.h"

namespace sail {

constexpr Whole kSoundChannelCount{1, kMaxSoundChannels};
constexpr Whole kSoundLatencyMs{0, 1000};

}  // namespace sail
