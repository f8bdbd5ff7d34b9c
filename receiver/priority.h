// What is to be seen at an instant goes before whatever else this machine does.
#pragma once

#include "sail/base/result.h"

namespace receiver {

// The calling thread, and none that it starts later, runs whenever it has something to do, before
// all ordinary ones (SCHED_RR, sched(7)). kUnauthorized: this user may not (RLIMIT_RTPRIO).
sail::Result<void> go_before_others();

}  // namespace receiver
