// Finds the bottleneck of a window that shows fewer frames than its application wants. Checks the
// stages in the order of a frame's path. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manager/monitor/diagnosis.h"

namespace manager {

// Requires stats and before in `flow`, which show that frames are missing.
Diagnosis late_cause(const Flow& flow);
// Like late_cause(), for a still picture of which no frame was ever shown. Requires stats.
Diagnosis dark_cause(const Flow& flow);

// Returns a diagnosis if a receiver has been unreachable or not ready for at least least_s seconds.
std::optional<Diagnosis> unreached(const std::vector<sail::LinkStats>& links, double least_s);

// Whether fps is lower than `than` by more than the error of counts over one second.
bool fewer(double fps, double than);
// Rounds down to a whole number, but 59.99 gives 60. One decimal below 10.
std::string number_text(double value);

}  // namespace manager
