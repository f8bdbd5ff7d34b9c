// "host_stats": notification that applications and receivers send once a second with the load of
// their machine. Plain value.
#pragma once

#include <string>

#include "sail/core/base/host_load.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

constexpr size_t kMaxBusyPrograms = 8;

// Reads one program name of "busy".
Result<std::string> read_program_name(const Json& value, const std::string& where);

struct HostStats {
  static constexpr const char* kMethod = "host_stats";

  std::string host{};  // host name
  HostLoad load{};

  bool operator==(const HostStats&) const = default;
};
void fields(auto& visit, Of<HostStats> auto& stats) {
  constexpr auto kPrograms = some_values<read_program_name>(kMaxBusyPrograms);
  visit("host", kName, stats.host);
  visit("cores", Whole{1, 65536}, stats.load.cores);
  visit("wanting", kMeasure, stats.load.wanting);
  visit("waits_pct", kPercent, stats.load.waits_pct);
  visit("own_pct", optional(kMeasure), stats.load.own_pct);
  visit("busy", sparse(kPrograms), stats.load.busy);
}

// Returns the message for this machine.
HostStats host_stats(const HostLoad& load);

}  // namespace sail
