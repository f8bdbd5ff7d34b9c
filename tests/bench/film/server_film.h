// The moving picture as a film of a film server, and the server that plays it on a wall.
#pragma once

#include <sys/types.h>

#include <string>

#include "sail/core/base/result.h"
#include "sail/core/wire/data/codec_name.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/wall/bench_wall.h"

namespace bench {

struct ServerFilm {
  std::string codec;
  sail::Size size;
  int fps = 30;
  bool yuv = false;  // 4:2:0
};

// Writes thirty frames of the picture.
sail::Result<void> write_film(const std::string& name, const ServerFilm& film,
                              const MovingPicture& picture);

// Encodes the film (which takes a while), starts vitrail-server and plays the film in a loop.
// Returns the server's process id.
sail::Result<pid_t> play_from_server(BenchWall& wall, const ServerFilm& film,
                                     const MovingPicture& picture);

}  // namespace bench
