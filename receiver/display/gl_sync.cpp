#include "receiver/display/gl_sync.h"

#include <epoxy/gl.h>
#include <epoxy/glx.h>

#include <cstdlib>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr GLuint kGroup = 1;
constexpr GLuint kBarrier = 1;
constexpr int64_t kPlausibleNs = 1'000'000'000;

// Returns null if the current context is not a GLX context or lacks the extension.
Display* display_with(const char* extension) {
  Display* display = glXGetCurrentDisplay();
  const bool there =
      display != nullptr && epoxy_has_glx_extension(display, DefaultScreen(display), extension);
  return there ? display : nullptr;
}

}  // namespace

std::optional<int64_t> last_refresh_ns() {
  Display* display = display_with("GLX_OML_sync_control");
  if (display == nullptr) return std::nullopt;
  int64_t time_us = 0;
  int64_t refreshes = 0;
  int64_t swaps = 0;
  if (!glXGetSyncValuesOML(display, glXGetCurrentDrawable(), &time_us, &refreshes, &swaps)) {
    return std::nullopt;
  }
  // Some drivers use another clock, or report no time.
  const int64_t at_ns = time_us * 1000;
  if (std::abs(sail::steady_now_ns() - at_ns) > kPlausibleNs) return std::nullopt;
  return at_ns;
}

bool joins_swap_group(const SwapGroups& offered, size_t windows) {
  return offered.groups >= kGroup && offered.barriers >= kBarrier && windows == 1;
}

SwapGroups swap_groups_offered() {
  SwapGroups offered;
  Display* display = display_with("GLX_NV_swap_group");
  if (display == nullptr) return offered;
  glXQueryMaxSwapGroupsNV(display, DefaultScreen(display), &offered.groups, &offered.barriers);
  return offered;
}

bool join_swap_group() {
  Display* display = display_with("GLX_NV_swap_group");
  return display != nullptr &&
         glXJoinSwapGroupNV(display, glXGetCurrentDrawable(), kGroup) == True &&
         glXBindSwapBarrierNV(display, kGroup, kBarrier) == True;
}

}  // namespace receiver
