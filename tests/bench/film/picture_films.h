// The moving picture as films: of a film server, which plays on a wall, or a film for each of
// several players.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
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

// Films for several players: a file for each tile of the wall, made by `vitrail convert --wall`.
struct Panel {
  std::string film;  // a file
  sail::Rect wall_rect;
};

// From the given film, or, without a name, from thirty frames of the moving picture.
sail::Result<std::vector<Panel>> make_panels(BenchWall& wall, const std::string& film,
                                             const std::string& codec, int fps);

}  // namespace bench
