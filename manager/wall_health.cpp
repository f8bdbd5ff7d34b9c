#include "manager/wall_health.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/state_json.h"

namespace manager {
namespace {

// The whole list fits a message beside everything else.
constexpr size_t kMostProblems = 100;

std::vector<std::string> tiles_of(const sail::Wall& wall, const std::string& receiver) {
  std::vector<std::string> names;
  for (const sail::Tile& tile : wall.tiles) {
    if (tile.receiver == receiver) names.push_back(tile.name);
  }
  return names;
}

}  // namespace

Flow flow_of(const Window& window, const sail::StreamStats& stats, const sail::Wall& wall,
             const ReceiverRoster& receivers) {
  Flow flow{.codec = window.codec, .stats = stats, .before = window.stats, .away = {}, .nodes = {}};
  for (const ReceiverEntry& receiver : receivers.all()) {
    if (receiver.connected()) continue;
    const bool stands_there =
        std::any_of(wall.tiles.begin(), wall.tiles.end(), [&](const sail::Tile& tile) {
          return tile.receiver == receiver.name &&
                 !intersect(tile.wall_rect, window.wall_rect).empty();
        });
    if (stands_there) flow.away.push_back(receiver.name);
  }
  flow.rank_away = window.absent_sentence();
  for (const sail::LinkStats& link : stats.links) {
    const ReceiverEntry* receiver = receivers.find(link.receiver);
    if (receiver != nullptr && receiver->stats) {
      flow.nodes.push_back({receiver->name, *receiver->stats});
    }
  }
  return flow;
}

bool WallHealth::look(const sail::Wall& wall, const WindowStack& windows,
                      const ReceiverRoster& receivers, const std::string& disk_trouble) {
  std::vector<Problem> problems;
  for (const ReceiverEntry& receiver : receivers.all()) {
    if (receiver.connected()) continue;
    problems.push_back({Grade::kBad, 0, receiver.name,
                        fmt::format("receiver '{}' is away: nothing is shown on {}", receiver.name,
                                    quoted_list(tiles_of(wall, receiver.name)))});
  }
  for (const ReceiverEntry& receiver : receivers.all()) {
    const bool silent =
        receiver.stats && receiver.stats->sound && !receiver.stats->sound->trouble.empty();
    if (!silent) continue;
    problems.push_back({Grade::kBad, 0, receiver.name,
                        fmt::format("receiver '{}' plays no sound: {}", receiver.name,
                                    receiver.stats->sound->trouble)});
  }
  if (!disk_trouble.empty()) {
    problems.push_back(
        {Grade::kBad, 0, "", fmt::format("the wall cannot be saved: {}", disk_trouble)});
  }
  for (const Window& window : windows.bottom_to_top()) {
    const std::string gone = window.lost ? window.lost->sentence() : window.absent_sentence();
    if (!gone.empty()) {
      problems.push_back({Grade::kBad, window.number, "",
                          fmt::format("window {} “{}”: {}", window.number, window.title, gone)});
      continue;
    }
    // When a part is dark, the problem of its receiver says so already.
    const Diagnosis& diagnosis = window.health.diagnosis();
    const bool told = diagnosis.narrow == Narrow::kReceiverAway;
    const bool unreachable = diagnosis.narrow == Narrow::kUnreachable;
    const Grade grade = unreachable ? diagnosis.grade : window.health.lasting();
    if (grade == Grade::kWell || told) continue;
    problems.push_back({grade, window.number, "",
                        fmt::format("window {} “{}” {}", window.number, window.title,
                                    unreachable ? "is dark in part: a receiver is unreachable"
                                                : "shows fewer frames than it should")});
  }
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
    sail::Json object = {{"state", grade_name(problem.grade)}, {"sentence", problem.sentence}};
    if (problem.window != 0) object["window"] = problem.window;
    if (!problem.receiver.empty()) object["receiver"] = problem.receiver;
    problems.push_back(std::move(object));
  }
  return {{"state", grade_name(health.grade())},
          {"sentence", health.sentence()},
          {"problems", std::move(problems)}};
}

}  // namespace manager
