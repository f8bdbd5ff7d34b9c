#include "manager/wall/saved_window.h"

#include <algorithm>
#include <cmath>

namespace manager {
namespace {

sail::Playback playback_at(sail::Playback playback, int64_t now_ns) {
  if (playback.live) {
    playback.position_s = 0;
  } else if (playback.moves()) {
    playback.position_s += playback.rate * static_cast<double>(now_ns - playback.at_ns) / 1e9;
  }
  playback.position_s = std::max(playback.position_s, 0.0);
  if (playback.duration_s > 0 && playback.position_s > playback.duration_s) {
    playback.position_s =
        playback.loop ? std::fmod(playback.position_s, playback.duration_s) : playback.duration_s;
  }
  playback.at_ns = now_ns;
  return playback;
}

}  // namespace

SavedWindow saved_window(const Window& window, int64_t now_ns) {
  SavedWindow saved{.number = window.number,
                    .title = window.title,
                    .owner = window.owner_name,
                    .frame_size = window.frame_size,
                    .placement = window.placement(),
                    .content = window.content,
                    .group = window.group};
  if (window.playback) saved.playback = playback_at(*window.playback, now_ns);
  return saved;
}

}  // namespace manager
