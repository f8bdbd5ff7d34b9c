// Pictures of DeepZoom: a descriptor in XML (.dzi), and beside it a folder of tiles for each level.
#pragma once

#include <string>
#include <string_view>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

struct DeepZoom {
  Size size;
  int tile = 0;        // side of a tile without its overlap
  int overlap = 0;     // pixels that a tile shares with each of its neighbours
  std::string format;  // extension of the tiles' names

  bool operator==(const DeepZoom&) const = default;

  // Number of the level of full size; level 0 has one pixel.
  int top() const;
  Size size_of(int level) const;
  // The pixels of the level in a tile, with its overlap.
  Rect tile_at(int level, int column, int row) const;
};

// Untrusted input. Errors are phrases: "has …", "is …".
Result<DeepZoom> parse_deep_zoom(std::string_view xml);

// Returns true if the file begins as a descriptor does.
bool is_deep_zoom(const std::string& path);

}  // namespace sail
