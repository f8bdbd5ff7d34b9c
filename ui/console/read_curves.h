// Results of vitrail iobench: read speed by block size and by blocks in flight (depth). Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace ui {

// Parses "64k", "4k,1m" or "4k..16m" (steps of factor four; the end is included). Sizes must
// increase and lie within the bounds, else the optional is empty. Units: k = 1024, m = 1024 × 1024.
std::optional<std::vector<size_t>> parse_steps(const std::string& text, size_t least, size_t most);
// Formats a step as "4k", "1m" or "1000".
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

// A row for each block size, a column for each depth.
std::string curves_text(const ReadCurves& curves);
sail::Json curves_json(const std::vector<ReadCurves>& all);
// For gnuplot and spreadsheets (RFC 4180): a row for each source, block size and depth.
std::string curves_csv(const std::vector<ReadCurves>& all);

}  // namespace ui
