// What a process answers the manager about its frames' stamps: "trace" {"for_ms"} keeps them from
// now on, "trace_read" {"from"} tells them, in parts that each fit a line. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sail/base/frame_trace.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace sail {

constexpr int64_t kMaxTraceMs = 60'000;

// "submit", "encode", ...
const char* trace_stage_name(TraceStage stage);

// How long, of "trace".
Result<int64_t> trace_duration_ms(const Json& params);

class TraceAnswers {
 public:
  static constexpr size_t kMostInPart = 2000;

  // collect: all stamps, in wall time; called with the first part, which the others are parts of.
  // {"base_ns", "stamps": [[stage, lane, stream, frame, begin − base, end − begin], ...], "next":
  // where the part after it begins, if there is one}.
  Result<Json> read(const Json& params, const std::function<std::vector<TraceStamp>()>& collect);

 private:
  std::vector<TraceStamp> stamps_;
};

// The stamps of a part.
Result<std::vector<TraceStamp>> trace_part(const Json& part);

}  // namespace sail
