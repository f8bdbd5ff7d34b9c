#include "sail/client/sender/link_checks.h"

#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kCheckMs = 100;
constexpr int64_t kWaitingStepMs = 10;
constexpr int64_t kWaitingStepNs = kWaitingStepMs * kMillisecondNs;
// A timer this late means that this process was stalled.
constexpr int64_t kStallNs = 4 * kCheckMs * kMillisecondNs;
constexpr int64_t kWaitingStallNs = 5 * kWaitingStepNs;

}  // namespace

LinkChecks::LinkChecks(Loop& loop, Handlers handlers)
    : handlers_(std::move(handlers)), checks_(loop), waiting_(loop) {}

void LinkChecks::start() {
  checks_.start(kCheckMs, kCheckMs, [this] { check(); });
}

void LinkChecks::stop() {
  checks_.stop();
  waiting_.stop();
  waiting_runs_ = false;
}

void LinkChecks::check() {
  const int64_t now_ns = steady_now_ns();
  if (now_ns - std::exchange(checked_ns_, now_ns) <= kStallNs) handlers_.check();
}

void LinkChecks::watch_waiting() {
  if (!handlers_.waits_since_ns() || std::exchange(waiting_runs_, true)) return;
  waiting_.start(kWaitingStepMs, 0,
                 [this, due_ns = steady_now_ns() + kWaitingStepNs] { check_waiting(due_ns); });
}

void LinkChecks::check_waiting(int64_t due_ns) {
  waiting_runs_ = false;
  const int64_t now_ns = steady_now_ns();
  const bool stalled = now_ns - due_ns > kWaitingStallNs;
  const bool waits = now_ns - handlers_.waits_since_ns().value_or(now_ns) >= kWaitingStepNs / 2;
  waits && !stalled ? handlers_.check_waiting() : watch_waiting();
}

}  // namespace sail
