#include "tests/model/wall_world.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace model {
namespace {

constexpr int64_t kAllWellNs = 8000 * kMs;
constexpr int64_t kAbsentNs = 600 * kMs;  // a killed process is back
constexpr uint64_t kUndone = 3;

}  // namespace

WallWorld::WallWorld(const Scenario& scenario)
    : scenario_(scenario), wall_(scenario), network_(wall_.network()), watch_(wall_) {
  settle();
  faults_left_ = scenario.faults;
  moves_ = 1;
}

// Until the first layout and frames are shown.
void WallWorld::settle() {
  for (const int64_t end_ns = network_.now_ns + 4 * kFrameNs; network_.now_ns < end_ns;) {
    list_deliveries() ? perform(choices_.front()) : pass();
  }
  for (size_t i = 0; list_deliveries() && i < 100; ++i) perform(choices_.front());
}

// --- choices ------------------------------------------------------------------------------------

size_t WallWorld::choices() {
  const bool any = list_deliveries();
  if (!any) choices_.push_back({Step::kPass, 0, 0});
  if (moves_ < scenario_.places.size() && wall_.manager().process.runs()) {
    choices_.push_back({Step::kMove, 0, 0});
  }
  list_returns();
  if (faults_left_ > 0) list_faults();
  list_suspicions();
  return choices_.size();
}

bool WallWorld::list_deliveries() {
  choices_.clear();
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    if (network_.deliverable(i)) choices_.push_back({Step::kDeliver, i, 0});
  }
  return !choices_.empty();
}

// A killed sender does not come back.
void WallWorld::list_returns() {
  for (size_t i = 0; i < wall_.processes(); ++i) {
    const Process& one = wall_.process(i);
    if (!one.up && !wall_.is_sender(i)) choices_.push_back({Step::kBack, i, 0});
    if (one.stopped) choices_.push_back({Step::kGoOn, i, 0});
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    if (network_.line(i).held) choices_.push_back({Step::kRelease, i, 0});
  }
}

bool WallWorld::may_be_killed(size_t process) const {
  if (process == 0) return scenario_.kills_manager;
  return wall_.is_node(process) ? scenario_.kills_receivers : scenario_.kills_senders;
}

// Not between a manager and an application, which run on one machine.
bool WallWorld::may_be_cut(size_t line) const {
  for (size_t i = 0; i < wall_.senders(); ++i) {
    if (wall_.sender_line(i) == line) return false;
  }
  return scenario_.cuts && line % 2 == 0 && network_.line(line).open;
}

void WallWorld::list_faults() {
  for (size_t i = 0; i < wall_.processes(); ++i) {
    if (!wall_.process(i).runs()) continue;
    if (scenario_.stops) choices_.push_back({Step::kStop, i, 0});
    if (may_be_killed(i)) list_kills(i);
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    const Line& line = network_.line(i);
    if (scenario_.holds && !line.messages.empty() && !line.held) {
      choices_.push_back({Step::kHold, i, 0});
    }
    if (may_be_cut(i)) choices_.push_back({Step::kCut, i, 0});
  }
}

// Rightly if nothing comes from the receiver, else by a fault.
void WallWorld::list_suspicions() {
  for (size_t s = 0; s < wall_.senders(); ++s) {
    const ModelSender& sender = wall_.sender(s);
    if (!scenario_.suspects || !sender.process.runs()) continue;
    for (size_t n = 0; n < wall_.nodes(); ++n) {
      if (!sender.may_suspect(n)) continue;
      const size_t line = wall_.stream_line(s, n);
      const bool silent = network_.line(line).held || network_.line(Network::back(line)).held;
      if (silent) choices_.push_back({Step::kMiss, s, n});
      if (!silent && faults_left_ > 0) choices_.push_back({Step::kSuspect, s, n});
    }
  }
}

// A process also dies between two writes, and messages may die with its machine.
void WallWorld::list_kills(size_t process) {
  const Process& one = wall_.process(process);
  choices_.push_back({Step::kKill, process, 0});
  if (network_.acting() == &one) {
    for (size_t kept = 0; kept < network_.sent().size(); ++kept) {
      choices_.push_back({Step::kKillUnsent, process, kept});
    }
  }
  for (size_t i = 0; i < network_.lines().size(); ++i) {
    const Line& line = network_.line(i);
    if (line.from == &one && !line.messages.empty()) {
      choices_.push_back({Step::kKillLosing, process, i});
    }
  }
}

// --- steps --------------------------------------------------------------------------------------

void WallWorld::choose(size_t choice) {
  choices();
  const Choice chosen = choices_[choice];
  if (recorded()) note(name(chosen));
  perform(chosen);
}

void WallWorld::perform(const Choice& choice) {
  switch (choice.step) {
    case Step::kDeliver:
      return wall_.deliver(choice.which);
    case Step::kPass:
      return pass();
    case Step::kMove:
      return wall_.move_windows(scenario_.places[moves_++]);
    case Step::kBack:
      return wall_.back(choice.which);
    case Step::kGoOn:
      return wall_.go_on(choice.which);
    case Step::kRelease:
      network_.line(choice.which).held = false;
      return;
    case Step::kMiss:
      return wall_.suspect(choice.which, choice.detail);
    default:
      --faults_left_;
      return perform_fault(choice);
  }
}

void WallWorld::perform_fault(const Choice& choice) {
  if (choice.step == Step::kStop) {
    wall_.process(choice.which).stopped = true;
  } else if (choice.step == Step::kHold) {
    network_.line(choice.which).held = true;
  } else if (choice.step == Step::kCut) {
    wall_.cut(choice.which);
  } else if (choice.step == Step::kSuspect) {
    return wall_.suspect(choice.which, choice.detail);
  } else {
    kill(choice);
  }
  network_.forget_sent();
}

void WallWorld::kill(const Choice& choice) {
  const bool whole = choice.step == Step::kKill;
  if (choice.step == Step::kKillUnsent) network_.unsend(choice.detail);
  if (choice.step == Step::kKillLosing) network_.line(choice.detail).messages.clear();
  wall_.kill(choice.which, mix(kUndone + choice.detail, whole ? 1 : 0));
  watch_.killed(choice.which, whole);
}

void WallWorld::pass() {
  if (const std::string violation = watch_.look(); !violation.empty()) violate(violation);
  wall_.pass();
  if (recorded()) note(fmt::format("  {} ms: {}", network_.now_ns / kMs, watch_.pictures()));
}

void WallWorld::finish() {
  faults_left_ = 0;
  const int64_t began_ns = network_.now_ns;
  bool well = false;
  while (wrong().empty() && network_.now_ns - began_ns < kAllWellNs) {
    choices();
    const bool absent = network_.now_ns - began_ns < kAbsentNs;
    const auto next = std::ranges::find_if(choices_, [&](const Choice& choice) {
      return choice.step != Step::kMove && choice.step != Step::kPass &&
             !(absent && choice.step == Step::kBack);
    });
    const Choice chosen = next == choices_.end() ? Choice{Step::kPass, 0, 0} : *next;
    if (recorded()) note(name(chosen));
    if (chosen.step == Step::kPass) {
      const bool is_well = !absent && wall_.manager().process.up && watch_.unwell().empty();
      if (is_well && wall_.rests() && std::exchange(well, true)) return;
    }
    perform(chosen);
  }
  if (wrong().empty()) violate("waits for ever: " + watch_.unwell());
}

uint64_t WallWorld::fingerprint() const {
  uint64_t hash = mix(network_.state(), watch_.state());
  for (size_t i = 0; i < wall_.processes(); ++i) {
    const bool met = wall_.is_node(i) && wall_.node(i - 1).met;
    hash = mix(hash, wall_.process(i).state() + (met ? 1U : 0U));
  }
  return mix(mix(hash, moves_), static_cast<uint64_t>(faults_left_));
}

// --- names --------------------------------------------------------------------------------------

std::string WallWorld::line_name(size_t number) const {
  const Line& line = network_.line(number);
  return fmt::format("{} -> {}", line.from->name, line.to->name);
}

std::string WallWorld::name(const Choice& choice) const {
  const auto process_name = [&] { return wall_.process(choice.which).name; };
  switch (choice.step) {
    case Step::kDeliver: {
      const Message& message = network_.line(choice.which).messages.front();
      return fmt::format("{}: {}{}{}", line_name(choice.which), message.what,
                         message.frame == 0 ? "" : fmt::format(" {}", message.frame),
                         message.epoch == 0 ? "" : fmt::format(" of epoch {}", message.epoch));
    }
    case Step::kPass:
      return "time passes";
    case Step::kMove:
      return "the windows are moved";
    case Step::kBack:
      return process_name() + " is back";
    case Step::kGoOn:
      return process_name() + " goes on";
    case Step::kRelease:
      return "messages " + line_name(choice.which) + " arrive again";
    case Step::kStop:
      return "FAULT: " + process_name() + " is stopped";
    case Step::kHold:
      return "FAULT: messages " + line_name(choice.which) + " are delayed";
    case Step::kCut:
      return "FAULT: the connection " + line_name(choice.which) + " is lost";
    case Step::kMiss:
    case Step::kSuspect:
      return fmt::format("{}sender {} takes r{} for unreachable",
                         choice.step == Step::kSuspect ? "FAULT: " : "", choice.which + 1,
                         choice.detail);
    case Step::kKill:
      return "FAULT: " + process_name() + " is killed";
    case Step::kKillUnsent:
      return fmt::format("FAULT: {} is killed after {} of its last messages", process_name(),
                         choice.detail);
    case Step::kKillLosing:
      return fmt::format("FAULT: {} is killed, and its messages {} are lost", process_name(),
                         line_name(choice.detail));
  }
  return "";
}

}  // namespace model
