#include "manager/monitor/state_feed.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/events/event_scenes.h"
#include "manager/media/playlists.h"
#include "manager/monitor/recorders.h"
#include "manager/monitor/wall_health.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/opening/opening_players.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "manager/sessions/saved_walls.h"
#include "manager/sessions/scene_switch.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/rpc.h"

namespace manager {
namespace {

using sail::Json;

// The parts of the state that are sent as a whole.
constexpr StatePart kParts[] = {StatePart::kClients,   StatePart::kHealth,  StatePart::kPartitions,
                                StatePart::kHistory,   StatePart::kLayouts, StatePart::kSessions,
                                StatePart::kPlaylists, StatePart::kStandby, StatePart::kOpenings,
                                StatePart::kScene,     StatePart::kEvents};

const char* name_of(StatePart part) {
  switch (part) {
    case StatePart::kClients:
      return "clients";
    case StatePart::kHealth:
      return "health";
    case StatePart::kPartitions:
      return "partitions";
    case StatePart::kHistory:
      return "history";
    case StatePart::kLayouts:
      return "layouts";
    case StatePart::kSessions:
      return "sessions";
    case StatePart::kPlaylists:
      return "playlists";
    case StatePart::kStandby:
      return "standby";
    case StatePart::kOpenings:
      return "openings";
    case StatePart::kScene:
      return "scene";
    case StatePart::kEvents:
      return "events";
  }
  return "";
}

Json clients_json(const Peers& peers) {
  Json list = Json::array();
  for (const auto& [id, client] : peers.clients()) {
    if (!client.announced) continue;
    list.push_back(client_json(id, client));
  }
  return list;
}

Json step_json(const HistoryEntry* entry) {
  if (entry == nullptr) return nullptr;
  return {{"who", entry->author.name}, {"what", entry->what}};
}

// Returns the undo history, with only the entries after number known_up_to.
Json history_json(const Arrangement& arrangement, uint64_t known_up_to) {
  constexpr size_t kMostEntries = 20;
  const History& history = arrangement.history();
  Json object = {{"undo", step_json(arrangement.next_step(true))},
                 {"redo", step_json(arrangement.next_step(false))},
                 {"done", history.done_up_to()},
                 {"entries", Json::array()}};
  const size_t count = history.entries().size();
  const size_t first = count - std::min(count, kMostEntries);
  for (size_t i = first; i < count; ++i) {
    const HistoryEntry& entry = history.entries()[i];
    if (entry.number <= known_up_to) {
      object["keep"] = {history.entries()[first].number, entry.number};
      continue;
    }
    Json json = step_json(&entry);
    json["number"] = entry.number;
    if (entry.at_s > 0) json["at"] = entry.at_s;
    if (!entry.author.key.empty()) json["key"] = entry.author.key;
    if (entry.note) json["note"] = true;
    object["entries"].push_back(std::move(json));
  }
  return object;
}

Json saved_json(const SavedWalls& walls) {
  Json list = Json::array();
  for (const auto& [name, summary] : walls.all()) {
    list.push_back(
        {{"name", name}, {"windows", summary.windows}, {"saved_at", summary.saved_at_s}});
  }
  return list;
}

// Includes window rectangles, as far as one message has room.
Json layouts_json(const SavedWalls& layouts) {
  constexpr size_t kMostRects = 8000;
  Json list = saved_json(layouts);
  size_t total = 0;
  auto entry = list.begin();
  for (const auto& [name, summary] : layouts.all()) {
    total += summary.rects.size();
    if (total > kMostRects) break;
    Json& rects = (*entry++)["rects"] = Json::array();
    for (const sail::Rect& rect : summary.rects) rects.push_back(sail::rect_json(rect));
  }
  return list;
}

Json order_json(const std::vector<Window>& windows) {
  Json order = Json::array();
  for (const Window& window : windows) order.push_back(window.number);
  return order;
}

}  // namespace

StateFeed::StateFeed(sail::Loop& loop, ChangeFeed& changes, const Sources& sources)
    : changes_(changes),
      from_(sources),
      wall_text_(sail::compact_text(wall_object(sources.desk.wall()))),
      soon_(loop) {}

void StateFeed::publish_soon() {
  soon_.start(0, 0, [this] { publish(); });
}

void StateFeed::publish() {
  for (const ChangeSet& set : changes_.take()) {
    const bool windows = !set.windows.empty() || !set.removed.empty() || set.order;
    if (windows || !set.receivers.empty()) objects_revision_ = set.revision;
    // Called even without followers, so that the next follower gets what changes after its first
    // state.
    const bool first = switches_.empty();
    const Json news = first || set.switches ? changed_switches() : Json::object();
    if (!from_.peers.has_followers()) continue;
    // Only the addresses of receivers and of the standby depend on the peer.
    const auto line = [&](const sail::Ends& to) {
      Json change = changed(set, to);
      change.update(news);
      return sail::notification_line("changed", change);
    };
    if (set.receivers.empty() && !set.parts.contains(StatePart::kStandby)) {
      from_.peers.broadcast(sail::share(line({})));
    } else {
      from_.peers.broadcast(line);
    }
  }
  from_.desk.mark_history_reported();
  publish_drawings();
}

void StateFeed::publish_drawings() {
  for (const Json& drawings : drawings_.take(from_.desk.arrangement())) {
    from_.peers.broadcast(&Wants::drawings,
                          sail::share(sail::notification_line("drawings", drawings)));
  }
}

Json StateFeed::state(size_t skip, const sail::Ends& to) {
  publish();
  Json state = small_parts(to);
  state["clients"] = part(StatePart::kClients);
  state["receivers"] = receivers(to);
  state["wall"] = wall_object(from_.desk.wall());
  state["windows"] = windows(skip);
  return state;
}

Json StateFeed::small_parts(const sail::Ends& to) const {
  const Director& director = from_.desk.director();
  Json state = {{"revision", changes_.revision()},
                {"epoch", director.epoch()},
                {"settled", director.settled()},
                {"total", from_.desk.windows().bottom_to_top().size()}};
  state.update(switches());
  for (const StatePart one : kParts) {
    if (one == StatePart::kClients) continue;
    Json json = part(one, to);
    const bool may_lack =
        one == StatePart::kOpenings || one == StatePart::kEvents || one == StatePart::kPlaylists;
    const bool none = may_lack && json.empty();
    if (!json.is_null() && !none) state[name_of(one)] = std::move(json);
  }
  if (sail::Json recorders = from_.recorders.json(to); !recorders.empty()) {
    state["recorders"] = std::move(recorders);
  }
  return state;
}

Json StateFeed::receivers(const sail::Ends& to) const {
  Json list = Json::array();
  for (const ReceiverEntry& receiver : from_.peers.receivers().all()) {
    list.push_back(receiver_object(receiver, to));
  }
  return list;
}

Json StateFeed::windows(size_t skip) const {
  const std::vector<Window>& windows = from_.desk.windows().bottom_to_top();
  Json list = Json::array();
  for (size_t i = skip; i < windows.size() && i - skip < kMaxInBatch; ++i) {
    list.push_back(window_object(windows[i]));
  }
  return list;
}

std::vector<Json> StateFeed::rest() const {
  const std::vector<Window>& windows = from_.desk.windows().bottom_to_top();
  std::vector<Json> portions;
  for (size_t begin = kMaxInBatch; begin < windows.size(); begin += kMaxInBatch) {
    Json portion = {{"revision", changes_.revision()}};
    for (size_t i = begin; i < windows.size() && i - begin < kMaxInBatch; ++i) {
      portion["windows"].push_back(window_state(windows[i]));
    }
    portions.push_back(std::move(portion));
  }
  if (!portions.empty()) portions.back()["order"] = order_json(windows);
  return portions;
}

std::string StateFeed::own_text(const sail::Ends& to) const {
  std::string text = sail::compact_text(small_parts(to));
  text.back() = ',';  // Instead of the closing brace.
  text += R"("clients":[)";
  const char* separator = "";
  for (const auto& [id, client] : from_.peers.clients()) {
    if (!client.announced) continue;
    text.append(std::exchange(separator, ",")).append(client.entry);
  }
  return text += ']';
}

SharedState::Text StateFeed::shared_text(const sail::Ends& to) const {
  SharedState::Text text{
      .state = sail::share(fmt::format(R"(,"receivers":{},"wall":{},"windows":{}}})",
                                       sail::compact_text(receivers(to)), wall_text_,
                                       sail::compact_text(windows(0)))),
      .lines = {}};
  for (const Json& portion : rest()) {
    text.lines.push_back(sail::share(sail::notification_line("changed", portion)));
  }
  return text;
}

void StateFeed::subscribe(sail::ServicePeer& ui, const Wants& wants,
                          const sail::RpcPeer::Reply& reply) {
  from_.peers.announce(ui.id());
  // First publishes all pending changes, so the next change has the next revision.
  publish();
  const sail::Ends to = ends_of(ui);
  // The lines with further windows contain the revision; the other text does not.
  const bool has_lines = from_.desk.windows().bottom_to_top().size() > kMaxInBatch;
  const SharedState::Text& shared =
      shared_.at(has_lines ? changes_.revision() : objects_revision_, to, sail::steady_now_ns(),
                 [&] { return shared_text(to); });
  const sail::SharedText parts[] = {sail::share(own_text(to)), shared.state};
  sail::RpcPeer::answer(reply, parts);
  for (const sail::SharedText& line : shared.lines) ui.rpc().send_line(line);
  if (wants.drawings) {
    for (const Json& drawings : drawings_.all()) ui.rpc().notify("drawings", drawings);
  }
  from_.peers.follow(ui.id(), wants);
}

Json StateFeed::switches() const {
  const Director& director = from_.desk.director();
  const Arrangement& arrangement = from_.desk.arrangement();
  Json switches = {{"identify", director.identify()},
                   {"calibrate", sail::kTestPatterns.word(director.pattern())},
                   {"overlay", from_.overlay.is_on()},
                   {"sound", to_json(arrangement.switches().sound)},
                   {"strokes", arrangement.drawing().strokes().size()}};
  add_blanks(switches, arrangement.switches());
  return switches;
}

Json StateFeed::changed_switches() {
  Json now = switches();
  Json news = Json::object();
  for (const auto& [name, value] : now.items()) {
    if (const auto known = switches_.find(name); known == switches_.end() || *known != value) {
      news[name] = value;
    }
  }
  switches_ = std::move(now);
  return news;
}

Json StateFeed::changed(const ChangeSet& set, const sail::Ends& to) const {
  const WindowStack& windows = from_.desk.windows();
  Json changed = {{"revision", set.revision}, {"epoch", from_.desk.director().epoch()}};
  for (const uint32_t number : set.windows) {
    if (const Window* window = windows.find(number)) {
      changed["windows"].push_back(window_state(*window));
    }
  }
  for (const std::string& name : set.receivers) {
    changed["receivers"].push_back(receiver_state(*from_.peers.receivers().find(name), to));
  }
  for (const StatePart one : set.parts) changed[name_of(one)] = changed_part(one, to);
  if (!set.removed.empty()) changed["removed"] = set.removed;
  if (set.order) changed["order"] = order_json(windows.bottom_to_top());
  return changed;
}

Json StateFeed::part(StatePart part, const sail::Ends& to) const {
  switch (part) {
    case StatePart::kClients:
      return clients_json(from_.peers);
    case StatePart::kHealth:
      return to_json(from_.health);
    case StatePart::kPartitions:
      return to_json(from_.desk.arrangement().partitions());
    case StatePart::kHistory:
      return history_json(from_.desk.arrangement(), 0);
    case StatePart::kLayouts:
      return layouts_json(from_.layouts);
    case StatePart::kSessions:
      return saved_json(from_.sessions);
    case StatePart::kPlaylists:
      return from_.playlists.summary();
    case StatePart::kStandby:
      return standby_json(from_.peers, to);
    case StatePart::kOpenings:
      return to_json(from_.players.openings());
    case StatePart::kScene:
      return from_.scene.json();
    case StatePart::kEvents:
      return from_.events.json();
  }
  return nullptr;
}

Json StateFeed::changed_part(StatePart one, const sail::Ends& to) const {
  if (one != StatePart::kHistory) return part(one, to);
  const Arrangement& arrangement = from_.desk.arrangement();
  return history_json(arrangement, arrangement.history().reported_up_to());
}

}  // namespace manager
