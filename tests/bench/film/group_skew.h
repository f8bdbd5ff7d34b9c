// Skew of the tiles' swaps over several streams that show one film, from the receivers' trace
// stamps (`vitrail trace`), so that it works with any player.
#pragma once

#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"

namespace bench {

// A trace lane stores this many seconds at 60 frames a second.
constexpr double kLongestSkewTraceS = 15;

// Starts tracing for this time. Returns the argument for read_group_skew().
sail::Result<sail::Json> begin_group_skew(sail::RpcClient& client, double seconds);
// The 99th percentile, in microseconds, over all times at which every stream shows a frame, from
// the first to the last tile. Swaps belong to one frame if they are less than half a frame apart.
sail::Result<double> read_group_skew(sail::RpcClient& client, const sail::Json& traced, double fps);

}  // namespace bench
