#include "sail/core/wall/parts.h"

#include <fmt/core.h>

namespace sail {

void check(JsonFields& in, const JoinParts& join) {
  const Rect& region = join.region;
  const Size& frame = join.frame_size;
  const std::string who = fmt::format("rank {} of {}", join.rank, join.ranks);
  if (join.rank >= join.ranks) {
    in.mistake("rank", fmt::format("must be between 0 and {}, not {}", join.ranks - 1, join.rank));
  } else if (region.right() > frame.width || region.bottom() > frame.height) {
    in.mistake("region",
               fmt::format("of {} is outside the frame of {}×{}: {}×{} at {}, {}", who, frame.width,
                           frame.height, region.width, region.height, region.x, region.y));
  } else if (region.x % kPartStep != 0 || region.y % kPartStep != 0) {
    in.mistake("region", fmt::format("of {} begins at {}, {}, which must be multiples of {}", who,
                                     region.x, region.y, kPartStep));
  }
}

Rect band_of(Size frame, int rank, int ranks) {
  const auto edge = [&](int band) {
    const auto exact = static_cast<int>(int64_t{frame.height} * band / ranks);
    return band == ranks ? frame.height : exact / kPartStep * kPartStep;
  };
  return Rect::from_edges(0, edge(rank), frame.width, edge(rank + 1));
}

}  // namespace sail
