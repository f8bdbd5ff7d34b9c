// Where the frames of a window are lost that shows fewer than its application wants: the one place
// that is too slow, in the order of a frame's journey. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manager/diagnosis.h"

namespace manager {

// flow has stats, and these say that frames are missing.
Diagnosis late_cause(const Flow& flow);
// The same of a picture that stands still and was never shown.
Diagnosis dark_cause(const Flow& flow);

// Frames do not get through to a receiver, or it does not get them ready, for so long at least.
std::optional<Diagnosis> unreached(const std::vector<sail::LinkStats>& links, double least_s);

// Fewer by more than counts of a second are wrong now and then.
bool fewer(double fps, double than);
// Whole numbers are rounded down, but for a rate such as 59.99.
std::string number_text(double value);

}  // namespace manager
