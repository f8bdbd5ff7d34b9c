#include "manager/state_json.h"

#include <fmt/core.h>

#include "manager/fs_manager.h"
#include "manager/state_parts.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/limits.h"

namespace manager {

sail::Json wall_object(const sail::Wall& wall) {
  sail::Json object = sail::wall_json(wall);
  object["size"] = sail::size_json(wall.size);
  return object;
}

sail::Json window_object(const Window& window) {
  sail::Json object = {{"window", window.number},
                       {"title", window.title},
                       {"owner", window.owner_name},
                       {"codec", window.codec},
                       {"transport", sail::transport_name(window.transport)},
                       {"frame_size", sail::size_json(window.frame_size)},
                       {"rect", sail::rect_json(window.wall_rect)},
                       {"locked", window.locked},
                       {"maximised", window.before_maximised.has_value()},
                       {"by", window.changed_by},
                       {"relaunch", window.content.has_value()},
                       {"fps", window.stats ? window.stats->fps_shown : 0.0}};
  if (!window.partition.empty()) object["partition"] = window.partition;
  if (window.stats) {
    object["stats"] = to_json(*window.stats);
    object["stats"].erase("stream");
    object["stats"].erase("links");
  }
  return object;
}

sail::Json links_json(const Window& window) {
  return to_json(*window.stats)["links"];
}

sail::Json receiver_object(const ReceiverEntry& receiver) {
  sail::Json object = {{"name", receiver.name},
                       {"place", receiver.place},
                       {"local", receiver.local},
                       {"connected", receiver.connected()}};
  if (!receiver.connected()) return object;
  object["host"] = receiver.address;
  object["port"] = receiver.data_port;
  if (receiver.stats) object["stats"] = to_json(*receiver.stats);
  return object;
}

sail::Json welcome_json(const sail::Wall& wall) {
  return {{"protocol", sail::kControlProtocol}, {"version", VITRAIL_VERSION}, {"wall", wall.name}};
}

sail::Json state_json(FsManager& manager) {
  sail::Json state = {
      {"revision", manager.publish_changes()},   {"epoch", manager.director().epoch()},
      {"settled", manager.director().settled()}, {"identify", manager.director().identify()},
      {"wall", wall_object(manager.wall())},     {"receivers", sail::Json::array()},
      {"windows", sail::Json::array()}};
  for (const StatePart part : kStateParts) {
    state[state_part_name(part)] = state_part_json(manager, part);
  }
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    state["receivers"].push_back(receiver_object(receiver));
  }
  for (const Window& window : manager.windows().bottom_to_top()) {
    state["windows"].push_back(window_object(window));
  }
  return state;
}

sail::Json changed_json(const FsManager& manager, const ChangeSet& set) {
  sail::Json changed = {{"revision", set.revision},
                        {"epoch", manager.director().epoch()},
                        {"identify", manager.director().identify()}};
  for (const uint32_t number : set.windows) {
    if (const Window* window = manager.windows().find(number)) {
      changed["windows"].push_back(window_object(*window));
    }
  }
  for (const std::string& name : set.receivers) {
    changed["receivers"].push_back(receiver_object(*manager.receivers().find(name)));
  }
  for (const StatePart part : set.parts) {
    changed[state_part_name(part)] = state_part_json(manager, part);
  }
  if (!set.removed.empty()) changed["removed"] = set.removed;
  if (set.order) {
    changed["order"] = sail::Json::array();
    for (const Window& window : manager.windows().bottom_to_top()) {
      changed["order"].push_back(window.number);
    }
  }
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
