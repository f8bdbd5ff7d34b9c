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

std::optional<sail::Error> RankRendezvous::mismatch(const PendingJoin& pending,
                                                    const JoiningRank& rank) {
  if (pending.ranks.empty()) return std::nullopt;
  const sail::JoinParts& part = rank.part();
  const auto& [first, other] = *pending.ranks.begin();
  const std::vector<Common> mine = common_of(rank);
  const std::vector<Common> others = common_of(other);
  for (size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].value == others[i].value) continue;
    return conflict(part.name,
                    fmt::format("ranks {} and {} disagree about {}: {} and {}", first, part.rank,
                                mine[i].what, others[i].value, mine[i].value));
  }
  for (const auto& [number, one] : pending.ranks) {
    const sail::Rect both = sail::intersect(one.part().region, part.region);
    if (both.empty()) continue;
    return conflict(part.name, fmt::format("the regions of ranks {} and {} overlap: {}", number,
                                           part.rank, rect_text(both)));
  }
  return std::nullopt;
}

std::optional<sail::Error> RankRendezvous::region_gap(const PendingJoin& pending) {
  const sail::JoinParts& any = pending.ranks.begin()->second.part();
  sail::Region left{{0, 0, any.frame_size.width, any.frame_size.height}};
  for (const auto& [number, one] : pending.ranks) left = sail::subtract(left, one.part().region);
  if (left.empty()) return std::nullopt;
  return conflict(any.name,
                  fmt::format("the regions of ranks 0 to {} leave a gap in frames of {}: {}",
                              any.ranks - 1, size_text(any.frame_size), rect_text(left.front())));
}

bool RankRendezvous::refuse(PendingJoin& pending, const sail::Error& why) {
  const int ranks = pending.ranks.begin()->second.part().ranks;
  for (const auto& [number, one] : std::exchange(pending.ranks, {})) {
    one.reply(why);
    ++pending.refused_ranks;
  }
  pending.refused = why;
  return pending.refused_ranks >= ranks;
}

std::optional<std::vector<JoiningRank>> RankRendezvous::join(JoiningRank rank, int64_t now_ns) {
  const std::string name = rank.part().name;
  const int number = rank.part().rank;
  const auto ranks = static_cast<size_t>(rank.part().ranks);
  PendingJoin& pending = pending_[name];
  if (pending.until_ns == 0) {
    pending.until_ns = now_ns + kJoinTimeoutNs;
  }
  if (pending.refused) {
    rank.reply(*pending.refused);
    if (++pending.refused_ranks >= static_cast<int>(ranks)) pending_.erase(name);
    return std::nullopt;
  }
  if (pending.ranks.contains(number)) {
    rank.reply(conflict(name, fmt::format("rank {} has already joined", number)));
    return std::nullopt;
  }
  auto wrong = mismatch(pending, rank);
  pending.ranks.emplace(number, std::move(rank));
  if (!wrong && pending.ranks.size() == ranks) wrong = region_gap(pending);
  if (wrong) {
    if (refuse(pending, *wrong)) pending_.erase(name);
    return std::nullopt;
  }
  if (pending.ranks.size() < ranks) return std::nullopt;
  std::vector<JoiningRank> all = ranks_of(pending);
  pending_.erase(name);
  return all;
}

std::vector<JoiningRank> RankRendezvous::ranks_of(PendingJoin& pending) {
  std::vector<JoiningRank> ranks;
  for (auto& [number, one] : pending.ranks) ranks.push_back(std::move(one));
  return ranks;
}

std::vector<std::vector<JoiningRank>> RankRendezvous::take_continuing() {
  const auto continues = [](const auto& one) { return one.second.open.resume.has_value(); };
  std::vector<std::vector<JoiningRank>> taken;
  for (auto it = pending_.begin(); it != pending_.end();) {
    const auto one = it++;
    if (std::ranges::none_of(one->second.ranks, continues)) continue;
    taken.push_back(ranks_of(one->second));
    pending_.erase(one);
  }
  return taken;
}

void RankRendezvous::application_left(uint64_t application) {
  for (auto& [name, pending] : pending_) {
    std::erase_if(pending.ranks,
                  [&](const auto& one) { return one.second.application == application; });
  }
}

void RankRendezvous::tick(int64_t now_ns) {
  for (auto it = pending_.begin(); it != pending_.end();) {
    const auto one = it++;
    if (now_ns >= one->second.until_ns && give_up(one->first, one->second, now_ns)) {
      pending_.erase(one);
    }
  }
}

bool RankRendezvous::give_up(const std::string& name, PendingJoin& pending, int64_t now_ns) {
  if (pending.refused || pending.ranks.empty()) return true;
  std::vector<int> missing;
  const int ranks = pending.ranks.begin()->second.part().ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!pending.ranks.contains(rank)) missing.push_back(rank);
  }
  pending.until_ns = now_ns + kJoinTimeoutNs;
  return refuse(pending,
                sail::fail(sail::ErrorCode::kTimeout,
                           fmt::format("'{}': {} of {} did not join within {} s", name,
                                       ranks_text(missing), ranks, sail::kJoinTimeoutMs / 1000)));
}

}  // namespace manager
