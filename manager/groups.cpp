#include "manager/groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "manager/desk.h"
#include "manager/peers.h"
#include "sail/base/clock.h"
#include "sail/base/token.h"
#include "sail/base/wall_clock.h"

namespace manager {
namespace {

constexpr int64_t kStartsInNs = 1'000'000'000;  // a new group's film, unless somebody says when
// What people want takes effect at one instant, of which all members must hear before they hand
// over frames for it.
constexpr int64_t kTakesEffectInNs = 300'000'000;
// Rates are the same that differ by less than this part: 29.97 and 30000/1001.
constexpr double kSameRate = 1e-4;

bool same_rate(double fps, double of_group) {
  return fps == 0 || of_group == 0 || std::abs(fps - of_group) <= kSameRate * of_group;
}

double position_at(const sail::Timeline& timeline, int64_t at_ns) {
  if (timeline.paused || at_ns < timeline.at_ns) return timeline.position_s;
  const double position_s =
      timeline.position_s + static_cast<double>(at_ns - timeline.at_ns) / 1e9 * timeline.rate;
  return std::min(position_s, sail::kMaxPlaybackValue);
}

sail::Timeline timeline_of(const Window& window, int64_t now_ns) {
  if (!window.playback) return {.at_ns = now_ns};
  const sail::Playback& playback = *window.playback;
  return {.position_s = playback.position_s,
          .at_ns = playback.at_ns,
          .rate = std::clamp(playback.rate, sail::kMinRate, sail::kMaxRate),
          .paused = playback.paused};
}

}  // namespace

sail::Result<void> Groups::admit(const sail::OpenStream& open) {
  if (open.group.empty()) return {};
  const bool made = !groups_.contains(open.group);
  const size_t count = members(open.group).size() + 1;
  if (auto agreed = agree(open.group, open.fps, count); !agreed) return agreed;
  if (!made) return {};
  groups_[open.group].timeline =
      open.timeline.value_or(sail::Timeline{.at_ns = desk_.clock().wall_now_ns() + kStartsInNs});
  return {};
}

bool Groups::keeps(const Window& former, double fps) const {
  const auto group = groups_.find(former.group);
  return group != groups_.end() && same_rate(fps, group->second.fps);
}

void Groups::came_back(const Window& window, const std::string& group) {
  const auto found = groups_.find(window.group);
  if (found != groups_.end()) {
    std::erase(found->second.streams, window.stream);  // so that it is told
  } else if (!group.empty()) {
    tell(window, "", {});
  }
}

sail::Result<void> Groups::agree(const std::string& name, double fps, size_t count) {
  if (!groups_.contains(name) && groups_.size() == sail::kMaxGroups) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("there are {} groups already", sail::kMaxGroups));
  }
  if (count > sail::kMaxGroupMembers) {
    return sail::fail(sail::ErrorCode::kLimit, fmt::format("group '{}': {} members are possible",
                                                           name, sail::kMaxGroupMembers));
  }
  Group& group = groups_[name];
  if (group.fps == 0) group.fps = fps;
  if (same_rate(fps, group.fps)) return {};
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format("the members of group '{}' show {:g} frames a second, and this stream {:g}: they "
                  "must agree",
                  name, group.fps, fps));
}

sail::Result<void> Groups::put(const std::string& name, const std::vector<uint32_t>& windows) {
  if (!name.empty()) {
    if (auto admitted = admit(name, windows); !admitted) return admitted;
  }
  desk_.change([&](Arrangement& arrangement) {
    for (const uint32_t number : windows) arrangement.set_group(number, name);
  });
  if (name.empty()) {
    for (const uint32_t number : windows) tell(*desk_.windows().find(number), name, {});
  }
  look();
  return {};
}

sail::Result<void> Groups::admit(const std::string& name, const std::vector<uint32_t>& windows) {
  const bool made = !groups_.contains(name);
  std::set<uint32_t> all(windows.begin(), windows.end());
  for (const Window* member : members(name)) all.insert(member->number);
  for (const uint32_t number : windows) {
    auto agreed = agree(name, desk_.windows().find(number)->fps, all.size());
    if (agreed) continue;
    if (made) groups_.erase(name);
    return agreed;
  }
  if (!made) return {};
  groups_[name].timeline =
      timeline_of(*desk_.windows().find(windows.front()), desk_.clock().wall_now_ns());
  return {};
}

bool Groups::control(const Window& window, std::string_view action, double value) {
  const auto found = groups_.find(window.group);
  if (found == groups_.end()) return false;
  Group& group = found->second;
  sail::Timeline next = group.timeline;
  // A film that is yet to begin begins when it was to.
  next.at_ns = std::max(desk_.clock().wall_now_ns() + kTakesEffectInNs, next.at_ns);
  next.position_s = position_at(group.timeline, next.at_ns);
  if (action == "pause" || action == "resume") {
    next.paused = action == "pause";
  } else if (action == "seek") {
    next.position_s = value;
  } else if (action == "rate") {
    next.rate = value;
  } else {
    return false;
  }
  group.timeline = next;
  for (const Window* member : members(window.group)) tell(*member, window.group, group);
  return true;
}

void Groups::look() {
  if (groups_.empty() && told_.empty()) return;
  if (desk_.director().waits_for_peers(sail::steady_now_ns())) return;
  std::erase_if(groups_, [this](const auto& entry) { return members(entry.first).empty(); });
  std::vector<std::pair<const Window*, const std::pair<const std::string, Group>*>> news;
  for (auto& entry : groups_) {
    Group& group = entry.second;
    const bool moved = place_table(group);
    std::vector<uint32_t> streams;
    for (const Window* member : members(entry.first)) {
      streams.push_back(member->stream);
      const bool knows = std::find(group.streams.begin(), group.streams.end(), member->stream) !=
                         group.streams.end();
      if (moved || !knows) news.emplace_back(member, &entry);
    }
    group.streams = std::move(streams);
  }
  tell_receivers();
  for (const auto& [member, entry] : news) tell(*member, entry->first, entry->second);
}

std::vector<const Window*> Groups::members(const std::string& name) const {
  std::vector<const Window*> members;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (window.group == name) members.push_back(&window);
  }
  return members;
}

bool Groups::place_table(Group& group) const {
  const auto& receivers = peers_.receivers().all();
  const auto here = [&](const ReceiverEntry& one) {
    return one.connected() && one.peer == group.receiver;
  };
  if (std::any_of(receivers.begin(), receivers.end(), here)) return false;
  const auto next = std::find_if(receivers.begin(), receivers.end(),
                                 [](const ReceiverEntry& one) { return one.connected(); });
  if (next == receivers.end()) return false;
  group.receiver = next->peer;
  group.host = next->address;
  group.port = next->data_port;
  group.secret = sail::random_secret();
  return true;
}

void Groups::tell_receivers() {
  std::map<uint64_t, sail::GroupTables> tables;
  for (const auto& [peer, former] : told_) tables[peer];
  for (const auto& [name, group] : groups_) {
    if (group.receiver == 0) continue;
    tables[group.receiver].tables.push_back({.secret = group.secret, .streams = group.streams});
  }
  for (const auto& [peer, told] : tables) {
    const auto former = told_.find(peer);
    if (former == told_.end() || former->second != told) {
      peers_.notify(peer, "group_tables", to_json(told));
    }
  }
  std::erase_if(tables, [](const auto& entry) { return entry.second.tables.empty(); });
  told_ = std::move(tables);
}

void Groups::tell(const Window& member, const std::string& name, const Group& group) const {
  peers_.notify(member.owner, "group",
                to_json(sail::GroupSeat{.stream = member.stream,
                                        .name = name,
                                        .host = group.host,
                                        .port = group.port,
                                        .secret = group.secret,
                                        .timeline = group.timeline}));
}

sail::Json Groups::told() const {
  sail::Json list = sail::Json::array();
  for (const auto& [name, group] : groups_) {
    sail::Json windows = sail::Json::array();
    for (const Window* member : members(name)) windows.push_back(member->number);
    list.push_back({{"name", name},
                    {"windows", std::move(windows)},
                    {"fps", group.fps},
                    {"timeline", to_json(group.timeline)}});
  }
  return list;
}

}  // namespace manager
