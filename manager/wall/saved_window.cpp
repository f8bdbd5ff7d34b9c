#include "manager/wall/saved_window.h"

namespace manager {
SavedWindow saved_window(const Window& window, int64_t now_ns) {
  SavedWindow saved{.number = window.number,
                    .title = window.title,
                    .owner = window.owner_name,
                    .frame_size = window.frame_size,
                    .placement = window.placement(),
                    .content = window.content,
                    .group = window.group};
  if (window.playback) {
    saved.playback = window.playback;
    saved.playback->position_s =
        window.playback->live ? 0 : sail::position_at(*window.playback, now_ns);
    saved.playback->at_ns = now_ns;
  }
  return saved;
}

}  // namespace manager
