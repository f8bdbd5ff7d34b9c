#include "manager/monitor/wall_health.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/peers/state_json.h"

namespace manager {
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

// Displays that do not answer, and windows that are not where the wall file puts them.
void add_displays(const Reports& reports, std::vector<Problem>& problems) {
  for (const ReceiverEntry& receiver : reports.receivers.all()) {
    if (!receiver.connected() || !receiver.stats || !receiver.stats->display) continue;
    const sail::DisplayStats& display = *receiver.stats->display;
    if (display.trouble.empty()) continue;
    const bool dark = display.windows.empty();
    problems.push_back(
        {dark ? Grade::kBad : Grade::kSlow, Cause::kDisplay, 0, receiver.name,
         fmt::format("receiver '{}' {}: {}", receiver.name,
                     dark ? "shows on nothing" : "shows tiles at a wrong place", display.trouble)});
  }
}

// What people have switched off. They may have forgotten it.
void add_switches(const WallSwitches& switches, std::vector<Problem>& problems) {
  if (switches.blank) {
    problems.push_back({Grade::kWell, Cause::kBlank, 0, "",
                        "the wall is blank: all tiles are black, and playback continues; `vitrail "
                        "blank off` shows the windows again"});
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
  if (!troubles.disk.empty()) {
    problems.push_back({Grade::kBad, Cause::kSaving, 0, "",
                        fmt::format("the wall cannot be saved: {}", troubles.disk)});
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
  add_switches(reports.switches, problems);
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
