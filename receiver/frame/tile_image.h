// A copy of what a tile's display showed, for snapshots.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/core/wire/data/data_messages.h"

namespace receiver {

struct TileImage {
  sail::PictureBegin begin;     // its taken_ns is set once the wall time is known
  std::vector<uint8_t> pixels;  // B, G, R, 255; rows without padding
};

}  // namespace receiver
