// One stream from several senders ("ranks"), each of which sends a part of every frame: messages
// between manager, applications and receivers. Pure.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/view_transform.h"

namespace sail {

// Regions begin at multiples of this, so that the regions of halved pictures meet.
constexpr int kPartStep = 8;

// Content of the window while a rank is gone or silent.
enum class AbsentPart : uint8_t {
  kWait,  // all ranks wait; the last complete frame stays
  kLast,  // the others continue; the absent part keeps its last picture
  kDark,  // the others continue; the absent part is black
};
constexpr Choice<AbsentPart, 3> kAbsentParts{
    {{AbsentPart::kWait, "wait"}, {AbsentPart::kLast, "last"}, {AbsentPart::kDark, "dark"}}};

// Part of "open_stream": the stream carries one rank's part of the frames.
struct JoinParts {
  std::string name;  // the ranks find each other by this name
  int rank = 0;      // from 0
  int ranks = 1;
  Rect region;      // position in the frames; its size is the stream's frame size
  Size frame_size;  // size of the whole frames
  AbsentPart absent = AbsentPart::kWait;

  bool operator==(const JoinParts&) const = default;
};
void fields(auto& visit, Of<JoinParts> auto& join) {
  visit("name", kName, join.name);
  visit("rank", Whole{0, kMaxRanks - 1}, join.rank);
  visit("ranks", Whole{1, kMaxRanks}, join.ranks);
  visit("region", SourceRect(), join.region);
  visit("frame_size", Sides{kMaxFrameSide}, join.frame_size);
  visit("absent", optional(kAbsentParts), join.absent);
}
inline void check(JsonFields& in, const JoinParts& join) {
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

// Part of "scene": the stream carries this region of the window's frames.
struct FramePart {
  Rect window_rect;  // position of the whole frames
  Rect region;
  Size frame_size;

  bool operator==(const FramePart&) const = default;
};
void fields(auto& visit, Of<FramePart> auto& part) {
  visit("window_rect", kWindowRect, part.window_rect);
  visit("region", SourceRect(), part.region);
  visit("frame_size", Sides{kMaxFrameSide}, part.frame_size);
}

// Returns the rank's horizontal band when all bands are about equally high. Empty if there are more
// ranks than bands.
inline Rect band_of(Size frame, int rank, int ranks) {
  const auto edge = [&](int band) {
    const auto exact = static_cast<int>(int64_t{frame.height} * band / ranks);
    return band == ranks ? frame.height : exact / kPartStep * kPartStep;
  };
  return Rect::from_edges(0, edge(rank), frame.width, edge(rank + 1));
}

}  // namespace sail
