// What people of the far wall see and do with windows of the near wall: the playback of the near
// wall's windows, and the pauses, seeks and input of the far wall's people, which the near wall
// carries out if the bridge's key has that right. A client of the near wall's manager. Runs on the
// loop's thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/time/wall_clock.h"
#include "ui/bridge/far_wall.h"
#include "ui/bridge/wish.h"

namespace ui {

struct NearWall;

// Whether a key with this answer to its hello may control windows at all.
bool may_control(const sail::Json& welcome);

class NearControls {
 public:
  // Where the playback of windows is passed on.
  struct Windows {
    FarWall& far;
    const sail::WallClock& clock;  // the near wall's
  };
  // windows: empty: nothing, only requests. All must outlive this object.
  NearControls(sail::Loop& loop, const NearWall& near, const std::string& far_at,
               std::optional<Windows> windows, const sail::Log& log);

  // Sends a wish of the far wall's people to the near wall. A refusal is logged once for each
  // reason.
  void send(const Wish& wish);

 private:
  void on_connected(const sail::Json& welcome);
  void take(const sail::Json& windows);
  void forget(uint32_t window);
  void pass_on();
  void refused(const Wish& wish, const std::string& why);

  const std::optional<Windows> windows_;
  const sail::Log& log_;
  bool may_control_ = false;
  bool subscribed_ = false;
  int unanswered_ = 0;
  std::map<uint32_t, NearWindow> waiting_;    // windows to pass on, in the near wall's time
  sail::Timer clock_timer_;                   // runs until the near wall's time is known
  std::map<uint32_t, std::string> refusals_;  // the last one of each window
  sail::ManagerLink link_;
};

}  // namespace ui
