#include "receiver/display/wayland_seat.h"

#include <wayland-client.h>

#include <memory>
#include <string_view>

#include "sail/core/base/c_library.h"

namespace receiver {

bool wayland_has_seat() {
  const std::unique_ptr<wl_display, sail::FreedBy<wl_display_disconnect>> display(
      wl_display_connect(nullptr));
  if (!display) return true;
  const std::unique_ptr<wl_registry, sail::FreedBy<wl_registry_destroy>> registry(
      wl_display_get_registry(display.get()));
  if (!registry) return true;
  bool has_seat = false;
  static const wl_registry_listener kListener{
      .global =
          [](void* found, wl_registry* /*registry*/, uint32_t /*name*/, const char* interface,
             uint32_t /*version*/) {
            if (interface == std::string_view("wl_seat")) *static_cast<bool*>(found) = true;
          },
      .global_remove = [](void*, wl_registry*, uint32_t) {}};
  wl_registry_add_listener(registry.get(), &kListener, &has_seat);
  return wl_display_roundtrip(display.get()) < 0 || has_seat;
}

}  // namespace receiver
