#include "manager/wall/stream_maps.h"

#include <algorithm>
#include <utility>

namespace manager {

void StreamMaps::join(const std::string& name, Destination destination) {
  destination.incarnation = ++incarnations_;
  connected_[name] = std::move(destination);
  router_.forget();  // Routing maps contain only connected receivers, so they must be recomputed.
}

void StreamMaps::leave(const std::string& name) {
  connected_.erase(name);
  router_.forget();
}

void StreamMaps::add_tile(const std::string& recorder, const sail::TileView& view) {
  wall_.receivers.push_back({.name = recorder, .host = {}});
  wall_.tiles.push_back({.name = recorder,
                         .receiver = recorder,
                         .wall_rect = view.wall_rect,
                         .resolution = view.upright});
}

void StreamMaps::remove_tile(const std::string& recorder) {
  std::erase_if(wall_.receivers, [&](const auto& place) { return place.name == recorder; });
  std::erase_if(wall_.tiles, [&](const sail::Tile& tile) { return tile.receiver == recorder; });
}

bool StreamMaps::counts(const std::string& receiver) const {
  const auto known = connected_.find(receiver);
  return known != connected_.end() && known->second.recorder == 0;
}

bool StreamMaps::any_counts() const {
  return std::ranges::any_of(connected_, [this](const auto& one) { return counts(one.first); });
}

std::vector<StreamMaps::New> StreamMaps::update(const std::vector<WindowStream>& streams) {
  std::vector<New> maps;
  std::vector<sail::RoutedWindow> routed;
  std::vector<const WindowStream*> routed_streams;
  routed.reserve(streams.size());
  for (const WindowStream& stream : streams) {
    const Window& window = *stream.window;
    if (stream.wall_rect.empty()) {
      maps.push_back({&stream, connected_map({}, window)});
      continue;
    }
    routed_streams.push_back(&stream);
    // Reduced frames have one size for all receivers.
    const bool keeps_size = window.scaling == sail::Scaling::kFrame && is_bridged(stream);
    routed.push_back({.window = stream.stream,
                      .wall_rect = stream.wall_rect,
                      .frame_size = stream.frame_size,
                      .block_size = window.block_size,
                      .max_reduction = keeps_size ? 0 : window.max_reduction,
                      .scaling = window.scaling,
                      .alpha = window.alpha,
                      .look = window.current_view_transform(),
                      .part = stream.part});
  }
  for (const auto& [index, routing] : router_.update(std::move(routed))) {
    const WindowStream& stream = *routed_streams[index];
    maps.push_back({&stream, connected_map(routing, *stream.window)});
    add_bridges(maps.back().map, stream);
  }
  return maps;
}

bool StreamMaps::Destination::gets_whole(const WindowStream& stream) const {
  if (!whole || stream.part) return false;
  return whole->empty() || std::ranges::find(*whole, stream.window->number) != whole->end();
}

bool StreamMaps::is_bridged(const WindowStream& stream) const {
  return std::ranges::any_of(connected_,
                             [&](const auto& one) { return one.second.gets_whole(stream); });
}

void StreamMaps::add_bridges(Map& map, const WindowStream& stream) const {
  const Window& window = *stream.window;
  const sail::BlockGrid grid =
      sail::reduced_grid(stream.frame_size, window.block_size, 0, window.scaling);
  for (const auto& [name, destination] : connected_) {
    if (!destination.gets_whole(stream)) continue;
    map.shares.push_back({name, destination.incarnation, 0, {{0, 0, grid.columns(), grid.rows()}}});
  }
}

StreamMaps::Map StreamMaps::connected_map(const sail::RoutingMap& routing,
                                          const Window& window) const {
  Map map{.wall_rect = window.wall_rect,
          .look = window.current_view_transform(),
          .frozen = window.cover.frozen,
          .shares = {}};
  for (const sail::ReceiverBlocks& part : routing.receivers) {
    const auto it = connected_.find(part.receiver);
    if (it == connected_.end()) continue;
    map.shares.push_back({part.receiver, it->second.incarnation, part.reduction, part.blocks});
  }
  return map;
}

sail::Routes StreamMaps::routes_of(uint32_t stream, const Map& map, uint64_t epoch) const {
  sail::Routes routes{
      .stream = stream, .epoch = epoch, .wall_rect = map.wall_rect, .routes = {}, .look = map.look};
  for (const Share& share : map.shares) {
    const Destination& to = connected_.at(share.receiver);
    routes.routes.push_back({share.receiver, to.data.host, to.data.port, share.blocks,
                             share.reduction, to.data.certificate, to.recorder,
                             wall_.multicast && to.multicast == Multicast::kYes});
  }
  return routes;
}

}  // namespace manager
