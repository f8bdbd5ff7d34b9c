#include "manager/state_json.h"

#include <fmt/core.h>

#include "manager/fs_manager.h"
#include "manager/state_parts.h"
#include "manager/take_some.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/limits.h"

namespace manager {
namespace {

sail::Json order_json(const std::vector<Window>& windows) {
  sail::Json order = sail::Json::array();
  for (const Window& window : windows) order.push_back(window.number);
  return order;
}

}  // namespace

sail::Json wall_object(const sail::Wall& wall) {
  sail::Json object = sail::wall_json(wall);
  object["size"] = sail::size_json(wall.size);
  return object;
}

sail::Json window_state(const Window& window) {
  sail::Json object = {{"window", window.number},
                       {"stream", window.stream},
                       {"title", window.title},
                       {"owner", window.owner_name},
                       {"codec", window.codec},
                       {"transport", sail::transport_name(window.transport)},
                       {"frame_size", sail::size_json(window.frame_size)},
                       {"rect", sail::rect_json(window.wall_rect)},
                       {"input", window.takes_input},
                       {"locked", window.locked},
                       {"maximised", window.before_maximised.has_value()},
                       {"by", window.changed_by},
                       {"relaunch", window.content.has_value()}};
  if (!window.partition.empty()) object["partition"] = window.partition;
  if (!window.media.empty()) object["media"] = window.media;
  if (window.playback) object["playback"] = to_json(*window.playback);
  return object;
}

sail::Json window_object(const Window& window) {
  sail::Json object = window_state(window);
  object["fps"] = window.stats ? window.stats->fps_shown : 0.0;
  if (window.stats) {
    object["stats"] = to_json(*window.stats);
    object["stats"].erase("stream");
    object["stats"].erase("links");
    object["health"] = to_json(window.health.diagnosis());
  }
  return object;
}

sail::Json health_json(const FsManager& manager) {
  sail::Json health = to_json(manager.health());
  for (sail::Json& problem : health["problems"]) {
    const Window* window = manager.windows().find(problem.value("window", 0U));
    if (window == nullptr) continue;
    problem["sentence"] = fmt::format("window {} “{}”: {}", window->number, window->title,
                                      window->health.diagnosis().sentence);
  }
  return health;
}

sail::Json links_json(const Window& window) {
  return to_json(*window.stats)["links"];
}

sail::Json receiver_state(const ReceiverEntry& receiver) {
  sail::Json object = {{"name", receiver.name},
                       {"place", receiver.place},
                       {"local", receiver.local},
                       {"connected", receiver.connected()}};
  if (!receiver.connected()) return object;
  object["host"] = receiver.address;
  object["port"] = receiver.data_port;
  return object;
}

sail::Json receiver_object(const ReceiverEntry& receiver) {
  sail::Json object = receiver_state(receiver);
  if (receiver.stats) object["stats"] = to_json(*receiver.stats);
  return object;
}

sail::Json welcome_json(const sail::Wall& wall) {
  return {{"protocol", sail::kControlProtocol}, {"version", VITRAIL_VERSION}, {"wall", wall.name}};
}

sail::Json state_json(FsManager& manager, size_t skip) {
  sail::Json state = {
      {"revision", manager.publish_changes()},   {"epoch", manager.director().epoch()},
      {"settled", manager.director().settled()}, {"identify", manager.director().identify()},
      {"overlay", manager.figures_shown()},      {"wall", wall_object(manager.wall())},
      {"receivers", sail::Json::array()},        {"windows", sail::Json::array()}};
  for (const StatePart part : kStateParts) {
    state[state_part_name(part)] = state_part_json(manager, part);
  }
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    state["receivers"].push_back(receiver_object(receiver));
  }
  const std::vector<Window>& windows = manager.windows().bottom_to_top();
  state["total"] = windows.size();
  for (size_t i = skip; i < windows.size() && i - skip < kMostInOne; ++i) {
    state["windows"].push_back(window_object(windows[i]));
  }
  return state;
}

std::vector<sail::Json> rest_of_state_json(const FsManager& manager) {
  const std::vector<Window>& windows = manager.windows().bottom_to_top();
  std::vector<sail::Json> portions;
  for (size_t begin = kMostInOne; begin < windows.size(); begin += kMostInOne) {
    sail::Json portion = {{"revision", manager.revision()}};
    for (size_t i = begin; i < windows.size() && i - begin < kMostInOne; ++i) {
      portion["windows"].push_back(window_state(windows[i]));
    }
    portions.push_back(std::move(portion));
  }
  if (!portions.empty()) portions.back()["order"] = order_json(windows);
  return portions;
}

sail::Json changed_json(const FsManager& manager, const ChangeSet& set) {
  sail::Json changed = {{"revision", set.revision},
                        {"epoch", manager.director().epoch()},
                        {"identify", manager.director().identify()},
                        {"overlay", manager.figures_shown()}};
  for (const uint32_t number : set.windows) {
    if (const Window* window = manager.windows().find(number)) {
      changed["windows"].push_back(window_state(*window));
    }
  }
  for (const std::string& name : set.receivers) {
    changed["receivers"].push_back(receiver_state(*manager.receivers().find(name)));
  }
  for (const StatePart part : set.parts) {
    changed[state_part_name(part)] = changed_part_json(manager, part);
  }
  if (!set.removed.empty()) changed["removed"] = set.removed;
  if (set.order) changed["order"] = order_json(manager.windows().bottom_to_top());
  return changed;
}

std::string quoted_list(const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 8;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

}  // namespace manager
