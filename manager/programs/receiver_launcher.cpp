#include "manager/programs/receiver_launcher.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "manager/programs/child_programs.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {
constexpr int64_t kAtOnceMs = 10;  // Restart delay after a good run.
constexpr int64_t kFirstRestartMs = 250;
constexpr int64_t kLongestRestartMs = 10'000;
constexpr int64_t kEndsMs = 3000;       // A program may take this long to end.
constexpr int64_t kCheckAgainMs = 500;  // Polling interval for programs that are not children.
// Minimum time of a good run.
constexpr int64_t kStableNs = 10'000'000'000;
}  // namespace

ReceiverLauncher::ReceiverLauncher(sail::Loop& loop, ChildPrograms& children, NodeLogs& logs,
                                   Options options, const sail::Log& log)
    : loop_(loop),
      children_(children),
      logs_(logs),
      options_(std::move(options)),
      log_(log),
      record_(options_.record) {
  for (const auto& [name, process] : record_.all()) {
    if (!sail::is_running(process)) continue;
    log_.info(
        "'{}' was started by the former manager and is still running: waiting until it connects or "
        "ends",
        name);
    former_.emplace(name, process);
  }
}

void ReceiverLauncher::launch(const std::string& name, Command command) {
  Receiver& receiver = receivers_[name];
  receiver.name = name;
  receiver.command = std::move(command);
  receiver.pause = std::make_unique<sail::Timer>(loop_);
  receiver.kill_timeout = std::make_unique<sail::Timer>(loop_);
  start(receiver);
}

sail::Result<void> ReceiverLauncher::restart(const std::string& name) {
  const auto found = receivers_.find(name);
  if (found == receivers_.end()) {
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("this manager did not start '{}': restart it where it was started", name));
  }
  Receiver& receiver = found->second;
  // The restart has the short delay that follows a good run.
  receiver.pause_ms = 0;
  receiver.started_ns = 0;
  options_.on_restart(name);
  if (receiver.child == 0 && !former_runs(name)) {
    start(receiver);
    return {};
  }
  signal(receiver, SIGTERM);
  signal(receiver, SIGCONT);  // A stopped process would not receive SIGTERM.
  receiver.kill_timeout->start(kEndsMs, 0, [this, &receiver] { signal(receiver, SIGKILL); });
  return {};
}

void ReceiverLauncher::signal(const Receiver& receiver, int number) {
  if (receiver.child != 0) {
    children_.signal(receiver.child, number);
  } else if (former_runs(receiver.name)) {
    sail::signal_process(former_.at(receiver.name), number);
  }
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

bool ReceiverLauncher::former_runs(const std::string& name) const {
  const auto former = former_.find(name);
  return former != former_.end() && sail::is_running(former->second);
}

void ReceiverLauncher::start(Receiver& receiver) {
  const std::string& name = receiver.name;
  const bool former = former_runs(name);
  if (former || options_.is_connected(name)) {
    receiver.run.runs = former;
    report(receiver);
    receiver.pause->start(kCheckAgainMs, 0, [this, &receiver] { start(receiver); });
    return;
  }
  receiver.pause->stop();
  receiver.kill_timeout->stop();
  receiver.started_ns = sail::steady_now_ns();
  ++receiver.run.starts;
  const auto child = start_program(receiver);
  if (!child) return start_later(receiver, "did not start: " + child.error().message);
  receiver.child = *child;
  receiver.run.runs = true;
  record_.keep(name, children_.pid(*child));
  report(receiver);
}

sail::Result<int> ReceiverLauncher::start_program(Receiver& receiver) {
  auto command = receiver.command();
  if (!command) return command.error();
  const int output = logs_.begin(receiver.name);
  auto child = children_.start(command->arguments, command->environment,
                               [this, &receiver](int64_t exit_status, int signal) {
                                 if (!stopped_) ended(receiver, exit_status, signal);
                               },
                               {.input = std::move(command->input), .output = output});
  if (output >= 0) close(output);
  return child;
}

void ReceiverLauncher::ended(Receiver& receiver, int64_t exit_status, int signal) {
  receiver.child = 0;
  std::string why = "ended with " + exit_text(exit_status, signal);
  // A killed program has not logged the reason.
  if (signal == 0) {
    const std::string error = last_error(logs_.end_of_run(receiver.name), {});
    if (!error.empty()) why += ": " + error;
  }
  start_later(receiver, why);
}

void ReceiverLauncher::start_later(Receiver& receiver, const std::string& why) {
  const bool was_stable = sail::steady_now_ns() - receiver.started_ns > kStableNs;
  receiver.pause_ms = was_stable
                          ? kAtOnceMs
                          : std::clamp(2 * receiver.pause_ms, kFirstRestartMs, kLongestRestartMs);
  receiver.run.runs = false;
  receiver.run.why = why;
  log_.warning("'{}' {}; restarting it in {:.1f} s", receiver.name, why,
               static_cast<double>(receiver.pause_ms) / 1000);
  receiver.pause->start(receiver.pause_ms, 0, [this, &receiver] { start(receiver); });
  report(receiver);
}

}  // namespace manager
