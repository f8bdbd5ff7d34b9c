#include "manager/monitor/wall_health.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "manager/peers/state_json.h"
#include "manager/wall/director.h"

namespace manager {
namespace {

constexpr int64_t kGoodForNs = 5'000'000'000;

}  // namespace

const sail::HostStats* Hosts::of(uint64_t peer, int64_t now_ns) const {
  const auto report = reports_.find(peer);
  const bool good = report != reports_.end() && now_ns - report->second.at_ns < kGoodForNs;
  return good ? &report->second.stats : nullptr;
}

sail::Json Hosts::json(int64_t now_ns) const {
  std::map<std::string, const sail::HostStats*> hosts;
  for (const auto& [peer, report] : reports_) {
    if (of(peer, now_ns) != nullptr) hosts[report.stats.host] = &report.stats;
  }
  sail::Json list = sail::Json::array();
  for (const auto& [host, stats] : hosts) {
    sail::Json object = to_json(*stats);
    object.erase("own_pct");
    object["overloaded"] = stats->load.overloaded();
    list.push_back(std::move(object));
  }
  return list;
}

namespace {

double seconds(int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

// Returns the receivers beneath the window that are not connected; hanging: whether their programs
// run.
std::vector<std::string> away_from(const Window& window, const Reports& reports, bool hanging) {
  std::vector<std::string> away;
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (receiver.connected() || receiver.hangs() != hanging) continue;
    const bool covers_window = std::ranges::any_of(reports.wall.tiles, [&](const sail::Tile& tile) {
      return tile.receiver == receiver.name && !intersect(tile.wall_rect, window.wall_rect).empty();
    });
    if (covers_window) away.push_back(receiver.name);
  }
  return away;
}

}  // namespace

bool is_stalled(const ReceiverEntry& receiver, int64_t now_ns) {
  return receiver.stats && seconds(now_ns - receiver.measured_ns) >= kStoppedS;
}

Flow flow_of(const Window& window, const Reports& reports) {
  Flow flow{.codec = window.codec,
            .stats = window.stats ? &*window.stats : nullptr,
            .before = window.before ? &*window.before : nullptr,
            .age_s = seconds(reports.now_ns - window.measured_ns),
            .open_s = window.opened_ns == 0 ? 0 : seconds(reports.now_ns - window.opened_ns),
            .now_s = reports.now_s,
            .fed_s = window.fed_s,
            .playback = window.playback,
            .gone = window.lost ? window.lost->sentence() : "",
            .away = away_from(window, reports, false),
            .hanging = away_from(window, reports, true),
            .rank_away = window.absent_sentence(),
            .blank = reports.switches.blank && !window.covers_wall(),
            .window_blank = window.cover.blank.has_value(),
            .frozen = window.cover.frozen,
            .host = reports.hosts.of(window.owner, reports.now_ns)};
  if (window.starts_ns > reports.wall_ns) {
    flow.starts_s = reports.now_s + (window.starts_ns - reports.wall_ns) / 1'000'000'000 + 1;
  }
  if (!window.stats) return flow;
  flow.layout_waits =
      reports.director != nullptr && reports.director->misses(window.measured_stream());
  for (const sail::LinkStats& link : window.stats->links) {
    const ReceiverEntry* receiver = reports.receivers.find(link.receiver);
    if (receiver == nullptr || !receiver->stats) continue;
    flow.nodes.push_back({.name = receiver->name,
                          .stats = &*receiver->stats,
                          .age_s = seconds(reports.now_ns - receiver->measured_ns),
                          .host = reports.hosts.of(receiver->peer, reports.now_ns),
                          .launched = receiver->run.has_value()});
  }
  return flow;
}

void take_stats(Window& window, const sail::StreamStats& stats, const Reports& reports) {
  if (window.opened_ns == 0) window.opened_ns = reports.now_ns;
  const bool fed = !window.stats || window.stats->frames_submitted != stats.frames_submitted;
  if (fed) window.fed_s = reports.now_s;
  window.before = std::move(window.stats);
  window.stats = stats;
  window.measured_ns = reports.now_ns;
  window.health.report(diagnose(flow_of(window, reports)));
}

void evaluate_window(Window& window, const Reports& reports) {
  if (window.opened_ns == 0) window.opened_ns = reports.now_ns;
  window.health.evaluate(diagnose(flow_of(window, reports)));
}

namespace {

// The list must fit into a message beside other data.
constexpr size_t kMostProblems = 100;

std::vector<std::string> tiles_of(const sail::Wall& wall, const std::string& receiver) {
  std::vector<std::string> names;
  for (const sail::Tile& tile : wall.tiles) {
    if (tile.receiver == receiver) names.push_back(tile.name);
  }
  return names;
}

// Returns "“a.mp4” is", "“a.mp4” and 2 more are".
std::string opening_text(const std::vector<std::string>& titles) {
  const size_t more = titles.size() - 1;
  return fmt::format("“{}”{}", titles.front(),
                     more == 0 ? std::string(" is") : fmt::format(" and {} more are", more));
}

using Problem = WallHealth::Problem;

void add_receivers(const Reports& reports, std::vector<Problem>& problems) {
  const auto add = [&](Cause cause, const ReceiverEntry& receiver, std::string sentence) {
    problems.push_back({Grade::kBad, cause, 0, receiver.name, std::move(sentence)});
  };
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (receiver.hangs()) {
      add(Cause::kReceiverStopped, receiver,
          fmt::format("receiver '{}' does not answer: nothing is shown on {}{}", receiver.name,
                      quoted_list(tiles_of(reports.wall, receiver.name)),
                      restart_advice(receiver.name)));
    } else if (!receiver.connected()) {
      add(Cause::kReceiverAway, receiver,
          fmt::format("receiver '{}' is disconnected: nothing is shown on {}", receiver.name,
                      quoted_list(tiles_of(reports.wall, receiver.name))));
    } else if (is_stalled(receiver, reports.now_ns)) {
      add(Cause::kReceiverStopped, receiver,
          fmt::format("receiver '{}' does not answer: the picture on {} may be frozen{}",
                      receiver.name, quoted_list(tiles_of(reports.wall, receiver.name)),
                      receiver.run ? restart_advice(receiver.name) : ""));
    }
  }
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (!receiver.stats || !receiver.stats->sound || receiver.stats->sound->trouble.empty()) {
      continue;
    }
    add(Cause::kSound, receiver,
        fmt::format("receiver '{}' plays no sound: {}", receiver.name,
                    receiver.stats->sound->trouble));
  }
}

const char* display_problem(size_t windows, size_t tiles) {
  if (windows == 0) return "shows on nothing";
  return windows < tiles ? "does not show all its tiles" : "shows tiles at a wrong place";
}

// Displays that do not answer, and windows that are not where the wall file puts them.
void add_displays(const Reports& reports, std::vector<Problem>& problems) {
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (!receiver.connected() || !receiver.stats || !receiver.stats->display) continue;
    const sail::DisplayStats& display = *receiver.stats->display;
    if (!display.uncorrected.empty()) {
      problems.push_back({Grade::kSlow, Cause::kDisplay, 0, receiver.name,
                          fmt::format("receiver '{}': {}", receiver.name, display.uncorrected)});
    }
    if (display.trouble.empty()) continue;
    const size_t tiles = tiles_of(reports.wall, receiver.name).size();
    const bool dark = display.windows.size() < tiles;
    problems.push_back(
        {dark ? Grade::kBad : Grade::kSlow, Cause::kDisplay, 0, receiver.name,
         fmt::format("receiver '{}' {}: {}", receiver.name,
                     display_problem(display.windows.size(), tiles), display.trouble)});
  }
}

// Receivers that have not restarted since an update of their program.
void add_updates(const Reports& reports, std::vector<Problem>& problems) {
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (!receiver.connected() || !receiver.stats || receiver.stats->update.empty()) continue;
    problems.push_back({Grade::kWell, Cause::kUpdate, 0, receiver.name,
                        fmt::format("receiver '{}': {}", receiver.name, receiver.stats->update)});
  }
}

// Displays that did not turn on or off.
void add_power(const Reports& reports, std::vector<Problem>& problems) {
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    for (const auto& [tile, power] : receiver.power) {
      if (!power.disobeyed) continue;
      const bool dark = power.wanted == sail::PowerOrder::kOn;
      problems.push_back({dark ? Grade::kBad : Grade::kSlow, Cause::kPower, 0, receiver.name,
                          disobeyed_text(tile, power)});
    }
  }
}

// Settings that darken, hide or mute the whole wall: people may have forgotten them.
void add_switches(const Reports& reports, std::vector<Problem>& problems) {
  const WallSwitches& switches = reports.switches;
  if (reports.director != nullptr && reports.director->pattern() != sail::TestPattern::kOff) {
    problems.push_back({Grade::kWell, Cause::kBlank, 0, "",
                        "a test pattern hides the windows, and playback continues; `vitrail wall "
                        "calibrate off` shows the windows again"});
  }
  if (switches.blank) {
    problems.push_back({Grade::kWell, Cause::kBlank, 0, "",
                        "the wall is blank: all tiles are black, and playback continues; `vitrail "
                        "blank off` shows the windows again"});
  } else if (!switches.blank_areas.empty()) {
    problems.push_back({Grade::kWell, Cause::kBlank, 0, "",
                        "an area of the wall is blank; `vitrail unblank` shows it again"});
  }
  if (!switches.sound.muted && switches.sound.volume > 0) return;
  problems.push_back({Grade::kWell, Cause::kMuted, 0, "",
                      switches.sound.muted
                          ? "the sound of the whole wall is muted; `vitrail master-volume "
                            "--unmute` turns it on again"
                          : "the volume of the whole wall is 0; `vitrail master-volume 100%` "
                            "turns it up again"});
}

void add_window(const Window& window, std::vector<Problem>& problems) {
  const Diagnosis& diagnosis = window.health.diagnosis();
  // The problem of the receiver already says that a part is dark.
  const bool known =
      diagnosis.cause == Cause::kReceiverAway || diagnosis.cause == Cause::kReceiverStopped;
  if (diagnosis.grade == Grade::kWell || known) return;
  const bool whole = diagnosis.cause == Cause::kProgramGone ||
                     diagnosis.cause == Cause::kRankAway || diagnosis.cause == Cause::kSilent;
  problems.push_back(
      {diagnosis.grade, diagnosis.cause, window.number, "",
       whole ? fmt::format("window {} “{}”: {}", window.number, window.title, diagnosis.sentence)
             : fmt::format("window {} “{}” {}", window.number, window.title,
                           problem_text(diagnosis.cause))});
}

}  // namespace

bool WallHealth::evaluate(const Reports& reports, const WindowStack& windows,
                          const Troubles& troubles) {
  std::vector<Problem> problems;
  add_receivers(reports, problems);
  add_displays(reports, problems);
  add_power(reports, problems);
  if (!troubles.disk.empty()) {
    problems.push_back({Grade::kBad, Cause::kSaving, 0, "",
                        fmt::format("the wall cannot be saved: {}", troubles.disk)});
  }
  if (!troubles.journal.empty()) {
    problems.push_back({Grade::kBad, Cause::kSaving, 0, "",
                        fmt::format("the journal cannot be kept: {}", troubles.journal)});
  }
  for (const std::string& hanging : troubles.hanging) {
    problems.push_back({Grade::kBad, Cause::kProgramStopped, 0, "", hanging});
  }
  for (const std::string& damaged : troubles.damaged) {
    problems.push_back({Grade::kSlow, Cause::kDamaged, 0, "", damaged});
  }
  for (const Window& window : windows.bottom_to_top()) add_window(window, problems);
  if (!troubles.opening.empty()) {
    problems.push_back({Grade::kSlow, Cause::kOpening, 0, "",
                        fmt::format("{} still being opened: no window shows it yet",
                                    opening_text(troubles.opening))});
  }
  for (const std::string& skips : troubles.tours) {
    problems.push_back({Grade::kSlow, Cause::kOpening, 0, "", skips});
  }
  for (const std::string& missing : troubles.scenes) {
    problems.push_back({Grade::kSlow, Cause::kScene, 0, "", missing});
  }
  for (const std::string& fails : troubles.webhooks) {
    problems.push_back({Grade::kSlow, Cause::kWebhook, 0, "", fails});
  }
  if (!troubles.witness.empty()) {
    problems.push_back(
        {Grade::kSlow, Cause::kWitness, 0, "",
         troubles.witness + (troubles.has_standby
                                 ? "; the wall has a manager only while manager and standby reach "
                                   "each other"
                                 : "; without a standby the manager ends if this lasts")});
  }
  add_switches(reports, problems);
  add_updates(reports, problems);
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.grade > b.grade; });
  if (problems.size() > kMostProblems) problems.resize(kMostProblems);
  if (problems == problems_) return false;
  problems_ = std::move(problems);
  return true;
}

std::string WallHealth::sentence() const {
  if (problems_.empty()) return "all is well";
  const size_t more = problems_.size() - 1;
  return problems_.front().sentence + (more == 0 ? "" : fmt::format(" (and {} more)", more));
}

sail::Json to_json(const WallHealth& health) {
  sail::Json problems = sail::Json::array();
  for (const WallHealth::Problem& problem : health.problems()) {
    sail::Json object = {{"state", grade_name(problem.grade)},
                         {"cause", cause_code(problem.cause)},
                         {"sentence", problem.sentence}};
    if (problem.window != 0) object["window"] = problem.window;
    if (!problem.receiver.empty()) object["receiver"] = problem.receiver;
    problems.push_back(std::move(object));
  }
  return {{"state", grade_name(health.grade())},
          {"sentence", health.sentence()},
          {"problems", std::move(problems)}};
}

}  // namespace manager
