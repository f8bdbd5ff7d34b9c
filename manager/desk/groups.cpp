#include "manager/desk/groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <set>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"
#include "sail/core/time/wall_clock.h"

namespace manager {
namespace {

constexpr int64_t kStartsInNs = 1'000'000'000;  // Default delay until a new group's film begins.
// A control action takes effect at one instant. All members must receive it before they submit
// frames for that instant.
constexpr int64_t kTakesEffectInNs = 300'000'000;
// Two rates whose relative difference is below this value are equal: 29.97 and 30000/1001.
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
  const bool made = !groups_.contains({open.group});
  const size_t count = members({open.group}).size() + 1;
  if (auto agreed = agree(open.group, open.fps, count); !agreed) return agreed;
  if (!made) return {};
  groups_[{open.group}].timeline =
      open.timeline.value_or(sail::Timeline{.at_ns = desk_.clock().wall_now_ns() + kStartsInNs});
  return {};
}

bool Groups::keeps(const Window& former, double fps) const {
  const auto group = groups_.find({former.group});
  return group != groups_.end() && same_rate(fps, group->second.fps);
}

void Groups::stream_resumed(const Window& window, uint32_t stream, const std::string& group) {
  const bool in_one = !window.group.empty() || !window.parts.empty();
  const auto found = groups_.find(key_of(window));
  if (in_one && found != groups_.end()) {
    // evaluate() then sends the stream its seat again.
    std::erase(found->second.streams, stream);
  } else if (!group.empty()) {
    notify_member({&window, stream, window.owner_of(stream)}, {}, {});
  }
}

sail::Result<void> Groups::agree(const std::string& name, double fps, size_t count) {
  if (!groups_.contains({name}) && groups_.size() == sail::kMaxGroups) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("there are already {} groups, the maximum", sail::kMaxGroups));
  }
  if (count > sail::kMaxGroupMembers) {
    return sail::fail(sail::ErrorCode::kLimit, fmt::format("group '{}' can have at most {} members",
                                                           name, sail::kMaxGroupMembers));
  }
  Group& group = groups_[{name}];
  if (group.fps == 0) group.fps = fps;
  if (same_rate(fps, group.fps)) return {};
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("the members of group '{}' have {:g} frames/s, and this stream has "
                                "{:g}: all members need the same frame rate",
                                name, group.fps, fps));
}

sail::Result<void> Groups::put(const std::string& name, const std::vector<uint32_t>& windows) {
  for (const uint32_t number : windows) {
    if (desk_.windows().find(number)->parts.empty()) continue;
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("window {} has several senders, which choose their group themselves", number));
  }
  if (!name.empty()) {
    if (auto admitted = admit(name, windows); !admitted) return admitted;
  }
  // The desk calls evaluate() when the outermost change ends.
  desk_.change([&](Arrangement& arrangement) {
    for (const uint32_t number : windows) arrangement.set_group(number, name);
  });
  if (name.empty()) {
    for (const uint32_t number : windows) {
      const Window* window = desk_.windows().find(number);
      notify_member({window, window->stream, window->owner}, {}, {});
    }
  }
  return {};
}

sail::Result<void> Groups::admit(const std::string& name, const std::vector<uint32_t>& windows) {
  const bool made = !groups_.contains({name});
  std::set<uint32_t> all(windows.begin(), windows.end());
  for (const Member& member : members({name})) all.insert(member.window->number);
  for (const uint32_t number : windows) {
    auto agreed = agree(name, desk_.windows().find(number)->fps, all.size());
    if (agreed) continue;
    if (made) groups_.erase({name});
    return agreed;
  }
  if (!made) return {};
  groups_[{name}].timeline =
      timeline_of(*desk_.windows().find(windows.front()), desk_.clock().wall_now_ns());
  return {};
}

bool Groups::control(const Window& window, std::string_view action, double value) {
  const auto found = groups_.find({window.group});
  if (found == groups_.end()) return false;
  Group& group = found->second;
  sail::Timeline next = group.timeline;
  // A film that has not begun yet still begins at its scheduled time.
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
  for (const Member& member : members(found->first)) notify_member(member, found->first, group);
  return true;
}

Groups::Key Groups::key_of(const Window& window) {
  const bool of_its_own = window.group.empty() && !window.parts.empty();
  return {window.group, of_its_own ? window.number : 0};
}

void Groups::find_parts() {
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (const Key key = key_of(window); key.window != 0) groups_[key];
  }
}

void Groups::evaluate() {
  find_parts();
  if (groups_.empty() && sent_tables_.empty()) return;
  if (desk_.director().waits_for_peers(sail::steady_now_ns())) return;
  std::erase_if(groups_, [this](const auto& entry) { return members(entry.first).empty(); });
  std::vector<std::pair<Member, const std::pair<const Key, Group>*>> news;
  std::vector<Key> new_tables;
  for (auto& entry : groups_) {
    Group& group = entry.second;
    const bool moved = place_table(group);
    if (moved) new_tables.push_back(entry.first);
    std::vector<uint32_t> streams;
    group.waits = false;
    for (const Member& member : members(entry.first)) {
      const Window& window = *member.window;
      const bool waits = !window.parts.empty() && window.absent == sail::AbsentPart::kWait;
      group.waits |= waits;
      if (member.owner == 0 && !waits) continue;
      streams.push_back(member.stream);
      const bool knows = std::find(group.streams.begin(), group.streams.end(), member.stream) !=
                         group.streams.end();
      if (moved || !knows) news.emplace_back(member, &entry);
    }
    group.streams = std::move(streams);
  }
  notify_receivers();
  for (const auto& [member, entry] : news) notify_member(member, entry->first, entry->second);
  // Ranks that were silent at the former table may be active at the new one.
  for (const Key& key : new_tables) set_silent(key, {});
}

std::vector<Groups::Member> Groups::members(const Key& key) const {
  std::vector<Member> members;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (key.window == 0 ? window.group != key.name : window.number != key.window) continue;
    for (const WindowStream& stream : streams_of(window)) {
      members.push_back({&window, stream.stream, stream.owner});
    }
  }
  return members;
}

void Groups::absent(uint64_t receiver, const sail::GroupAbsent& absent) {
  const auto group = std::ranges::find_if(groups_, [&](const auto& entry) {
    return entry.second.secret == absent.secret && entry.second.receiver == receiver;
  });
  if (group != groups_.end()) set_silent(group->first, absent.streams);
}

void Groups::set_silent(const Key& key, const std::vector<uint32_t>& streams) {
  for (const Member& member : members(key)) {
    const Window& window = *member.window;
    const WindowPart* part = window.part(member.stream);
    if (part == nullptr) continue;
    const auto rank = static_cast<size_t>(part - window.parts.data());
    const bool silent = std::ranges::find(streams, member.stream) != streams.end();
    const bool news = desk_.change([&](Arrangement& arrangement) {
      return arrangement.set_silent(window.number, rank, silent, std::time(nullptr));
    });
    if (!news || part->owner == 0) continue;
    log_.warning("rank {} of window {} '{}' {}", rank, window.number, window.title,
                 silent ? "submits no frames" : "is back");
  }
}

bool Groups::place_table(Group& group) const {
  const auto& receivers = peers_.receivers().all();
  const auto here = [&](const ReceiverEntry& one) {
    return one.connected() && one.peer == group.receiver && one.data_address() == group.table;
  };
  if (std::any_of(receivers.begin(), receivers.end(), here)) return false;
  const auto next = std::find_if(receivers.begin(), receivers.end(),
                                 [](const ReceiverEntry& one) { return one.connected(); });
  if (next == receivers.end()) return false;
  group.receiver = next->peer;
  group.receiver_name = next->name;
  group.table = next->data_address();
  group.secret = sail::random_secret();
  return true;
}

void Groups::notify_receivers() {
  std::map<uint64_t, sail::CoordinatedGroups> tables;
  for (const auto& [peer, former] : sent_tables_) tables[peer];
  for (const auto& [key, group] : groups_) {
    if (group.receiver == 0) continue;
    tables[group.receiver].groups.push_back({.secret = group.secret,
                                             .streams = group.streams,
                                             .waits = group.waits,
                                             .numbered = key.window != 0});
  }
  for (const auto& [peer, current] : tables) {
    const auto former = sent_tables_.find(peer);
    if (former == sent_tables_.end() || former->second != current) {
      peers_.notify(peer, "group_tables", to_json(current));
    }
  }
  std::erase_if(tables, [](const auto& entry) { return entry.second.groups.empty(); });
  sent_tables_ = std::move(tables);
}

void Groups::notify_member(const Member& member, const Key& key, const Group& group) const {
  peers_.notify(
      member.owner, "group",
      to_json(sail::GroupMembership{
          .stream = member.stream,
          .name = key.window == 0 ? key.name : "parts",
          .host =
              group.table.host.empty() ? "" : peers_.host_for(member.owner, group.receiver_name),
          .port = group.table.port,
          .certificate = group.table.certificate,
          .secret = group.secret,
          .timeline = group.timeline}));
}

sail::Json Groups::json() const {
  sail::Json list = sail::Json::array();
  for (const auto& [key, group] : groups_) {
    if (key.window != 0) continue;
    sail::Json windows = sail::Json::array();
    for (const Window& window : desk_.windows().bottom_to_top()) {
      if (window.group == key.name) windows.push_back(window.number);
    }
    list.push_back({{"name", key.name},
                    {"windows", std::move(windows)},
                    {"fps", group.fps},
                    {"timeline", to_json(group.timeline)}});
  }
  return list;
}

}  // namespace manager
