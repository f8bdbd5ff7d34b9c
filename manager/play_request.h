// What to play: asked for by the verb "play", kept with its window to have it again. A value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/transport_options.h"

namespace manager {

struct PlayRequest {
  std::vector<std::string> media;
  std::string program{};  // "bplay" or "vitrail-show"; empty: by the media (player_choice.h)
  std::optional<sail::Rect> place;  // of the first window
  bool loop = false;
  std::optional<double> fps;
  std::optional<double> start_s;
  sail::TransportOptions transport{};
};

}  // namespace manager
