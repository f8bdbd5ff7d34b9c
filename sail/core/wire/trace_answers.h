// Answers of a process to the manager's trace requests: "trace" {"for_ms"} starts recording time
// stamps of frames, "trace_read" {"from"} returns them in parts that each fit a line. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sail/core/base/frame_trace.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

constexpr int64_t kMaxTraceMs = 60'000;

// "submit", "encode", ...
const char* trace_stage_name(TraceStage stage);

// Reads the duration in "trace".
Result<int64_t> trace_duration_ms(const Json& params);

class TraceAnswers {
 public:
  static constexpr size_t kMostInPart = 2000;

  // collect: returns all stamps in wall time. It is called for the first part; the later parts come
  // from the same stamps. The result is {"base_ns", "stamps": [[stage, lane, stream, frame, begin −
  // base, end − begin], ...], "next": start of the next part, if any}.
  Result<Json> read(const Json& params, const std::function<std::vector<TraceStamp>()>& collect);

 private:
  std::vector<TraceStamp> stamps_;
};

// Reads the stamps of one part.
Result<std::vector<TraceStamp>> trace_part(const Json& part);

}  // namespace sail
