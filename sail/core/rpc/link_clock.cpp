#include "sail/core/rpc/link_clock.h"

#include <cstdlib>
#include <utility>

namespace sail {
namespace {

// A larger difference between system clocks is visible on the wall.
constexpr int64_t kApartNs = 5'000'000;

double ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

}  // namespace

void LinkClock::begin_session(ClockSource source, const std::string& name, int64_t now_ns) {
  const bool same = name == std::exchange(name_, name) && !name.empty();
  if (!same) sync_.begin_session(now_ns);
  if (std::exchange(source_, source) != source) {
    apart_ = false;
    choose_line();
    log_.info("wall time now follows {} clock",
              source == ClockSource::kSystem ? "this machine's" : "the manager's");
  }
}

void LinkClock::add(int64_t sent_ns, int64_t remote_ns, int64_t received_ns) {
  const auto jumped_ns = sync_.add(sent_ns, remote_ns, received_ns);
  if (source_ == ClockSource::kSystem) return compare(received_ns);
  if (jumped_ns) {
    log_.warning("wall time jumps by {:+.3f} ms: the manager changed, or its clock was set",
                 ms(*jumped_ns));
  }
  choose_line();
}

void LinkClock::add(const SystemClockReading& reading) {
  const auto set_ns = system_.add(reading);
  if (set_ns) log_.warning("this machine's clock jumped by {:+.3f} ms", ms(*set_ns));
  const bool logged = std::exchange(unset_logged_, !reading.synchronised);
  if (unset_logged_ && !logged) {
    log_.warning(
        "wall time follows this machine's clock, which is not synchronised: set up chrony, NTP or "
        "PTP; `vitrail doctor` says what is missing");
  }
  if (source_ == ClockSource::kSystem) compare(reading.steady_ns);
}

void LinkClock::choose_line() {
  const bool by_system = source_ == ClockSource::kSystem && !apart_;
  line_ = by_system ? system_.line() : sync_.line();
}

// How far the manager's clock is ahead of our clock: the system clock if that is wall time, else
// the steady clock.
int64_t LinkClock::offset_ns(int64_t now_ns) const {
  const bool by_system = source_ == ClockSource::kSystem;
  return sync_.line().to_wall_ns(now_ns) - (by_system ? system_.line().to_wall_ns(now_ns) : now_ns);
}

void LinkClock::compare(int64_t now_ns) {
  if (!system_.line().known || !sync_.line().known) return choose_line();
  const int64_t off_ns = offset_ns(now_ns);
  const bool apart = std::abs(off_ns) > kApartNs + sync_.line().error_at_ns(now_ns);
  const bool was_apart = std::exchange(apart_, apart);
  choose_line();
  if (apart && !was_apart) {
    log_.warning(
        "the manager's clock is {:+.3f} ms ahead of this machine's: synchronise both; until then "
        "wall time follows the manager's",
        ms(off_ns));
  } else if (was_apart && !apart) {
    log_.info(
        "the clocks of the manager and this machine agree: wall time follows this machine's again");
  }
}

ClockStats LinkClock::stats(int64_t now_ns) const {
  return {.source = source_,
          .synchronised = source_ == ClockSource::kManager || system_.synchronised(),
          .offset_us = static_cast<double>(offset_ns(now_ns)) / 1e3,
          .drift_ppm = sync_.line().drift * 1e6,
          .error_us = static_cast<double>(line_.error_at_ns(now_ns)) / 1e3,
          .round_trip_us = static_cast<double>(sync_.round_trip_ns()) / 1e3,
          .age_s = static_cast<double>(now_ns - sync_.last_exchange_ns()) / 1e9};
}

}  // namespace sail
