#include "manager/receiver_roster.h"

#include <fmt/core.h>

#include <algorithm>

namespace manager {
namespace {

bool is_this_host(std::string_view host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

}  // namespace

ReceiverRoster::ReceiverRoster(const sail::Wall& wall) {
  entries_.reserve(wall.receivers.size());
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    ReceiverEntry entry;
    entry.name = receiver.name;
    entry.place = receiver.host;
    entry.local = is_this_host(receiver.host);
    entries_.push_back(std::move(entry));
  }
}

ReceiverEntry* ReceiverRoster::find(std::string_view name) {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const ReceiverEntry& entry) { return entry.name == name; });
  return it == entries_.end() ? nullptr : &*it;
}

const ReceiverEntry* ReceiverRoster::find(std::string_view name) const {
  return const_cast<ReceiverRoster*>(this)->find(name);
}

std::string ReceiverRoster::names() const {
  std::string names;
  for (const ReceiverEntry& entry : entries_) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", entry.name);
  }
  return names;
}

sail::ReceiverWelcome receiver_welcome(const sail::Wall& wall, std::string_view receiver) {
  sail::ReceiverWelcome welcome{.wall = wall.name, .wall_size = wall.size, .tiles = {}};
  for (const sail::Tile& tile : wall.tiles) {
    if (tile.receiver != receiver) continue;
    welcome.tiles.push_back({.name = tile.name,
                             .wall_rect = tile.wall_rect,
                             .resolution = tile.resolution,
                             .rotation = tile.rotation,
                             .has_window_at = tile.has_window_at,
                             .window_x = tile.window_x,
                             .window_y = tile.window_y});
  }
  return welcome;
}

}  // namespace manager
