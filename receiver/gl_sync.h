// What GLX drivers offer beyond swapping, for the window that is current; nothing where there is no
// such extension. Only where windows are X11's: elsewhere there need be no GLX.
#pragma once

#include <cstdint>
#include <optional>

namespace receiver {

// When its display last began a picture, steady (GLX_OML_sync_control).
std::optional<int64_t> last_refresh_ns();

// How many groups and barriers a driver has (GLX_NV_swap_group).
struct SwapGroups {
  unsigned groups = 0;
  unsigned barriers = 0;
};
// Whether to join: a barrier needs a sync card, and windows of one thread would wait for each other
// in a group.
bool joins_swap_group(const SwapGroups& offered, size_t windows);
SwapGroups swap_groups_offered();
// The window swaps with all that are bound to the barrier, each time. False: the driver refused.
bool join_swap_group();

}  // namespace receiver
