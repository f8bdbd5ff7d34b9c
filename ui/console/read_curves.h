// What vitrail iobench measures and tells: speeds against block size and blocks under way. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sail/wire/json.h"

namespace ui {

// "64k", "4k,1m" or "4k..16m" (each four times the one before; the last one is there), growing;
// nothing when it is none of these, or one is not within the bounds. Units: k, m (1024 × 1024).
std::optional<std::vector<size_t>> parse_steps(const std::string& text, size_t least, size_t most);
// "4k", "1m", "1000".
std::string step_text(size_t step);

struct ReadCurvePoint {
  size_t block = 0;
  size_t depth = 0;
  double mb_per_s = 0;
  uint64_t bytes = 0;
  uint64_t retries = 0;
};
struct ReadCurves {
  std::string name;
  uint64_t size = 0;
  std::vector<ReadCurvePoint> points;
};

// A line a block size, a column a depth.
std::string curves_text(const ReadCurves& curves);
sail::Json curves_json(const std::vector<ReadCurves>& all);
// A drawing (SVG) of MB/s against the block size, a line for each source and depth.
std::string curves_drawing(const std::vector<ReadCurves>& all);

}  // namespace ui
