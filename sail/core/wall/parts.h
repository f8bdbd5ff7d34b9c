// One stream from several senders ("ranks"), each of which sends a part of every frame: messages
// between manager, applications and receivers. Pure.
#pragma once

#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/view_transform.h"

namespace sail {

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
void check(JsonFields& in, const JoinParts& join);

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

// Regions begin at multiples of this, so that the regions of halved pictures meet.
constexpr int kPartStep = 8;
// Returns the rank's horizontal band when all bands are about equally high. Empty if there are more
// ranks than bands.
Rect band_of(Size frame, int rank, int ranks);

}  // namespace sail
