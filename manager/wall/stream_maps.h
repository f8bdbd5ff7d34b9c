// Which receivers get which blocks of each stream: those that their tiles show. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/window_stack.h"
#include "sail/core/address/address.h"
#include "sail/core/routing/router.h"
#include "sail/core/wall/visibility.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/application_messages.h"

namespace manager {

// Whether a receiver can be in multicast groups.
enum class Multicast : bool { kNo, kYes };

class StreamMaps {
 public:
  // A connected receiver or recorder.
  struct Destination {
    sail::Address data;
    uint64_t recorder = 0;  // Secret of a recorder; 0: not a recorder.
    Multicast multicast = Multicast::kNo;
    // Set for a bridge: the windows whose whole frames it gets; empty: all windows.
    std::optional<std::vector<uint32_t>> whole{};
    uint64_t incarnation = 0;  // Distinguishes sessions of a receiver; set by join().

    // A bridge gets no parts: one sender has only a region of the frames.
    bool gets_whole(const WindowStream& stream) const;
  };
  // One receiver's share of a stream. Compared to detect changes of the routing map.
  struct Share {
    std::string receiver;
    uint64_t incarnation = 0;
    int reduction = 0;
    std::vector<sail::BlockRect> blocks;
    bool operator==(const Share&) const = default;
  };
  struct Map {
    sail::Rect wall_rect;
    sail::ViewTransform look;
    // A window is frozen and shown again by a new map, so that all tiles change with one frame.
    bool frozen = false;
    std::vector<Share> shares;
    bool operator==(const Map&) const = default;
  };
  // A stream and its routing map.
  struct New {
    const WindowStream* stream = nullptr;
    Map map;
  };

  explicit StreamMaps(const sail::Wall& wall) : wall_(wall), router_(wall_) {}

  void join(const std::string& name, Destination destination);
  void leave(const std::string& name);
  // A recorder sees `view` in addition to the wall's tiles.
  void add_tile(const std::string& recorder, const sail::TileView& view);
  void remove_tile(const std::string& recorder);
  // Whether anybody has ever joined.
  bool any_joined() const { return incarnations_ > 0; }
  // Whether the receiver is connected and layouts wait for it.
  bool counts(const std::string& receiver) const;
  // Whether any receiver counts().
  bool any_counts() const;

  // Returns the maps of the streams, but leaves out some that have not changed since the last call.
  // The results refer to `streams`.
  std::vector<New> update(const std::vector<WindowStream>& streams);
  // The next update() returns the maps of all streams.
  void forget() { router_.forget(); }
  // Returns the map for the stream's application.
  sail::Routes routes_of(uint32_t stream, const Map& map, uint64_t epoch) const;

 private:
  Map connected_map(const sail::RoutingMap& routing, const Window& window) const;
  // Whether any bridge gets the whole frames of this stream.
  bool is_bridged(const WindowStream& stream) const;
  void add_bridges(Map& map, const WindowStream& stream) const;

  sail::Wall wall_;  // Includes the recorders' tiles.
  sail::Router router_;
  std::map<std::string, Destination> connected_;
  uint64_t incarnations_ = 0;
};

}  // namespace manager
