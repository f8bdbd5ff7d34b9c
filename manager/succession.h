// What happens before a manager begins: it takes a term that no other one has, or first stands by
// for the manager that rules.
#pragma once

#include "manager/arguments.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace manager {

// Determines term and clock; stands by first, if necessary. Returns false if the process must end.
sail::Result<bool> succeed(sail::Loop& loop, Arguments& arguments, const sail::Log& log);

}  // namespace manager
