// One stream from several senders ("ranks"), each of which gives a part of every frame: what
// manager, applications and receivers tell each other of that. Pure.
#pragma once

#include <string>

#include "sail/base/geometry.h"
#include "sail/wire/json_fields.h"
#include "sail/wire/limits.h"
#include "sail/wire/look.h"

namespace sail {

// What is seen while a rank is gone or silent.
enum class AbsentPart : uint8_t {
  kWait,  // the last frame that all had: the others wait
  kLast,  // the others go on, beside what it gave last
  kDark,  // and beside black
};
constexpr Choice<AbsentPart, 3> kAbsentParts{
    {{AbsentPart::kWait, "wait"}, {AbsentPart::kLast, "last"}, {AbsentPart::kDark, "dark"}}};

// Part of "open_stream": the stream is that rank's part of the frames of this name.
struct JoinParts {
  std::string name;  // by which the ranks find each other
  int rank = 0;      // from 0
  int ranks = 1;
  Rect region;      // of the frames: as large as the stream's own
  Size frame_size;  // of them all together
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

// Part of "scene": of the window's frames the stream gives this region.
struct FramePart {
  Rect window_rect;  // where all of them are shown
  Rect region;
  Size frame_size;

  bool operator==(const FramePart&) const = default;
};
void fields(auto& visit, Of<FramePart> auto& part) {
  visit("window_rect", kWindowRect, part.window_rect);
  visit("region", SourceRect(), part.region);
  visit("frame_size", Sides{kMaxFrameSide}, part.frame_size);
}

// Regions begin at multiples of this, so that those of pictures that are halved meet.
constexpr int kPartStep = 8;
// The band of that rank when all give bands as high as can be alike. Empty: there are too many.
Rect band_of(Size frame, int rank, int ranks);

}  // namespace sail
