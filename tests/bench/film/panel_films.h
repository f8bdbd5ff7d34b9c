// The moving picture as films for several players: a file for each tile of the wall, made by
// `vitrail convert --wall`.
#pragma once

#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "tests/bench/wall/bench_wall.h"

namespace bench {

struct Panel {
  std::string film;  // a file
  sail::Rect wall_rect;
};

// From the given film, or, without a name, from thirty frames of the moving picture.
sail::Result<std::vector<Panel>> make_panels(BenchWall& wall, const std::string& film,
                                             const std::string& codec, int fps);

}  // namespace bench
