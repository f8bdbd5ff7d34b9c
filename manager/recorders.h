// Receivers of a tile that is in no wall file: each records the wall, or a part of it. To streams
// and layouts such a tile is one of the wall's, but that nobody waits for it; to people it is none.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/net/rpc_service.h"
#include "sail/wire/control_messages.h"

namespace manager {

class Desk;
class Peers;
class Sound;
class WallOverlay;

class Recorders {
 public:
  // All outlive this.
  Recorders(Desk& desk, Peers& peers, Sound& sound, WallOverlay& overlay)
      : desk_(desk), peers_(peers), sound_(sound), overlay_(overlay) {}

  // Tells the peer what it sees from now on, and all others that it does. kConflict: it sees
  // something already; kLimit: too many others do; kNotFound: no such window; kInvalidParams: it is
  // nothing of the wall.
  void record(sail::ServicePeer& peer, const sail::Record& wish, const sail::RpcPeer::Reply& reply);
  void peer_left(const sail::ServicePeer& peer);
  // All of them, for people.
  sail::Json told() const;

 private:
  struct Recorder {
    std::string name;    // among the receivers
    std::string by;      // as it calls itself
    std::string person;  // see counted_as()
    sail::Address data;
    sail::TileInfo tile;
  };
  sail::Result<Recorder> recorder(sail::ServicePeer& peer, const sail::Record& wish) const;
  sail::Result<sail::Rect> place_of(const sail::Record& wish) const;

  Desk& desk_;
  Peers& peers_;
  Sound& sound_;
  WallOverlay& overlay_;
  std::map<uint64_t, Recorder> recorders_;  // by peer
};

}  // namespace manager
