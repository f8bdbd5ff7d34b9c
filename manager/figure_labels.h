// Labels on the wall itself: the figures of each window at the top left of what is seen of it, and
// those of each receiver at the bottom left of its first tile. Pure; times in wall ns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wall/wall.h"
#include "sail/wire/overlay.h"

namespace manager {

// Of windows whose program is lost, whose source is silent or that do not reach one of their
// receivers, with why and since when.
std::vector<sail::OverlayLabel> trouble_labels(const sail::Wall& wall, const WindowStack& windows);

class FigureLabels {
 public:
  // At most kMaxLabels. To be called every second or so: rates are counted from call to call.
  std::vector<sail::OverlayLabel> make(const sail::Wall& wall, const WindowStack& windows,
                                       const ReceiverRoster& receivers, int64_t now_ns);

 private:
  struct Count {
    uint64_t frames_shown = 0;
    int64_t at_ns = 0;
    double fps = 0;
  };
  double fps_of(const ReceiverEntry& receiver, int64_t now_ns);

  std::map<std::string, Count> counts_;  // of receivers
};

}  // namespace manager
