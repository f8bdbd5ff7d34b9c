// Carries out the manager's layout changes for one stream: which routing map the frames follow, and
// from when on. RouteHistory has the state; this class informs the other parts. Loop thread.
//
// The newest frame may lack blocks that a new layout shows, because they were not visible when it
// was encoded. Then frames follow the previous map until one arrives that was encoded for the new
// map. The first complete frame of each map is reported to the manager, which answers with the time
// at which the layout takes effect.
//
// When pictures get smaller or larger because of a link's capacity, the routing map is planned
// again under its epoch, for frames submitted from then on.
#pragma once

#include <functional>
#include <optional>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/sender/frame_feed.h"
#include "sail/client/sender/route_history.h"
#include "sail/client/sender/stream_links.h"
#include "sail/client/sender/stream_swaps.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/wire/application_messages.h"

namespace sail {

class StreamRoutes {
 public:
  // The objects that the routes act on; they must outlive this object.
  struct Parts {
    RouteHistory& history;
    StreamLinks& links;
    StreamSwaps& swaps;
    FrameLedger& ledger;
    const FrameFeed& feed;
    SubmitQueue& submit_queue;
    const FrameShape& shape;
  };
  struct Handlers {
    // Frames follow another map: send the frames that are due according to this map.
    std::function<void()> on_followed;
    // The window was moved or resized after its first position was known.
    std::function<void(const Rect& wall_rect)> on_window;
    // The newest frame lacks blocks of the current map. The application should submit it again.
    std::function<void()> on_refresh;
  };
  StreamRoutes(const Parts& parts, Handlers handlers);

  // Sets a new routing map. Returns an error and changes nothing if the map is invalid.
  Result<void> set(const Routes& routes);
  // The map with that epoch takes effect.
  void take_effect(const TakeEffect& taken);
  // Abandons a pending change because the manager was lost. Only if a map is in effect.
  void roll_back();
  // Adopts the abandoned routes: they have taken effect at other peers after all.
  void restore_rolled_back();
  // Returns what the next manager needs to continue the stream, except the window number; empty if
  // no map is in effect. From then on that manager decides about pending changes.
  std::optional<Resume> resume();

  // The application has submitted this frame: follows the next map if the frame is for it.
  void add(const EncodedFrame& frame);
  // Plans the map again because sizes of pictures have changed.
  void plan_again();
  // Asks the application for a frame with blocks that the newest one lacks.
  void request_frame();

 private:
  // Returns the plan of the routes for the current state of the links.
  Result<RoutePlan> plan_of(const Routes& routes) const;
  void update_submit_queue(const RoutePlan& placed, const RoutePlan& shown);
  // Frames follow the map of the history from now on.
  void follow_map();
  // Follows the next map: its first frame has arrived, or it need not be awaited any longer.
  void take_next_map();

  const Parts parts_;
  const Handlers handlers_;
};

}  // namespace sail
