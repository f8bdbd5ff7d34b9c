// Exports frame trace stamps in the Chrome trace format ("Trace Event Format", JSON object form),
// which Perfetto and chrome://tracing open. Pure.
#pragma once

#include <string>
#include <vector>

#include "sail/core/base/frame_trace.h"
#include "sail/core/text/json.h"

namespace ui {

// One process and its stamps, in wall time.
struct TracedProcess {
  std::string name;
  std::vector<sail::TraceStamp> stamps;
};

// Times count from the first stamp. Work that a thread does alone is a slice of the thread ("X");
// work that overlaps other work is an async span ("b", "e").
sail::Json chrome_trace(const std::vector<TracedProcess>& processes);

}  // namespace ui
