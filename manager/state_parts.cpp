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

Json partitions_json(const Partitions& partitions) {
  Json list = Json::array();
  for (const Partition& partition : partitions.all()) {
    list.push_back({{"name", partition.name}, {"rect", sail::rect_json(partition.rect)}});
  }
  return list;
}

Json step_json(const HistoryEntry* entry) {
  if (entry == nullptr) return nullptr;
  return {{"who", entry->author.name}, {"what", entry->what}};
}

Json history_json(const History& history) {
  constexpr size_t kMostTold = 20;
  Json entries = Json::array();
  const size_t count = history.entries().size();
  for (size_t i = count - std::min(count, kMostTold); i < count; ++i) {
    Json entry = step_json(&history.entries()[i]);
    entry["number"] = history.entries()[i].number;
    entry["undone"] = i >= history.done();
    entries.push_back(std::move(entry));
  }
  return {{"undo", step_json(history.next_undo())},
          {"redo", step_json(history.next_redo())},
          {"entries", std::move(entries)}};
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
    case StatePart::kPartitions:
      return partitions_json(manager.arrangement().partitions());
    case StatePart::kHistory:
      return history_json(manager.arrangement().history());
    case StatePart::kLayouts:
      return layouts_json(manager.saved_walls(SavedKind::kLayout));
    case StatePart::kSessions:
      return saved_json(manager.saved_walls(SavedKind::kSession));
  }
  return nullptr;
}

}  // namespace manager
