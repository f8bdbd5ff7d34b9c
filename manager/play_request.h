// What to play: asked for by the verb "play", kept with its window to have it again. A value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/transport_options.h"

namespace manager {

struct PlayRequest {
  std::vector<std::string> media;
  std::string program{};  // "bplay" or "vitrail-show"; empty: by the media (player_choice.h)
  std::vector<std::string> command{};  // run instead of the player, program first; then no media
  std::optional<sail::Rect> place;     // of the first window
  std::optional<std::pair<int, int>> centre{};  // of the first window, which keeps its aspect
  bool loop = false;
  std::optional<double> fps;
  std::optional<double> start_s;
  sail::TransportOptions transport{};
};

}  // namespace manager
