// Checks requests of UI clients against the rights on objects (manager/rights), before the verb
// runs: a table says for each verb which partitions, scenes and sources it is about.
#pragma once

#include <string_view>

#include "manager/commands/touched_objects.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class EventScenes;
class Players;
class Playlists;
class Scheduler;
class Tours;

class ObjectGate {
 public:
  // All must outlive this object.
  ObjectGate(const TouchedObjects::Parts& parts, const Players& players, const Tours& tours,
             const Playlists& playlists, const EventScenes& events, const Scheduler& scheduler)
      : parts_(parts),
        players_(players),
        tours_(tours),
        playlists_(playlists),
        events_(events),
        scheduler_(scheduler) {}

  // kUnauthorized, kConflict: see ObjectRights::check(). The verb refuses parameters that are
  // invalid.
  sail::Result<void> admit(const sail::ServicePeer& peer, std::string_view verb,
                           const sail::Json& params) const;
  // Whether the table has the verb. Others are about no object.
  static bool knows(std::string_view verb);

 private:
  const TouchedObjects::Parts parts_;
  const Players& players_;
  const Tours& tours_;
  const Playlists& playlists_;
  const EventScenes& events_;
  const Scheduler& scheduler_;
};

// The peer, as rules know it.
Asker asker_of(const sail::ServicePeer& peer);

}  // namespace manager
