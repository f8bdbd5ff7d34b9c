#include "manager/peers/receiver_roster.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/wire/data/codec_name.h"

namespace manager {

std::string disobeyed_text(const std::string& tile, const RecordedPower& power) {
  const bool on = power.wanted == sail::PowerOrder::kOn;
  return fmt::format("display '{}' did not turn {}: {}", tile, on ? "on" : "off",
                     power.why.empty()
                         ? fmt::format("it is {}", sail::kPowerStates.word(power.state))
                         : power.why);
}

ReceiverRoster::ReceiverRoster(const sail::Wall& wall) {
  entries_.reserve(wall.receivers.size());
  for (const sail::ReceiverPlace& receiver : wall.receivers) {
    ReceiverEntry entry;
    entry.name = receiver.name;
    entry.place = receiver.host;
    entry.local = is_this_host(receiver.host);
    entry.announce = receiver.announce;
    places_.emplace(entry.name, entries_.size());
    entries_.push_back(std::move(entry));
  }
}

ReceiverEntry* ReceiverRoster::find(std::string_view name) {
  const auto place = places_.find(name);
  return place == places_.end() ? nullptr : &entries_[place->second];
}

const ReceiverEntry* ReceiverRoster::find(std::string_view name) const {
  return const_cast<ReceiverRoster*>(this)->find(name);
}

std::vector<std::string> ReceiverRoster::common_codecs() const {
  std::vector<std::string> common = sail::all_codec_names();
  std::erase_if(common, [this](const std::string& codec) { return !without_codec(codec).empty(); });
  return common;
}

std::vector<std::string> ReceiverRoster::without_codec(std::string_view codec) const {
  std::vector<std::string> names;
  for (const ReceiverEntry& entry : entries_) {
    if (entry.connected() && std::ranges::find(entry.codecs, codec) == entry.codecs.end()) {
      names.push_back(entry.name);
    }
  }
  return names;
}

std::string ReceiverRoster::common_codec(const std::vector<std::string>& offered) const {
  const std::vector<std::string> common = common_codecs();
  const auto first =
      std::find_first_of(offered.begin(), offered.end(), common.begin(), common.end());
  return first == offered.end() ? std::string() : *first;
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
                             .window_at = {},
                             .output = tile.output,
                             .correction = tile.correction});
    if (tile.has_window_at) welcome.tiles.back().window_at = {tile.window_x, tile.window_y};
  }
  return welcome;
}

}  // namespace manager
