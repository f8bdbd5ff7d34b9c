// Gets the wall from the manager that a standby will follow.
#pragma once

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/wall.h"

namespace manager {

// Returns the manager's wall with host names as seen from this host, and without its standby, which
// is this process. Blocks until the answer. kUnavailable: the manager does not answer, or is itself
// a standby.
sail::Result<sail::Wall> wall_of(const sail::Address& manager);

}  // namespace manager
