// The wall of a manager that another one is to stand by for.
#pragma once

#include "sail/base/result.h"
#include "sail/net/tcp.h"
#include "sail/wall/wall.h"

namespace manager {

// As seen from this host: what is on that manager's own host is far from here. Without its
// standby, which this one is. Waits for the answer; kUnavailable: nobody is there, or it is one
// that stands by itself.
sail::Result<sail::Wall> wall_of(const sail::Address& manager);

}  // namespace manager
