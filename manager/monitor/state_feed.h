// The state for clients (COMMANDS.md, "Objects"): as a whole, in parts, and as changes that are
// counted by revisions. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "manager/monitor/drawing_feed.h"
#include "manager/monitor/shared_state.h"
#include "manager/peers/change_feed.h"
#include "sail/core/address/address.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/text/json.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class EventScenes;
class Peers;
class Players;
class Playlists;
class Recorders;
class SavedWalls;
class SceneSwitch;
class WallHealth;
class WallOverlay;
struct Wants;

class StateFeed {
 public:
  // The components that hold the state.
  struct Sources {
    Desk& desk;
    Peers& peers;
    const Players& players;
    const WallHealth& health;
    const WallOverlay& overlay;
    const Recorders& recorders;
    const SavedWalls& layouts;
    const SavedWalls& sessions;
    const Playlists& playlists;
    const SceneSwitch& scene;
    const EventScenes& events;
  };
  // All must outlive this object.
  StateFeed(sail::Loop& loop, ChangeFeed& changes, const Sources& sources);

  // Call after changes. All changes of one loop iteration are published together.
  void publish_soon();
  // Returns the state with at most kMaxInBatch windows, bottom to top, from index `skip` on. First
  // publishes pending changes to the clients that follow the state. to: the connection of the
  // reader.
  sail::Json state(size_t skip, const sail::Ends& to);
  sail::Json part(StatePart part, const sail::Ends& to = {}) const;
  // Replies with the state, and sends the client all changes from now on. Statistics in the reply
  // may be SharedState::kStatisticsNs old.
  void subscribe(sail::ServicePeer& ui, const Wants& wants, const sail::RpcPeer::Reply& reply);

 private:
  void publish();
  void publish_drawings();
  // Returns the state without clients, receivers, wall and windows.
  sail::Json small_parts(const sail::Ends& to) const;
  sail::Json receivers(const sail::Ends& to) const;
  // Returns at most kMaxInBatch windows, bottom to top, from index `skip` on.
  sail::Json windows(size_t skip) const;
  // Return the two parts of the JSON text of the state for a new client.
  std::string own_text(const sail::Ends& to) const;
  SharedState::Text shared_text(const sail::Ends& to) const;
  // Returns what people switch on and off for the whole wall.
  sail::Json switches() const;
  // Returns the switches that changed since the last call.
  sail::Json changed_switches();
  // Returns the parameters of "changed", without those of changed_switches().
  sail::Json changed(const ChangeSet& set, const sail::Ends& to) const;
  // Returns a part as a whole; of the history only entries that clients do not have.
  sail::Json changed_part(StatePart part, const sail::Ends& to) const;
  // Returns the windows that state(0) leaves out, as parameters of "changed".
  std::vector<sail::Json> rest() const;

  ChangeFeed& changes_;
  const Sources from_;
  DrawingFeed drawings_;
  SharedState shared_;
  uint64_t objects_revision_ = 0;  // Revision at which windows or receivers changed last.
  const std::string wall_text_;
  sail::Json switches_ = sail::Json::object();  // As of the last changed_switches().
  sail::Timer soon_;
};

}  // namespace manager
