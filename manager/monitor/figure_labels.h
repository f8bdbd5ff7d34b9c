// Statistics labels on the wall: for a window at the top left of its visible part, for a receiver
// at the bottom left of its first tile. Pure; times are steady ns.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manager/peers/receiver_roster.h"
#include "manager/wall/window_stack.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/overlay.h"

namespace manager {

// Returns labels for windows whose program is lost, whose source is silent, or that do not reach
// one of their receivers. Each label gives the reason.
std::vector<sail::OverlayLabel> trouble_labels(const sail::Wall& wall, const WindowStack& windows);

class FigureLabels {
 public:
  // Returns at most kMaxLabels labels. Call about once a second: rates are computed between calls.
  std::vector<sail::OverlayLabel> make(const sail::Wall& wall, const WindowStack& windows,
                                       const ReceiverRoster& receivers, int64_t now_ns);

 private:
  struct Count {
    uint64_t frames_shown = 0;
    int64_t at_ns = 0;
    double fps = 0;
  };
  double fps_of(const ReceiverEntry& receiver, int64_t now_ns);

  std::map<std::string, Count> counts_;  // By receiver name.
};

}  // namespace manager
