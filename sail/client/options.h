// The options of sail.h, checked: each mistake is an error that says what would be right.
#pragma once

#include <sail/sail.h>

#include "sail/base/result.h"
#include "sail/client/session.h"
#include "sail/client/stream.h"

namespace sail {

// With what the environment adds to them.
Result<ClientSession::Options> session_options(const sail_session_options& given);
// Without the stream that it replaces, which is the caller's to name.
Result<StreamSpec> stream_spec(const sail_stream_options& given);
// Of a rank: the sizes given are those of all its ranks' frames together.
Result<StreamSpec> part_spec(const sail_stream_options& given, const sail_part& part);
// at_ns 0 stays 0.
Result<Playback> playback(const sail_playback& given);

}  // namespace sail
