#include "receiver/display/realtime_priority.h"

#include <fmt/core.h>
#include <sched.h>

#include <cerrno>
#include <cstring>

namespace receiver {
namespace {

bool schedule_thread(int policy) {
  sched_param least{};
  least.sched_priority = sched_get_priority_min(policy);
  return sched_setscheduler(0, policy | SCHED_RESET_ON_FORK, &least) == 0;
}

}  // namespace

sail::Result<void> RealtimePriority::request() {
  may_ = has_ = schedule_thread(SCHED_RR);
  if (may_) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    fmt::format("no real-time priority: {}", std::strerror(errno)));
}

void RealtimePriority::leave() {
  if (has_) has_ = !schedule_thread(SCHED_OTHER);
}

void RealtimePriority::take() {
  if (may_ && !has_) has_ = schedule_thread(SCHED_RR);
}

}  // namespace receiver
