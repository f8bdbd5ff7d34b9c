// Checks and converts the options of sail.h. Each error says which values are possible.
#pragma once

#include <sail/sail.h>

#include "sail/client/session/session.h"
#include "sail/client/session/stream.h"
#include "sail/core/base/result.h"

namespace sail {

// Uses defaults from the environment where an option is not set.
Result<ClientSession::Options> session_options(const sail_session_options& given);
// Does not set `replaces`; the caller does.
Result<StreamSpec> stream_spec(const sail_stream_options& given);
// For one rank: the sizes in `given` are those of the whole frame of all ranks.
Result<StreamSpec> part_spec(const sail_stream_options& given, const sail_part& part);
// at_ns 0 remains 0.
Result<Playback> playback(const sail_playback& given);
// Cuts the texts to their limits.
Result<FilmTracks> film_tracks(const sail_tracks& given);

}  // namespace sail
