// What a tile's display showed at an instant: a copy, for snapshots.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/wire/data_messages.h"

namespace receiver {

struct TileCopy {
  sail::PictureBegin begin;     // its taken_ns is filled in when the wall time is known
  std::vector<uint8_t> pixels;  // B, G, R, 255; rows without gaps
};

}  // namespace receiver
