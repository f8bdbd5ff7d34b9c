#include "manager/opening/rank_opener.h"

#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/opening/window_opener.h"
#include "manager/peers/peers.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/visibility.h"

namespace manager {
namespace {

constexpr int64_t kBeforeLayoutNs = 2 * Director::kTickMs * 1'000'000;

// Finds a single unknown region: the area that the other regions leave, if that area is a
// rectangle.
void find_missing_region(Window& window) {
  const auto unknown = [](const WindowPart& part) { return part.region.empty(); };
  if (std::ranges::count_if(window.parts, unknown) != 1) return;
  sail::Region left{{0, 0, window.frame_size.width, window.frame_size.height}};
  for (const WindowPart& part : window.parts) left = sail::subtract(left, part.region);
  if (left.size() == 1) std::ranges::find_if(window.parts, unknown)->region = left.front();
}

// Whether the region can belong to the rank, as far as known.
bool may_send(const Window& window, size_t rank, const sail::Rect& region) {
  const sail::Rect& known = window.parts[rank].region;
  if (!known.empty()) return region == known;
  return std::ranges::all_of(window.parts, [&](const WindowPart& other) {
    return sail::intersect(other.region, region).empty();
  });
}

}  // namespace

RankOpener::RankOpener(Desk& desk, Peers& peers, Groups& groups, WindowOpener& windows,
                       const sail::Log& log)
    : desk_(desk), peers_(peers), groups_(groups), windows_(windows), log_(log) {}

void RankOpener::tick() {
  const int64_t now_ns = sail::steady_now_ns();
  rendezvous_.tick(now_ns);
  // Opens the ranks shortly before the first layout, which would otherwise lack their window.
  if (desk_.director().waits_for_peers(now_ns + kBeforeLayoutNs)) return;
  for (std::vector<JoiningRank>& ranks : rendezvous_.take_continuing())
    open_ranks(std::move(ranks));
}

void RankOpener::join(const sail::ServicePeer& application, const sail::OpenStream& open,
                      const std::string& codec, const sail::RpcPeer::Reply& reply) {
  JoiningRank rank{application.id(), application.name(), open, codec, reply};
  if (sail::Size{open.part->region.width, open.part->region.height} != open.frame_size) {
    return reply(sail::fail(
        sail::ErrorCode::kInvalidParams,
        fmt::format("open_stream: frame size and region size of rank {} differ", open.part->rank)));
  }
  if (open.resume && windows_.is_free(*open.resume)) desk_.resumed(open.resume->routes);
  admit(std::move(rank));
}

void RankOpener::admit(JoiningRank rank) {
  const auto& windows = desk_.windows().bottom_to_top();
  const auto known = std::ranges::find(windows, rank.part().name, &Window::parts_name);
  if (known != windows.end()) {
    if (auto back = rejoin(*known, rank); !back) rank.reply(back.error());
    return;
  }
  auto all = rendezvous_.join(std::move(rank), sail::steady_now_ns());
  if (all) open_ranks(*std::move(all));
}

// A new program counts its frames from the start, but the ranks that continued do not. So its
// frames can match theirs only by presentation time, which requires a group. A rank that continued,
// too, still has matching frame numbers.
sail::Result<void> RankOpener::rejoin(const Window& window, const JoiningRank& rank) {
  const sail::JoinParts& join = rank.part();
  const auto place = static_cast<size_t>(join.rank);
  const auto late = [&](const std::string& why) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("rank {} cannot rejoin '{}': {}", join.rank, join.name, why));
  };
  if (place >= window.parts.size() || window.parts[place].owner != 0) {
    return late(fmt::format("window {} already has all of its {} ranks", window.number,
                            window.parts.size()));
  }
  if (window.group.empty() && !rank.open.resume) {
    return late("the other ranks have continued, and only a group tells a rank which frame is due");
  }
  if (join.ranks != static_cast<int>(window.parts.size()) || join.frame_size != window.frame_size ||
      !may_send(window, place, join.region) || rank.codec != window.codec ||
      rank.open.block_size != window.block_size || rank.open.group != window.group) {
    return late("its region, codec or group differs from the lost rank's");
  }
  desk_.change([&](Arrangement& arrangement) {
    arrangement.replace_part(window.number, place, part_of(rank, window));
    log_.info("rank {} of window {} '{}' is back", join.rank, window.number, window.title);
    windows_.answer_opened(window, window.parts[place].stream, rank.reply);
  });
  return {};
}

WindowPart RankOpener::part_of(const JoiningRank& rank, const Window& window) const {
  WindowPart part{.secret = sail::random_secret(),
                  .owner = rank.application,
                  .owner_name = rank.name,
                  .region = rank.part().region};
  const std::optional<sail::Resume>& resume = rank.open.resume;
  if (resume && resume->window == window.number && windows_.is_free(*resume) &&
      window.part(resume->routes.stream) == nullptr) {
    part.stream = resume->routes.stream;
    part.secret = resume->secret;
  }
  return part;
}

void RankOpener::open_ranks(std::vector<JoiningRank> ranks) {
  const auto continues = [](const JoiningRank& one) { return one.open.resume.has_value(); };
  std::vector<JoiningRank> others;
  if (std::ranges::any_of(ranks, continues)) {
    const auto rest = std::stable_partition(ranks.begin(), ranks.end(), continues);
    std::move(rest, ranks.end(), std::back_inserter(others));
    ranks.erase(rest, ranks.end());
  }
  open_window(ranks);
  for (JoiningRank& rank : others) admit(std::move(rank));
}

void RankOpener::open_window(const std::vector<JoiningRank>& ranks) {
  const auto refuse = [&ranks](const sail::Error& why) {
    for (const JoiningRank& rank : ranks) rank.reply(why);
  };
  const JoiningRank& first = ranks.front();
  const sail::ServicePeer& application = *peers_.find(first.application);
  sail::OpenStream whole = first.open;
  whole.frame_size = first.part().frame_size;
  for (const JoiningRank& rank : ranks) {
    if (auto admitted = groups_.admit(rank.open); !admitted) return refuse(admitted.error());
    whole.max_reduction = std::min(whole.max_reduction, rank.open.max_reduction);
  }
  Window window = windows_.window_for(application, whole, first.codec);
  const std::string player = windows_.player_of(application, whole);
  whole.content.reset();  // A single player would show only a part of it.
  window.content = windows_.content_of(application, player, whole, nullptr);
  window.parts_name = first.part().name;
  window.absent = first.part().absent;
  if (whole.resume) windows_.keep_numbers(*whole.resume, window);
  WindowPart missing;
  missing.since_s = std::time(nullptr);
  window.parts.assign(static_cast<size_t>(first.part().ranks), missing);
  for (const JoiningRank& rank : ranks) {
    window.parts[static_cast<size_t>(rank.part().rank)] = part_of(rank, window);
  }
  find_missing_region(window);
  window.stream = window.parts.front().stream;
  window.secret = window.parts.front().secret;
  windows_.add_window(application, player, whole, std::move(window), 0,
                      [&](const sail::Result<const Window*>& opened) {
                        if (!opened) return refuse(opened.error());
                        for (const JoiningRank& rank : ranks) {
                          const auto place = static_cast<size_t>(rank.part().rank);
                          windows_.answer_opened(**opened, (*opened)->parts[place].stream,
                                                 rank.reply);
                        }
                      });
}

}  // namespace manager
