#include "tests/bench/link/disturbances.h"

#include <fmt/core.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "sail/core/time/clock.h"

namespace bench {
namespace {

constexpr int64_t kEveryNs = 1'000'000'000;
constexpr auto kManagerAway = std::chrono::milliseconds(500);

}  // namespace

sail::Result<std::unique_ptr<Disturbances>> Disturbances::begin(BenchWall& wall) {
  const auto player = wall.start_program(
      "bplay", {"--manager", wall.manager_address(), "--quiet", "test:640x360@30"});
  if (!player) return player.error();
  std::unique_ptr<Disturbances> disturbances(new Disturbances(wall, *player));
  disturbances->last_ns_ = sail::steady_now_ns();
  return disturbances;
}

Disturbances::~Disturbances() {
  kill(player_, SIGCONT);
  wall_.end_program(player_);
}

std::string Disturbances::last() const {
  return fmt::format("{:.0f} ms after: {}",
                     static_cast<double>(sail::steady_now_ns() - last_ns_) / 1e6, last_);
}

sail::Result<void> Disturbances::go_on() {
  const int64_t now_ns = sail::steady_now_ns();
  if (now_ns - last_ns_ < kEveryNs) return {};
  last_ns_ = now_ns;
  switch (turn_++ % 4) {
    case 0:
      last_ = "a receiver was killed";
      return wall_.replace_receiver(receivers_killed_++ % wall_.receivers().size());
    case 1:
      last_ = "a sender was stopped";
      ++senders_stopped_;
      kill(player_, SIGSTOP);
      return {};
    case 2:
      last_ = "it went on";
      kill(player_, SIGCONT);
      return {};
    default:
      return kill_manager();
  }
}

sail::Result<void> Disturbances::kill_manager() {
  last_ = "the manager was killed";
  ++managers_killed_;
  wall_.end_program(wall_.manager(), SIGKILL);
  std::this_thread::sleep_for(kManagerAway);
  if (auto started = wall_.start_manager_again(); !started) return started;
  return wall_.connect();
}

}  // namespace bench
