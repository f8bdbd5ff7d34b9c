// The state as clients are told of it (COMMANDS.md, "Objects"): the whole, its parts, and what
// changes of it, counted by revisions. Thread: the loop's.
#pragma once

#include <cstddef>

#include "manager/change_feed.h"
#include "sail/net/loop.h"
#include "sail/net/reach.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/json.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Peers;
class Players;
class Recorders;
class SavedWalls;
class WallHealth;
class WallOverlay;
struct Wants;

class StateFeed {
 public:
  // Where the state is.
  struct Sources {
    Desk& desk;
    Peers& peers;
    const Players& players;
    const WallHealth& health;
    const WallOverlay& overlay;
    const Recorders& recorders;
    const SavedWalls& layouts;
    const SavedWalls& sessions;
  };
  // All outlive this.
  StateFeed(sail::Loop& loop, ChangeFeed& changes, const Sources& sources);

  // There is news: changes of one turn of the loop are told together.
  void publish_soon();
  // With kMostInOne windows at most: from the number `skip` on, bottom to top. Those who follow the
  // state are told first of what it has that they do not know. `to` is who reads it.
  sail::Json state(size_t skip, const sail::Ends& to);
  sail::Json part(StatePart part, const sail::Ends& to = {}) const;
  // Answers with the state, and tells the client of all changes from now on.
  void subscribe(sail::ServicePeer& ui, const Wants& wants, const sail::RpcPeer::Reply& reply);

 private:
  void publish();
  // The parameters of "changed".
  sail::Json changed(const ChangeSet& set, const sail::Ends& to) const;
  // A part of the state whole; for the history only what is new to clients.
  sail::Json changed_part(StatePart part, const sail::Ends& to) const;
  // The windows that state(0) has left out.
  std::vector<sail::Json> rest() const;

  ChangeFeed& changes_;
  const Sources from_;
  sail::Timer soon_;
};

}  // namespace manager
