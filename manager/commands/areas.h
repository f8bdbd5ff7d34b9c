// Parts of the wall that verbs name.
#pragma once

#include <string>

#include "manager/commands.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace manager::verbs {

// kNotFound when there is no such tile; the whole wall when it has no name.
sail::Result<sail::Rect> tile_area(const Caller& caller, const std::string& name);
sail::Result<sail::Rect> partition_area(const Caller& caller, const std::string& name);
// A tile, or else a partition; the whole wall when it has no name.
sail::Result<sail::Rect> area_named(const Caller& caller, const std::string& name);

}  // namespace manager::verbs
