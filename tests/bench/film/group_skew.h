// How far apart the tiles of several streams swap, which show one film: by the stamps that the
// receivers keep (`vitrail trace`), so that it works with players of any kind.
#pragma once

#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"

namespace bench {

// A lane of stamps keeps those of so long at 60 frames a second.
constexpr double kLongestSkewTraceS = 15;

// From now on, for so long. What read_group_skew() asks for.
sail::Result<sail::Json> begin_group_skew(sail::RpcClient& client, double seconds);
// The 99th percentile in microseconds, of all instants at which every stream shows a frame: from
// the first tile to the last one. Swaps belong together that are nearer than half a frame.
sail::Result<double> read_group_skew(sail::RpcClient& client, const sail::Json& traced, double fps);

}  // namespace bench
