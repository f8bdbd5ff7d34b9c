// Maps a stream's frames to its window on the wall: the shown part of the frame is rotated,
// mirrored and scaled to the window's wall_rect. Routing, painting and input use these functions in
// both directions. Pure.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "sail/core/base/geometry.h"
#include "sail/core/wall/parts.h"
#include "sail/core/wall/view_transform.h"

namespace sail {

// How the window's axes lie on the frame's axes.
struct Orientation {
  bool turned = false;            // the window's horizontal axis is the frame's vertical axis
  bool across_backwards = false;  // the window's left-to-right direction reads the frame backwards
  bool down_backwards = false;    // the window's top-to-bottom direction reads it backwards
};
Orientation orientation(const ViewTransform& look);

// The pictures that a window is painted from: kOff for the whole frame, else one or both eyes.
std::span<const Stereo> eyes_of(const ViewTransform& look);

// The part of a frame that a window shows, for one of eyes_of(). A crop outside of the picture
// counts as the whole picture.
Rect source_part(const ViewTransform& look, Size frame_size, Stereo eye);

// Size that bounds `crop`: the whole frame, or one eye's picture.
Size picture_size(const ViewTransform& look, Size frame_size);

// Natural size of a window's content: upright, with squeezed stereo pictures restored to their
// intended aspect ratio. A picture counts as squeezed if a side-by-side half is higher than wide,
// or a top-bottom half more than 2.4 times as wide as high.
Size shown_size(const ViewTransform& look, Size frame_size);

// Size, upright, that the whole frame would have on the wall if the window's part has wall_rect.
Size whole_size(const Rect& wall_rect, const ViewTransform& look, Size frame_size);

// Converts a view transform to frames of another size, so that the same part is shown.
ViewTransform fitted_view_transform(ViewTransform look, Size frame_size, Size other_size);

// One axis of the shown part of a frame, in 1/256 of its pixels.
struct SourceSpan {
  int from_256 = 0;
  int extent_256 = 0;
  int first = 0;  // first pixel that is read; only first … last are read
  int last = 0;
  bool backwards = false;

  static constexpr SourceSpan all(int frame_extent) {
    return {0, 256 * frame_extent, 0, frame_extent - 1};
  }
};

struct PictureMap {
  Rect wall_rect;
  SourceSpan across;    // left to right: the frame's columns, or its rows if turned
  SourceSpan down;      // top to bottom
  bool turned = false;  // see Orientation
};
// frame_size: the stream's frame size; shown: size of the given frames, which may be reduced.
PictureMap picture_map(const Rect& wall_rect, const ViewTransform& look, Size frame_size,
                       Size shown, Stereo eye);
// The same for a stream that may carry a part of the frames, shown at part_rect() of the window.
PictureMap picture_map(const Rect& wall_rect, const ViewTransform& look, Size frame_size,
                       Size shown, Stereo eye, const std::optional<FramePart>& part);
// Where the window shows a region of the frames, in whole wall pixels; adjacent regions stay
// adjacent. Empty if the region is not visible. The view transform must not show both eyes.
Rect part_rect(const Rect& window_rect, const ViewTransform& look, Size frame_size,
               const Rect& region);

// Converts a wall position to frame coordinates (in the left eye's picture if there are two), and a
// wall direction to a frame direction.
std::pair<double, double> source_point(const Rect& wall_rect, const ViewTransform& look,
                                       Size frame_size, double wall_x, double wall_y);
// The inverse of source_point(); the point may be outside the shown part.
std::pair<double, double> wall_point(const Rect& wall_rect, const ViewTransform& look,
                                     Size frame_size, double x, double y);
// Wall pixels per frame pixel, from top to bottom of the wall.
double wall_scale(const Rect& wall_rect, const ViewTransform& look, Size frame_size);
std::pair<double, double> source_way(const ViewTransform& look, double across, double down);

}  // namespace sail
