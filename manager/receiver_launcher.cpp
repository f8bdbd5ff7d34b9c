#include "manager/receiver_launcher.h"

#include <algorithm>

#include "sail/base/clock.h"

namespace manager {
namespace {
constexpr int64_t kFirstPauseMs = 250;
constexpr int64_t kLongestPauseMs = 10'000;
constexpr int64_t kFormerMs = 500;  // how often one of a former manager is looked at
// One that ran this long was well: the next pause is the first again.
constexpr int64_t kWellNs = 10'000'000'000;
}  // namespace

ReceiverLauncher::ReceiverLauncher(sail::Loop& loop, ChildPrograms& children, Options options,
                                   const sail::Log& log)
    : loop_(loop),
      children_(children),
      options_(std::move(options)),
      log_(log),
      record_(options_.record) {
  for (const auto& [name, process] : record_.all()) {
    if (!sail::is_running(process)) continue;
    log_.info("receiver '{}' outlived the former manager: it is waited for", name);
    former_.emplace(name, process);
  }
}

void ReceiverLauncher::launch(const std::string& name) {
  receivers_[name].pause = std::make_unique<sail::Timer>(loop_);
  start(name);
}

void ReceiverLauncher::stop() {
  stopped_ = true;
  receivers_.clear();
  record_.forget();
}

void ReceiverLauncher::signal_former(int number) {
  for (const auto& [name, process] : former_) sail::signal_process(process, number);
}

bool ReceiverLauncher::former_run() const {
  return std::ranges::any_of(former_, [](const auto& one) { return sail::is_running(one.second); });
}

void ReceiverLauncher::start(const std::string& name) {
  const auto former = former_.find(name);
  if (former != former_.end() && sail::is_running(former->second)) {
    receivers_[name].pause->start(kFormerMs, 0, [this, name] { start(name); });
    return;
  }
  if (options_.is_connected(name)) {
    receivers_[name].pause->start(kLongestPauseMs, 0, [this, name] { start(name); });
    return;
  }
  receivers_[name].started_ns = sail::steady_now_ns();
  const auto child = children_.start(
      {options_.program, "--manager", options_.manager, "--name", name, "--display",
       options_.display},
      {"VITRAIL_TOKEN=" + options_.token}, [this, name](int64_t exit_status, int signal) {
        start_later(name, "ended with " + exit_text(exit_status, signal));
      });
  if (child) {
    record_.keep(name, children_.pid(*child));
  } else {
    start_later(name, "did not start: " + child.error().message);
  }
}

void ReceiverLauncher::start_later(const std::string& name, const std::string& why) {
  if (stopped_) return;
  Receiver& receiver = receivers_[name];
  const bool was_well = sail::steady_now_ns() - receiver.started_ns > kWellNs;
  receiver.pause_ms = receiver.pause_ms == 0 || was_well
                          ? kFirstPauseMs
                          : std::min(2 * receiver.pause_ms, kLongestPauseMs);
  log_.warning("receiver '{}' {}; starting it again in {:.1f} s", name, why,
               static_cast<double>(receiver.pause_ms) / 1000);
  receiver.pause->start(receiver.pause_ms, 0, [this, name] { start(name); });
}

}  // namespace manager
