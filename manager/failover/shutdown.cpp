#include "manager/failover/shutdown.h"

#include <csignal>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/failover/journal_server.h"
#include "manager/media/cameras.h"
#include "manager/peers/peers.h"
#include "manager/peers/webhooks.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/guests.h"
#include "manager/programs/players.h"
#include "manager/programs/receiver_launcher.h"
#include "manager/sessions/wall_archive.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kApplicationsNs = 1'000'000'000;  // And cameras.
constexpr int64_t kProgramsNs = 3'000'000'000;

}  // namespace

Shutdown::Shutdown(const Parts& parts, const sail::Log& log, std::function<void()> on_ended)
    : parts_(parts), log_(log), on_ended_(std::move(on_ended)) {}

void Shutdown::begin() {
  if (since_ns_ != 0) return;
  since_ns_ = sail::steady_now_ns();
  log_.info("shutting down: closing {} windows", parts_.desk.windows().bottom_to_top().size());
  parts_.journal_server.announce_shutdown();
  parts_.archive.end();
  parts_.launcher.stop();
  parts_.players.stop();
  parts_.guests.stop();
  parts_.cameras.end();
  parts_.desk.close_all();
}

void Shutdown::tick() {
  if (since_ns_ == 0 || !on_ended_) return;
  const int64_t waited_ns = sail::steady_now_ns() - since_ns_;
  const bool are_open = !parts_.desk.windows().bottom_to_top().empty();
  if ((are_open || parts_.cameras.any_moves()) && waited_ns < kApplicationsNs) return;
  const bool programs_run = !parts_.children.empty() || parts_.launcher.former_run();
  if (!std::exchange(notified_, true)) return notify_programs();
  if ((programs_run || parts_.archive.writing()) && waited_ns < kProgramsNs) return;
  signal_programs(SIGKILL);
  std::exchange(on_ended_, nullptr)();
}

void Shutdown::notify_programs() {
  signal_programs(SIGTERM);
  // A replaced manager on another host may have started them.
  parts_.peers.end_receivers();
  parts_.webhooks.end();
}

void Shutdown::signal_programs(int signal) {
  parts_.children.signal_all(signal);
  parts_.launcher.signal_former(signal);
}

}  // namespace manager
