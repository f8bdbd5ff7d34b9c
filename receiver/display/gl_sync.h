// GLX extensions for synchronization, for the current window. All functions report "not available"
// if an extension is missing. Use only with X11 windows; elsewhere GLX may be absent.
#pragma once

#include <cstdint>
#include <optional>

namespace receiver {

// Returns the steady time of the display's last refresh (GLX_OML_sync_control).
std::optional<int64_t> last_refresh_ns();

// Number of groups and barriers of the driver (GLX_NV_swap_group).
struct SwapGroups {
  unsigned groups = 0;
  unsigned barriers = 0;
};
// Returns true if the window should join: a barrier needs a sync card, and several windows of one
// thread would block each other in a group.
bool joins_swap_group(const SwapGroups& offered, size_t windows);
SwapGroups swap_groups_offered();
// Binds the window to the barrier; it then swaps together with all windows bound to it. Returns
// false if the driver refuses.
bool join_swap_group();

}  // namespace receiver
