// How a picture gets from a stream's frames to its window's place on the wall: the part that is
// shown is turned, mirrored, and fitted into the window's wall_rect. All that goes this way, or
// back, goes by these: routing, painting, input. Pure.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "sail/base/geometry.h"
#include "sail/wire/look.h"
#include "sail/wire/parts.h"

namespace sail {

// Of the frame's axes by the window's.
struct Orientation {
  bool turned = false;            // the window's columns are rows of the frame
  bool across_backwards = false;  // from left to right the frame is read backwards
  bool down_backwards = false;    // and so from top to bottom
};
Orientation orientation(const Look& look);

// The pictures of which a window is painted: kOff for all of the frame, or those of one eye or two.
std::span<const Stereo> eyes_of(const Look& look);

// What a window shows of a frame of its stream's size, of one of eyes_of(). A part that is not
// within the picture counts as all of it.
Rect source_part(const Look& look, Size frame_size, Stereo eye);

// The bounds of `crop`: the picture of the frame, or of each eye.
Size picture_size(const Look& look, Size frame_size);

// What a window shows as large as it is by itself: upright, with eyes' pictures that were squeezed
// into their half of the frame as wide or high as they are meant. It is squeezed when a half would
// be higher than wide (side by side), or more than 2.4 times as wide as high.
Size shown_size(const Look& look, Size frame_size);

// As large as all of the picture would be seen, upright, of which the window shows a part.
Size whole_size(const Rect& wall_rect, const Look& look, Size frame_size);

// The same look for frames of another size: what it shows of them is the same part.
Look look_for(Look look, Size frame_size, Size other_size);

// One axis of what a window shows of a frame, in 1/256 of its pixels.
struct SourceSpan {
  int from_256 = 0;
  int extent_256 = 0;
  int first = 0;  // the pixels that it touches: no others are read
  int last = 0;
  bool backwards = false;

  static constexpr SourceSpan all(int frame_extent) {
    return {0, 256 * frame_extent, 0, frame_extent - 1};
  }
};

struct PictureMap {
  Rect wall_rect;
  SourceSpan across;    // read from left to right: of the frame's columns, or turned, of its rows
  SourceSpan down;      // and from top to bottom
  bool turned = false;  // see Orientation
};
// frame_size: the stream's; shown: the size of its frames, which may be halved some times.
PictureMap picture_map(const Rect& wall_rect, const Look& look, Size frame_size, Size shown,
                       Stereo eye);
// The same of a stream that may give a part of the frames, which is where the window's rest of them
// leaves it: part_rect().
PictureMap picture_map(const Rect& wall_rect, const Look& look, Size frame_size, Size shown,
                       Stereo eye, const std::optional<FramePart>& part);
// Where a region of the frames is shown, in whole wall pixels: regions that meet there meet here.
// Empty: nowhere. The look is of no two eyes.
Rect part_rect(const Rect& window_rect, const Look& look, Size frame_size, const Rect& region);

// Where a place on the wall is in the stream's frames, of the left eye where there are two; and a
// way on the wall.
std::pair<double, double> source_point(const Rect& wall_rect, const Look& look, Size frame_size,
                                       double wall_x, double wall_y);
std::pair<double, double> source_way(const Look& look, double across, double down);

}  // namespace sail
