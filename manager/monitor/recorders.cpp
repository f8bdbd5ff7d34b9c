#include "manager/monitor/recorders.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/desk/sound.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

// The tile's name; it is not shown to people.
constexpr const char* kTileName = "recorder";
// Largest side of pictures, unless the recorder requests another size.
constexpr int kUsualSide = 4096;
constexpr int kMostOfOne = 4;  // Per person, out of sail::kMaxRecorders.

sail::Size usual_size(const sail::Rect& rect) {
  sail::Size size{rect.width, rect.height};
  while (std::max(size.width, size.height) > kUsualSide) {
    size = {(size.width + 1) / 2, (size.height + 1) / 2};
  }
  return size;
}

}  // namespace

sail::Result<sail::Rect> Recorders::place_of(const sail::Record& request) const {
  const sail::Size wall = desk_.wall().size;
  const sail::Rect whole{0, 0, wall.width, wall.height};
  sail::Rect wanted = request.wall_rect.value_or(whole);
  if (request.window) {
    const Window* window = desk_.windows().find(*request.window);
    if (window == nullptr) {
      return sail::fail(sail::ErrorCode::kNotFound,
                        fmt::format("there is no window {}", *request.window));
    }
    wanted = window->wall_rect;
  }
  const sail::Rect seen = sail::intersect(wanted, whole);
  if (!seen.empty()) return seen;
  return sail::fail(
      sail::ErrorCode::kInvalidParams,
      fmt::format("record: {}×{} at {}, {} lies outside the wall of {}×{} pixels", wanted.width,
                  wanted.height, wanted.x, wanted.y, wall.width, wall.height));
}

sail::Result<Recorders::Recorder> Recorders::recorder(sail::ServicePeer& peer,
                                                      const sail::Record& request) const {
  if (recorders_.contains(peer.id())) {
    return sail::fail(sail::ErrorCode::kConflict,
                      "record: this connection already records the wall");
  }
  if (recorders_.size() >= sail::kMaxRecorders) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("{} clients already record the wall, the maximum", recorders_.size()));
  }
  const std::string person = counted_as(peer);
  const auto theirs = std::ranges::count_if(
      recorders_, [&](const auto& other) { return other.second.person == person; });
  if (!person.empty() && theirs >= kMostOfOne) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format(
            "you already record the wall {} times, the maximum for each person: end a recording",
            theirs));
  }
  const auto place = place_of(request);
  if (!place) return place.error();
  std::string name = fmt::format("{} {}", kTileName, peer.id());
  while (peers_.receivers().find(name) != nullptr) name += '+';
  return Recorder{.name = std::move(name),
                  .by = peer.name(),
                  .person = person,
                  .data = peers_.data_address(peer),
                  .tile = {.name = kTileName,
                           .wall_rect = *place,
                           .resolution = request.size.value_or(usual_size(*place))}};
}

void Recorders::record(sail::ServicePeer& peer, const sail::Record& request,
                       const sail::RpcPeer::Reply& reply) {
  auto made = recorder(peer, request);
  if (!made) return reply(made.error());
  const Recorder& one = recorders_[peer.id()] = *std::move(made);
  sail::Json welcome = to_json(sail::ReceiverWelcome{
      .wall = desk_.wall().name, .wall_size = desk_.wall().size, .tiles = {one.tile}});
  welcome.update(to_json(sail::RecordSound{.sound = sound_.has_receivers()}));
  reply(welcome);
  const sail::TileView view{one.tile.wall_rect, one.tile.resolution};
  peers_.add_recorder(one.name, peer.id());
  // A bridge passes on windows only: no pointers and labels.
  if (request.whole) {
    desk_.bridge_joined(one.name, one.data, *request.whole, request.secret);
    return sound_.bridge_joined(one.name, peer.id(), one.data, *request.whole, request.secret);
  }
  overlay_.recorder_joined(one.name, view);
  desk_.recorder_joined(one.name, one.data, view, request.secret);
  sound_.recorder_joined(one.name, peer.id(), one.data, one.tile.wall_rect, request.secret);
}

void Recorders::peer_left(const sail::ServicePeer& peer) {
  const auto left = recorders_.extract(peer.id());
  if (left.empty()) return;
  const std::string& name = left.mapped().name;
  peers_.remove_recorder(name);
  overlay_.recorder_left(name);
  desk_.recorder_left(name);
  sound_.recorder_left(name);
}

sail::Json Recorders::json(const sail::Ends& to) const {
  sail::Json json = sail::Json::array();
  for (const auto& [peer, recorder] : recorders_) {
    json.push_back({{"recorder", peer},
                    {"name", recorder.by},
                    {"host", peers_.host_for(to, recorder.name)},
                    {"rect", sail::rect_json(recorder.tile.wall_rect)},
                    {"size", sail::size_json(recorder.tile.resolution)}});
  }
  return json;
}

}  // namespace manager
