// Recorders: receivers of a tile outside the wall file, which record the wall or a part of it.
// Streams and layouts treat the tile like one of the wall's, but do not wait for it. People do not
// see it. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sail/core/address/address.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/wire/receiver_messages.h"

namespace manager {

class Desk;
class Peers;
class Sound;
class WallOverlay;

class Recorders {
 public:
  // All must outlive this object.
  Recorders(Desk& desk, Peers& peers, Sound& sound, WallOverlay& overlay)
      : desk_(desk), peers_(peers), sound_(sound), overlay_(overlay) {}

  // Answers the peer with its tile, and adds the recorder for everyone else. kConflict: the peer
  // records already. kLimit: too many recorders. kNotFound: no such window. kInvalidParams: the
  // area is outside the wall.
  void record(sail::ServicePeer& peer, const sail::Record& request,
              const sail::RpcPeer::Reply& reply);
  void peer_left(const sail::ServicePeer& peer);
  // Returns all recorders, for the state.
  sail::Json json(const sail::Ends& to) const;

 private:
  struct Recorder {
    std::string name;    // Name among the receivers.
    std::string by;      // Name that the peer gave.
    std::string person;  // See counted_as().
    sail::Address data;
    sail::TileInfo tile;
  };
  sail::Result<Recorder> recorder(sail::ServicePeer& peer, const sail::Record& request) const;
  sail::Result<sail::Rect> place_of(const sail::Record& request) const;

  Desk& desk_;
  Peers& peers_;
  Sound& sound_;
  WallOverlay& overlay_;
  std::map<uint64_t, Recorder> recorders_;  // By peer id.
};

}  // namespace manager
