#include "receiver/display/console_card.h"

#include <SDL.h>
#include <SDL_syswm.h>
#include <fcntl.h>
#include <xf86drm.h>

namespace receiver {

sail::Descriptor console_card(SDL_Window* window) {
#ifdef SDL_VIDEO_DRIVER_KMSDRM
  SDL_SysWMinfo info{};
  SDL_VERSION(&info.version);
  if (SDL_GetWindowWMInfo(window, &info) == SDL_TRUE && info.subsystem == SDL_SYSWM_KMSDRM) {
    return sail::Descriptor(fcntl(info.info.kmsdrm.drm_fd, F_DUPFD_CLOEXEC, 0));
  }
#endif
  return sail::Descriptor(-1);
}

void leave_console_card(const sail::Descriptor& card) {
  if (card.get() >= 0) drmDropMaster(card.get());
}

}  // namespace receiver
