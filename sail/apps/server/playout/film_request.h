// What a client asks for when it plays a film on a wall.
#pragma once

#include <optional>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/wall/transport.h"

namespace server {

struct FilmRequest {
  std::string title;
  std::string window_title;         // empty: the title without its folders
  std::string manager;              // HOST:PORT
  std::string url;                  // for bplay, to request the film again; empty: unknown
  std::optional<sail::Rect> place;  // without a size: the film's; empty: the manager chooses
  bool loop = false;
  bool hold = false;  // keep the last picture until the window is closed
  bool paused = false;
  double start_s = 0;
  double rate = 1;
  std::optional<double> fps;
  sail::TransportOptions transport{};
  bool attached = false;     // ends with the control session that requested it
  bool best_effort = false;  // no rate is promised to it
};

}  // namespace server
