#include "manager/state_parts.h"

#include <algorithm>

#include "manager/fs_manager.h"

namespace manager {
namespace {

using sail::Json;

Json clients_json(const Clients& clients) {
  Json list = Json::array();
  for (const auto& [number, client] : clients.all()) {
    if (!client.subscribed) continue;
    list.push_back({{"client", number}, {"name", client.name}, {"colour", client.colour}});
  }
  return list;
}

Json step_json(const HistoryEntry* entry) {
  if (entry == nullptr) return nullptr;
  return {{"who", entry->author.name}, {"what", entry->what}};
}

// With the entries behind this number.
Json history_json(const Arrangement& arrangement, uint64_t known_up_to) {
  constexpr size_t kMostTold = 20;
  const History& history = arrangement.history();
  Json object = {{"undo", step_json(arrangement.next_step(true))},
                 {"redo", step_json(arrangement.next_step(false))},
                 {"done", history.done_up_to()},
                 {"entries", Json::array()}};
  const size_t count = history.entries().size();
  const size_t first = count - std::min(count, kMostTold);
  for (size_t i = first; i < count; ++i) {
    const HistoryEntry& entry = history.entries()[i];
    if (entry.number <= known_up_to) {
      object["keep"] = {history.entries()[first].number, entry.number};
      continue;
    }
    Json told = step_json(&entry);
    told["number"] = entry.number;
    if (entry.note) told["note"] = true;
    object["entries"].push_back(std::move(told));
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

// With where the windows stand, as far as one message has room for all.
Json layouts_json(const SavedWalls& layouts) {
  constexpr size_t kMostTold = 8000;
  Json list = saved_json(layouts);
  size_t told = 0;
  auto entry = list.begin();
  for (const auto& [name, summary] : layouts.all()) {
    told += summary.rects.size();
    if (told > kMostTold) break;
    Json& rects = (*entry++)["rects"] = Json::array();
    for (const sail::Rect& rect : summary.rects) rects.push_back(sail::rect_json(rect));
  }
  return list;
}

}  // namespace

const char* state_part_name(StatePart part) {
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
  }
  return "";
}

Json state_part_json(const FsManager& manager, StatePart part) {
  switch (part) {
    case StatePart::kClients:
      return clients_json(manager.clients());
    case StatePart::kHealth:
      return to_json(manager.health());
    case StatePart::kPartitions:
      return to_json(manager.arrangement().partitions());
    case StatePart::kHistory:
      return history_json(manager.arrangement(), 0);
    case StatePart::kLayouts:
      return layouts_json(manager.saved_walls(SavedKind::kLayout));
    case StatePart::kSessions:
      return saved_json(manager.saved_walls(SavedKind::kSession));
  }
  return nullptr;
}

Json changed_part_json(const FsManager& manager, StatePart part) {
  if (part != StatePart::kHistory) return state_part_json(manager, part);
  const Arrangement& arrangement = manager.arrangement();
  return history_json(arrangement, arrangement.history().told_up_to());
}

}  // namespace manager
