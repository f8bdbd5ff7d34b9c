#include "manager/opening/rank_rendezvous.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/wall/visibility.h"

namespace manager {
namespace {

constexpr int64_t kJoinTimeoutNs = int64_t{sail::kJoinTimeoutMs} * 1'000'000;

sail::Error conflict(const std::string& name, const std::string& what) {
  return sail::fail(sail::ErrorCode::kConflict, fmt::format("'{}': {}", name, what));
}

std::string rect_text(const sail::Rect& rect) {
  return fmt::format("{}×{} at {}, {}", rect.width, rect.height, rect.x, rect.y);
}

std::string size_text(sail::Size size) {
  return fmt::format("{}×{}", size.width, size.height);
}

// Returns "rank 3", "ranks 0, 1 and 3".
std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) text += i + 1 == ranks.size() ? " and " : ", ";
    text += std::to_string(ranks[i]);
  }
  return text;
}

// A value that must be equal for all ranks.
struct Common {
  const char* what;
  std::string value;
};
std::vector<Common> common_of(const JoiningRank& rank) {
  const sail::JoinParts& part = rank.part();
  return {{"the number of ranks", std::to_string(part.ranks)},
          {"the frame size", size_text(part.frame_size)},
          {"the codec", rank.codec},
          {"the block size", size_text(rank.open.block_size)},
          {"the display of an absent rank", sail::kAbsentParts.word(part.absent)},
          {"the group", rank.open.group.empty() ? "none" : rank.open.group}};
}

}  // namespace

std::optional<sail::Error> RankRendezvous::disagreement(const Coming& coming,
                                                        const JoiningRank& rank) {
  if (coming.ranks.empty()) return std::nullopt;
  const sail::JoinParts& part = rank.part();
  const auto& [first, other] = *coming.ranks.begin();
  const std::vector<Common> mine = common_of(rank);
  const std::vector<Common> others = common_of(other);
  for (size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].value == others[i].value) continue;
    return conflict(part.name,
                    fmt::format("ranks {} and {} disagree about {}: {} and {}", first, part.rank,
                                mine[i].what, others[i].value, mine[i].value));
  }
  for (const auto& [number, one] : coming.ranks) {
    const sail::Rect both = sail::intersect(one.part().region, part.region);
    if (both.empty()) continue;
    return conflict(part.name, fmt::format("the regions of ranks {} and {} overlap: {}", number,
                                           part.rank, rect_text(both)));
  }
  return std::nullopt;
}

std::optional<sail::Error> RankRendezvous::hole(const Coming& coming) {
  const sail::JoinParts& any = coming.ranks.begin()->second.part();
  sail::Region left{{0, 0, any.frame_size.width, any.frame_size.height}};
  for (const auto& [number, one] : coming.ranks) left = sail::subtract(left, one.part().region);
  if (left.empty()) return std::nullopt;
  return conflict(any.name,
                  fmt::format("the regions of ranks 0 to {} leave a gap in frames of {}: {}",
                              any.ranks - 1, size_text(any.frame_size), rect_text(left.front())));
}

bool RankRendezvous::refuse(Coming& coming, const sail::Error& why) {
  const int ranks = coming.ranks.begin()->second.part().ranks;
  for (const auto& [number, one] : std::exchange(coming.ranks, {})) {
    one.reply(why);
    ++coming.refused_ranks;
  }
  coming.refused = why;
  return coming.refused_ranks >= ranks;
}

std::optional<std::vector<JoiningRank>> RankRendezvous::join(JoiningRank rank, int64_t now_ns) {
  const std::string name = rank.part().name;
  const int number = rank.part().rank;
  const auto ranks = static_cast<size_t>(rank.part().ranks);
  Coming& coming = coming_[name];
  if (coming.until_ns == 0) {
    coming.until_ns = now_ns + kJoinTimeoutNs;
  }
  if (coming.refused) {
    rank.reply(*coming.refused);
    if (++coming.refused_ranks >= static_cast<int>(ranks)) coming_.erase(name);
    return std::nullopt;
  }
  if (coming.ranks.contains(number)) {
    rank.reply(conflict(name, fmt::format("rank {} has already joined", number)));
    return std::nullopt;
  }
  auto wrong = disagreement(coming, rank);
  coming.ranks.emplace(number, std::move(rank));
  if (!wrong && coming.ranks.size() == ranks) wrong = hole(coming);
  if (wrong) {
    if (refuse(coming, *wrong)) coming_.erase(name);
    return std::nullopt;
  }
  if (coming.ranks.size() < ranks) return std::nullopt;
  std::vector<JoiningRank> all = ranks_of(coming);
  coming_.erase(name);
  return all;
}

std::vector<JoiningRank> RankRendezvous::ranks_of(Coming& coming) {
  std::vector<JoiningRank> ranks;
  for (auto& [number, one] : coming.ranks) ranks.push_back(std::move(one));
  return ranks;
}

std::vector<std::vector<JoiningRank>> RankRendezvous::take_going_on() {
  const auto goes_on = [](const auto& one) { return one.second.open.resume.has_value(); };
  std::vector<std::vector<JoiningRank>> taken;
  for (auto it = coming_.begin(); it != coming_.end();) {
    const auto one = it++;
    if (std::ranges::none_of(one->second.ranks, goes_on)) continue;
    taken.push_back(ranks_of(one->second));
    coming_.erase(one);
  }
  return taken;
}

void RankRendezvous::application_left(uint64_t application) {
  for (auto& [name, coming] : coming_) {
    std::erase_if(coming.ranks,
                  [&](const auto& one) { return one.second.application == application; });
  }
}

void RankRendezvous::tick(int64_t now_ns) {
  for (auto it = coming_.begin(); it != coming_.end();) {
    const auto one = it++;
    if (now_ns >= one->second.until_ns && give_up(one->first, one->second, now_ns)) {
      coming_.erase(one);
    }
  }
}

bool RankRendezvous::give_up(const std::string& name, Coming& coming, int64_t now_ns) {
  if (coming.refused || coming.ranks.empty()) return true;
  std::vector<int> missing;
  const int ranks = coming.ranks.begin()->second.part().ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!coming.ranks.contains(rank)) missing.push_back(rank);
  }
  coming.until_ns = now_ns + kJoinTimeoutNs;
  return refuse(coming,
                sail::fail(sail::ErrorCode::kTimeout,
                           fmt::format("'{}': {} of {} did not join within {} s", name,
                                       ranks_text(missing), ranks, sail::kJoinTimeoutMs / 1000)));
}

}  // namespace manager
