#include "sail/core/wall/picture_map.h"

#include <algorithm>
#include <cstdint>

#include "sail/core/wall/block_grid.h"

namespace sail {
namespace {

Rect eye_rect(const ViewTransform& look, Size frame_size, Stereo eye) {
  const Size size = picture_size(look, frame_size);
  if (eye != Stereo::kRight) return {0, 0, size.width, size.height};
  return {frame_size.width - size.width, frame_size.height - size.height, size.width, size.height};
}

// Part of a frame's axis of length `extent`, for a frame that is `shown` pixels long.
SourceSpan span_of(int at, int part, int extent, int shown, bool backwards) {
  const auto scaled = [&](int64_t place) { return place * shown / extent; };
  const auto from = static_cast<int>(scaled(int64_t{256} * at));
  const auto to = static_cast<int>(scaled(int64_t{256} * (at + part)));
  const int first = std::min(from / 256, shown - 1);
  const int last = std::clamp((to + 255) / 256 - 1, first, shown - 1);
  return {from, std::max(to - from, 1), first, last, backwards};
}

int scaled_part(int value, int from, int to) {
  return static_cast<int>((int64_t{value} * to + from / 2) / from);
}

}  // namespace

Orientation orientation(const ViewTransform& look) {
  const bool backwards = look.rotate == 90 || look.rotate == 180;
  return {look.rotate % 180 != 0, backwards != look.flip, look.rotate >= 180};
}

std::span<const Stereo> eyes_of(const ViewTransform& look) {
  static constexpr Stereo kEyes[] = {Stereo::kOff, Stereo::kLeft, Stereo::kRight};
  const std::span<const Stereo> eyes(kEyes);
  if (look.stereo == Stereo::kAnaglyph) return eyes.subspan(1);
  return eyes.subspan(static_cast<size_t>(look.stereo), 1);
}

Size picture_size(const ViewTransform& look, Size frame_size) {
  if (look.stereo == Stereo::kOff) return frame_size;
  if (look.halves == Halves::kSideBySide) {
    return {std::max(frame_size.width / 2, 1), frame_size.height};
  }
  return {frame_size.width, std::max(frame_size.height / 2, 1)};
}

Rect source_part(const ViewTransform& look, Size frame_size, Stereo eye) {
  const Rect picture = eye_rect(look, frame_size, eye);
  const Rect part = intersect(picture, {picture.x + look.crop.x, picture.y + look.crop.y,
                                        look.crop.width, look.crop.height});
  return part.empty() ? picture : part;
}

Size shown_size(const ViewTransform& look, Size frame_size) {
  const Rect part = source_part(look, frame_size, eyes_of(look).front());
  Size size{part.width, part.height};
  if (look.stereo != Stereo::kOff) {
    const Size eye = picture_size(look, frame_size);
    if (look.halves == Halves::kSideBySide) {
      if (eye.width < eye.height) size.width *= 2;
    } else if (int64_t{5} * eye.width > int64_t{12} * eye.height) {
      size.height *= 2;
    }
  }
  return orientation(look).turned ? Size{size.height, size.width} : size;
}

Size whole_size(const Rect& wall_rect, const ViewTransform& look, Size frame_size) {
  const Rect part = source_part(look, frame_size, eyes_of(look).front());
  Size size{wall_rect.width, wall_rect.height};
  if (orientation(look).turned) std::swap(size.width, size.height);
  return {scaled_part(size.width, part.width, frame_size.width),
          scaled_part(size.height, part.height, frame_size.height)};
}

// Scales each side on its own: a picture rendered again at whole_size() gets that size again.
ViewTransform fitted_view_transform(ViewTransform look, Size frame_size, Size other_size) {
  if (look.crop.empty() || frame_size == other_size) return look;
  const Size from = picture_size(look, frame_size);
  const Size to = picture_size(look, other_size);
  const Rect crop = look.crop;
  look.crop.width = std::min(scaled_part(crop.width, from.width, to.width), to.width);
  look.crop.height = std::min(scaled_part(crop.height, from.height, to.height), to.height);
  look.crop.x = std::min(scaled_part(crop.x, from.width, to.width), to.width - look.crop.width);
  look.crop.y = std::min(scaled_part(crop.y, from.height, to.height), to.height - look.crop.height);
  if (look.crop.empty()) look.crop = {};
  return look;
}

PictureMap picture_map(const Rect& wall_rect, const ViewTransform& look, Size frame_size,
                       Size shown, Stereo eye) {
  const Rect part = source_part(look, frame_size, eye);
  const Orientation turn = orientation(look);
  PictureMap map{wall_rect,
                 span_of(part.x, part.width, frame_size.width, shown.width,
                         turn.turned ? turn.down_backwards : turn.across_backwards),
                 span_of(part.y, part.height, frame_size.height, shown.height,
                         turn.turned ? turn.across_backwards : turn.down_backwards),
                 turn.turned};
  if (map.turned) std::swap(map.across, map.down);
  return map;
}

namespace {

// How often a part was halved to reach the size `shown`.
int reduction_of(Size part, Size shown) {
  int reduction = 0;
  while (reduction < codecs::kMaxReduction && reduced_size(part, reduction) != shown) ++reduction;
  return reduction;
}

// Shifts an axis of the whole frame to a part of it that starts at pixel `at`.
void count_from(SourceSpan& span, int at, int shown) {
  span.from_256 -= 256 * at;
  span.first = std::clamp(span.first - at, 0, shown - 1);
  span.last = std::clamp(span.last - at, span.first, shown - 1);
}

}  // namespace

PictureMap picture_map(const Rect& wall_rect, const ViewTransform& look, Size frame_size,
                       Size shown, Stereo eye, const std::optional<FramePart>& part) {
  if (!part) return picture_map(wall_rect, look, frame_size, shown, eye);
  const Rect& region = part->region;
  const int reduction = reduction_of({region.width, region.height}, shown);
  PictureMap map = picture_map(part->window_rect, look, part->frame_size,
                               reduced_size(part->frame_size, reduction), eye);
  count_from(map.turned ? map.down : map.across, region.x >> reduction, shown.width);
  count_from(map.turned ? map.across : map.down, region.y >> reduction, shown.height);
  return map;
}

Rect part_rect(const Rect& window_rect, const ViewTransform& look, Size frame_size,
               const Rect& region) {
  const Rect picture = source_part(look, frame_size, Stereo::kOff);
  const Rect seen = intersect(region, picture);
  if (seen.empty()) return {};
  const Orientation turn = orientation(look);
  Rect place{seen.x - picture.x, seen.y - picture.y, seen.width, seen.height};
  Size of{picture.width, picture.height};
  if (turn.turned) {
    place = {place.y, place.x, place.height, place.width};
    std::swap(of.width, of.height);
  }
  if (turn.across_backwards) place.x = of.width - place.right();
  if (turn.down_backwards) place.y = of.height - place.bottom();
  const auto scaled = [](int at, int from, int to) {
    return static_cast<int>(int64_t{at} * to / from);
  };
  const Rect rect =
      Rect::from_edges(window_rect.x + scaled(place.x, of.width, window_rect.width),
                       window_rect.y + scaled(place.y, of.height, window_rect.height),
                       window_rect.x + scaled(place.right(), of.width, window_rect.width),
                       window_rect.y + scaled(place.bottom(), of.height, window_rect.height));
  return rect.empty() ? Rect{} : rect;
}

std::pair<double, double> source_point(const Rect& wall_rect, const ViewTransform& look,
                                       Size frame_size, double wall_x, double wall_y) {
  const Rect part = source_part(look, frame_size, eyes_of(look).front());
  const Orientation turn = orientation(look);
  double across = wall_x - wall_rect.x;
  double down = wall_y - wall_rect.y;
  if (turn.across_backwards) across = wall_rect.width - across;
  if (turn.down_backwards) down = wall_rect.height - down;
  if (turn.turned) {
    return {part.x + down * part.width / wall_rect.height,
            part.y + across * part.height / wall_rect.width};
  }
  return {part.x + across * part.width / wall_rect.width,
          part.y + down * part.height / wall_rect.height};
}

std::pair<double, double> wall_point(const Rect& wall_rect, const ViewTransform& look,
                                     Size frame_size, double x, double y) {
  const Rect part = source_part(look, frame_size, eyes_of(look).front());
  const Orientation turn = orientation(look);
  double across = (x - part.x) / part.width;
  double down = (y - part.y) / part.height;
  if (turn.turned) std::swap(across, down);
  if (turn.across_backwards) across = 1 - across;
  if (turn.down_backwards) down = 1 - down;
  return {wall_rect.x + across * wall_rect.width, wall_rect.y + down * wall_rect.height};
}

double wall_scale(const Rect& wall_rect, const ViewTransform& look, Size frame_size) {
  const Rect part = source_part(look, frame_size, eyes_of(look).front());
  return double{1} * wall_rect.height / (orientation(look).turned ? part.width : part.height);
}

std::pair<double, double> source_way(const ViewTransform& look, double across, double down) {
  const Orientation turn = orientation(look);
  if (turn.across_backwards) across = -across;
  if (turn.down_backwards) down = -down;
  return turn.turned ? std::pair(down, across) : std::pair(across, down);
}

}  // namespace sail
