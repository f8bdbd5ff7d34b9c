// Stamps of frames as a file of the Chrome trace format, which Perfetto and chrome://tracing open:
// "Trace Event Format", its JSON object form. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/base/frame_trace.h"
#include "sail/wire/json.h"

namespace ui {

// One process and what it has told, in wall time.
struct TracedProcess {
  std::string name;
  std::vector<sail::TraceStamp> stamps;
};

// Times count from the first stamp. What a thread works at is a slice of it ("X"); what is under
// way while others are, too, is a span of its own ("b", "e").
sail::Json chrome_trace(const std::vector<TracedProcess>& processes);

}  // namespace ui
