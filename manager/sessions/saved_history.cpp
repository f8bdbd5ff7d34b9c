// Writes and reads the undo history of the session "autosave".
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "manager/media/sources.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

using sail::Json;
using sail::JsonFields;

constexpr size_t kLongestWhat = 1024;
constexpr size_t kLongestRemovedUrl = 4096;

Json change_json(const LayoutChange& change) {
  Json json = Json::object();
  for (const auto& [number, placement] : change.windows) {
    Json window = to_json(placement);
    window["number"] = number;
    json["windows"].push_back(std::move(window));
  }
  if (change.order) json["order"] = *change.order;
  if (change.partitions) json["partitions"] = to_json(*change.partitions);
  if (change.drawing) {
    json["drawing"] = Json::array();
    add_drawing(json, *change.drawing);
  }
  return json;
}

Json windows_json(const std::vector<SavedWindow>& windows) {
  Json list = Json::array();
  for (const SavedWindow& window : windows) {
    list.push_back(to_json(window, SavedKind::kSession));
    list.back().erase("mark");  // The program has ended.
  }
  return list;
}

Json entry_json(const HistoryEntry& entry) {
  Json json = {{"who", entry.author.name}, {"what", entry.what}, {"at", entry.at_s}};
  if (!entry.author.key.empty()) json["key"] = entry.author.key;
  if (entry.note) {
    json["note"] = true;
    return json;
  }
  json["before"] = change_json(entry.before);
  json["after"] = change_json(entry.after);
  json["closed"] = windows_json(entry.closed);
  json["opened"] = windows_json(entry.opened);
  json["stack"] = entry.stack;
  if (const auto& removed = entry.removed) {
    json["removed"] = {{"title", removed->title}, {"bin", removed->bin}, {"url", removed->url}};
    if (removed->camera) json["removed"]["camera"] = camera_json(*removed->camera);
  }
  return json;
}

std::vector<uint32_t> read_numbers(JsonFields& fields, const char* name) {
  std::vector<uint32_t> numbers;
  for (const Json& item : fields.array(name, sail::kMaxWindows)) {
    const auto number = sail::whole_number(item, 1, std::numeric_limits<uint32_t>::max());
    if (!number) fields.mistake(name, "must contain window numbers");
    numbers.push_back(static_cast<uint32_t>(number.value_or(1)));
  }
  return numbers;
}

sail::Result<LayoutChange> read_change(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  LayoutChange change;
  if (fields.has("windows")) {
    for (const Json& item : fields.array("windows", sail::kMaxWindows)) {
      JsonFields window(item, where + ": windows");
      const auto number =
          static_cast<uint32_t>(window.integer("number", 1, std::numeric_limits<uint32_t>::max()));
      const WindowPlacement placement = read_placement(window);
      if (auto error = window.finish_open()) return *error;
      change.windows.emplace(number, placement);
    }
  }
  if (fields.has("order")) change.order = read_numbers(fields, "order");
  if (fields.has("partitions")) {
    auto partitions = read_partitions(fields, {sail::kMaxWallSide, sail::kMaxWallSide});
    if (!partitions) return partitions.error();
    change.partitions = std::move(*partitions);
  }
  if (fields.has("drawing")) change.drawing = read_drawing(fields);
  if (auto error = fields.finish_open()) return *error;
  return change;
}

sail::Result<std::vector<SavedWindow>> read_windows(JsonFields& fields, const char* name) {
  std::vector<SavedWindow> windows;
  for (const Json& item : fields.array(name, sail::kMaxWindows)) {
    auto window = saved_window_from_json(item, name);
    if (!window) return window.error();
    windows.push_back(std::move(*window));
  }
  return windows;
}

// Empty: damaged, so the source cannot be restored.
std::optional<RemovedSource> read_removed(const Json& value) {
  JsonFields fields(value, "removed");
  RemovedSource removed{.title = fields.string("title", sail::kMaxTitleLength),
                        .bin = fields.string_or("bin", kLongestWhat, ""),
                        .url = fields.string_or("url", kLongestRemovedUrl, "")};
  if (fields.has("camera")) {
    if (const auto camera = camera_from_json(fields.value("camera"))) removed.camera = *camera;
  }
  if (fields.finish_open()) return std::nullopt;
  return removed;
}

sail::Result<HistoryEntry> read_entry(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  HistoryEntry entry;
  entry.note = fields.boolean_or("note", false);
  entry.author.name = fields.string("who", sail::kMaxNameLength);
  entry.author.key = fields.string_or("key", sail::kMaxKeyName, "");
  entry.what = fields.string("what", kLongestWhat);
  entry.at_s = fields.integer_or("at", 0, int64_t{1} << 40, 0);
  if (!entry.note) {
    auto before = read_change(fields.object("before"), where + ": before");
    auto after = read_change(fields.object("after"), where + ": after");
    auto closed = read_windows(fields, "closed");
    auto opened = read_windows(fields, "opened");
    for (const auto* error :
         {before ? nullptr : &before.error(), after ? nullptr : &after.error(),
          closed ? nullptr : &closed.error(), opened ? nullptr : &opened.error()}) {
      if (error != nullptr) return *error;
    }
    entry.before = std::move(*before);
    entry.after = std::move(*after);
    entry.closed = std::move(*closed);
    entry.opened = std::move(*opened);
    entry.stack = read_numbers(fields, "stack");
    if (fields.has("removed")) entry.removed = read_removed(fields.object("removed"));
  }
  if (auto error = fields.finish_open()) return *error;
  return entry;
}

template <typename Visit>
void for_each_number(HistoryEntry& entry, const Visit& visit) {
  for (LayoutChange* change : {&entry.before, &entry.after}) {
    std::map<uint32_t, WindowPlacement> windows;
    for (const auto& [number, placement] : change->windows) windows[visit(number)] = placement;
    change->windows = std::move(windows);
    if (change->order) std::ranges::transform(*change->order, change->order->begin(), visit);
  }
  for (auto* windows : {&entry.closed, &entry.opened}) {
    for (SavedWindow& window : *windows) window.number = visit(window.number);
  }
  std::ranges::transform(entry.stack, entry.stack.begin(), visit);
}

}  // namespace

Json to_json(const History& history) {
  std::vector<Json> newest_first;
  size_t bytes = 0;
  for (auto entry = history.entries().rbegin(); entry != history.entries().rend(); ++entry) {
    Json json = entry_json(*entry);
    bytes += json.dump().size();
    if (bytes > kMostSavedHistoryBytes) break;
    newest_first.push_back(std::move(json));
  }
  const size_t left_out = history.entries().size() - newest_first.size();
  Json entries = Json::array();
  for (auto entry = newest_first.rbegin(); entry != newest_first.rend(); ++entry) {
    entries.push_back(std::move(*entry));
  }
  return {{"entries", std::move(entries)},
          {"done", history.done() - std::min(left_out, history.done())}};
}

sail::Result<SavedHistory> saved_history_from_json(const Json& value) {
  JsonFields fields(value, "history");
  SavedHistory history;
  const Json& entries = fields.array("entries", History::kMostEntries);
  history.done = static_cast<size_t>(fields.integer("done", 0, History::kMostEntries));
  if (auto error = fields.finish_open()) return *error;
  for (size_t i = 0; i < entries.size(); ++i) {
    auto entry = read_entry(entries[i], fmt::format("history: entries[{}]", i));
    if (!entry) return entry.error();
    history.entries.push_back(std::move(*entry));
  }
  history.done = std::min(history.done, history.entries.size());
  return history;
}

void renumber(SavedHistory& history, std::map<uint32_t, uint32_t> numbers,
              const std::function<uint32_t()>& next) {
  const auto new_number = [&](uint32_t number) {
    const auto [known, is_new] = numbers.try_emplace(number, 0);
    if (is_new) known->second = next();
    return known->second;
  };
  for (HistoryEntry& entry : history.entries) for_each_number(entry, new_number);
}

}  // namespace manager
