#include "manager/peers/state_json.h"

#include <fmt/core.h>

#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"

namespace manager {

sail::Json wall_object(const sail::Wall& wall) {
  sail::Json object = sail::wall_json(wall);
  object.erase("webhooks");  // URLs of webhooks may contain secrets
  object["size"] = sail::size_json(wall.size);
  return object;
}

namespace {

sail::Json parts_json(const Window& window) {
  sail::Json parts = sail::Json::array();
  for (const WindowPart& part : window.parts) {
    sail::Json object = {{"stream", part.stream},
                         {"owner", part.owner_name},
                         {"region", sail::rect_json(part.region)},
                         {"state", part.owner == 0 ? "gone"
                                   : part.silent   ? "silent"
                                                   : "there"}};
    if (part.absent()) object["since_s"] = part.since_s;
    parts.push_back(std::move(object));
  }
  return parts;
}

}  // namespace

sail::Json to_json(const WindowSound& sound) {
  return {{"volume", sound.volume}, {"muted", sound.muted}};
}

void add_blanks(sail::Json& state, const WallSwitches& switches) {
  state["blank"] = switches.blank;
  state["blank_text"] = switches.blank_text;
  sail::Json& areas = state["blank_areas"] = sail::Json::array();
  for (const BlankArea& area : switches.blank_areas) {
    areas.push_back({{"rect", sail::rect_json(area.wall_rect)}, {"text", area.text}});
  }
}

void add_label(sail::Json& window, const WindowLabel& label) {
  if (label.text.empty()) return;
  window["label"] = {{"text", label.text}, {"place", kLabelPlaces.word(label.top)}};
}

void add_cover(sail::Json& window, const WindowCover& cover) {
  if (cover.blank) window["blank"] = {{"text", *cover.blank}};
  if (cover.frozen) window["frozen"] = {{"mute", cover.mute}};
}

sail::Json window_state(const Window& window) {
  // Made for each change of a window: an initializer list would first make a list of each field.
  sail::Json object;
  object["window"] = window.number;
  object["stream"] = window.stream;
  object["title"] = window.title;
  object["owner"] = window.owner_name;
  object["codec"] = window.codec;
  object["transport"] = sail::transport_name(window.transport);
  object["frame_size"] = sail::size_json(window.frame_size);
  object["rect"] = sail::rect_json(window.wall_rect);
  object["input"] = window.takes_input;
  object["locked"] = window.locked;
  object["maximised"] = window.before_maximised.has_value();
  object["by"] = window.changed_by;
  object["relaunch"] = window.content.has_value();
  if (window.place != window.before_maximised.value_or(window.wall_rect)) {
    object["place"] = sail::rect_json(window.place);
  }
  if (!window.codec_reason.empty()) object["codec_reason"] = window.codec_reason;
  if (window.look != sail::ViewTransform()) {
    object["look"] = to_json(window.look);
    object["shown_size"] = sail::size_json(window.shown_size());
  }
  if (window.sound.volume != 1) object["volume"] = window.sound.volume;
  if (window.sound.muted) object["muted"] = true;
  add_label(object, window.label);
  if (!window.drawing.empty()) object["strokes"] = window.drawing.strokes().size();
  if (window.hidden) object["hidden"] = true;
  if (window.decorates()) object["decoration"] = sail::to_json(*window.content->decoration);
  add_cover(object, window.cover);
  if (!window.opener.empty()) object["opener"] = window.opener;
  if (window.holder) {
    object["held"] = {{"client", window.holder->client}, {"name", window.holder->name}};
  }
  if (window.driver) {
    object["driver"] = {{"client", window.driver->client},
                        {"name", window.driver->person.name},
                        {"since_s", window.driver->since_s}};
    if (window.driver->asked) object["driver"]["alone"] = true;
  }
  if (!window.partition.empty()) object["partition"] = window.partition;
  if (!window.group.empty()) object["group"] = window.group;
  if (!window.parts.empty()) {
    object["parts"] = parts_json(window);
    object["absent"] = sail::kAbsentParts.word(window.absent);
    if (const std::string away = window.absent_sentence(); !away.empty()) object["away"] = away;
  }
  if (!window.media.empty()) object["media"] = window.media;
  if (window.playback) object["playback"] = to_json(*window.playback);
  if (window.content && !window.content->on.empty()) object["on"] = window.content->on;
  if (window.lost) {
    object["lost"] = {{"why", window.lost->sentence()}, {"since_s", window.lost->since_s}};
  }
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
  for (size_t rank = 0; rank < window.parts.size(); ++rank) {
    const auto& stats = window.parts[rank].stats;
    if (!stats) continue;
    sail::Json& part = object["parts"][rank];
    part["stats"] = to_json(*stats);
    part["stats"].erase("stream");
    part["stats"].erase("links");
  }
  return object;
}

namespace {

sail::Json run_json(const ReceiverRun& run) {
  sail::Json object = {{"runs", run.runs}, {"starts", run.starts}};
  if (!run.why.empty()) object["why"] = run.why;
  return object;
}

}  // namespace

namespace {

sail::Json power_json(const std::map<std::string, RecordedPower>& displays) {
  sail::Json list = sail::Json::array();
  for (const auto& [tile, power] : displays) {
    list.push_back(to_json(sail::TilePower{tile, power.state, power.why}));
    if (power.wanted) list.back()["wanted"] = sail::kPowerOrders.word(*power.wanted);
    if (power.disobeyed) list.back()["disobeyed"] = true;
    if (power.idle) list.back()["idle"] = true;
  }
  return list;
}

}  // namespace

sail::Json links_json(const Window& window) {
  return to_json(*window.stats)["links"];
}

sail::Json receiver_state(const ReceiverEntry& receiver, const sail::Ends& to) {
  sail::Json object = {{"name", receiver.name},
                       {"place", receiver.place},
                       {"local", receiver.local},
                       {"connected", receiver.connected()}};
  if (receiver.run) object["run"] = run_json(*receiver.run);
  if (!receiver.power.empty()) object["power"] = power_json(receiver.power);
  if (!receiver.connected()) return object;
  object["host"] = sail::host_for(to, receiver.listener());
  object["port"] = receiver.data_port;
  return object;
}

sail::Json receiver_object(const ReceiverEntry& receiver, const sail::Ends& to) {
  sail::Json object = receiver_state(receiver, to);
  if (receiver.stats) object["stats"] = to_json(*receiver.stats);
  return object;
}

sail::Json client_json(uint64_t id, const Client& client) {
  sail::Json object = {{"client", id},
                       {"name", client.name},
                       {"colour", client.colour},
                       {"right", sail::right_name(client.right)}};
  if (!client.key.empty()) object["key"] = client.key;
  if (!client.person.empty()) object["user"] = client.person;
  return object;
}

sail::Json standby_json(const Peers& peers, const sail::Ends& to) {
  const auto& place = peers.wall().standby;
  if (!place && peers.standby().empty()) return nullptr;
  sail::Json object = {{"place", place ? place->host : ""},
                       {"connected", !peers.standby().empty()}};
  const sail::StandbyNews reached = peers.standby_for(to);
  if (!reached.address.empty()) object["address"] = reached.address;
  if (!reached.page.empty()) object["page"] = reached.page;
  if (peers.standby_run()) object["run"] = run_json(*peers.standby_run());
  return object;
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
