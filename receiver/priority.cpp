#include "receiver/priority.h"

#include <fmt/core.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

namespace receiver {

sail::Result<void> go_before_others() {
  sched_param least{};
  least.sched_priority = sched_get_priority_min(SCHED_RR);
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &least) == 0) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    fmt::format("no real-time priority: {}", std::strerror(errno)));
}

}  // namespace receiver
