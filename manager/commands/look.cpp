// The view transform of a window: rotation, flip, crop, stereo and opacity.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "manager/commands/object_gate.h"
#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/wall/arrange.h"
#include "sail/core/wall/picture_map.h"

namespace manager::verbs {

namespace {

// Reads the fields of a view transform. Missing fields keep their values.
sail::ViewTransform read_view_transform(const Call& call, sail::JsonFields& fields,
                                        sail::ViewTransform look) {
  const sail::ReadFields read(fields);
  sail::fields(read, look);
  look.opacity = std::round(look.opacity * 1000) / 1000;
  if (fields.boolean_or("whole", false)) {
    look.crop = {};
    if (fields.has("crop")) fields.mistake("whole", "and 'crop' cannot both be given");
  }
  const auto has = [&call](const char* name) { return call.params.contains(name); };
  const auto names = {"rotate", "flip", "opacity", "crop", "whole", "stereo", "halves"};
  if (std::none_of(names.begin(), names.end(), has)) {
    fields.mistake("rotate",
                   "or 'flip', 'opacity', 'crop', 'whole', 'stereo' or 'halves' must be given");
  }
  return look;
}

// With this number of view transforms, a scene with the maximum number of windows fits into a
// message.
constexpr auto kMostViewTransforms = 1024;

bool fits(const sail::Rect& crop, sail::Size picture) {
  return crop.right() <= picture.width && crop.bottom() <= picture.height;
}

auto out_of_picture(const sail::ViewTransform& look, sail::Size picture) {
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("look: 'crop' must lie within the picture{}, {}×{} pixels",
                                look.stereo == sail::Stereo::kOff ? "" : " of one eye",
                                picture.width, picture.height));
}

const char* verb_for(const sail::ViewTransform& before, const sail::ViewTransform& now) {
  if (before.rotate != now.rotate) return "turned";
  if (before.flip != now.flip) return "mirrored";
  if (before.crop != now.crop) return "cropped";
  return before.opacity != now.opacity ? "changed the opacity of" : "changed the stereo mode of";
}

// Returns the rectangle that the window would have if the wall had no edges. An earlier transform
// may have moved the window onto the wall; the window's place then gives the original rectangle.
sail::Rect without_edges(const Window& window, const sail::Rect& stands, sail::Size wall_size) {
  for (const sail::Rect& rect : {window.place, fit_into(window.shown_size(), window.place)}) {
    if (onto_wall(rect, wall_size) == stands) return rect;
  }
  return stands;
}

// Returns the rectangle for the new transform. Keeps its centre, its area and its distortion.
WideRect reshaped(const sail::Rect& rect, const Window& window, const sail::ViewTransform& look) {
  sail::Size before = window.shown_size();
  const sail::Size after = window.shown_size(look);
  int64_t width = rect.width;
  int64_t height = rect.height;
  if (sail::orientation(look).turned != sail::orientation(window.look).turned) {
    std::swap(width, height);
    std::swap(before.width, before.height);
  }
  if (int64_t{before.width} * after.height != int64_t{before.height} * after.width) {
    const double wider = std::sqrt(static_cast<double>(after.width) * before.height /
                                   (static_cast<double>(after.height) * before.width));
    width = std::max<int64_t>(std::llround(static_cast<double>(width) * wider), 1);
    height = std::max<int64_t>(std::llround(static_cast<double>(height) / wider), 1);
  }
  return {rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height};
}

sail::Result<WindowPlacement> placement_for(const Desk& desk, const Window& window,
                                            const sail::ViewTransform& look) {
  const sail::Size wall = desk.wall().size;
  WindowPlacement placement = window.placement();
  placement.look = look;
  sail::Rect& unforced =
      placement.before_maximised ? *placement.before_maximised : placement.wall_rect;
  const bool on_wall = is_on_wall(unforced, wall);
  const sail::Rect start = on_wall ? without_edges(window, unforced, wall) : unforced;
  const auto place = window_place(reshaped(start, window, look));
  if (!place) return place.error();
  unforced = on_wall ? onto_wall(*place, wall) : *place;
  placement.shape = window.shown_size(look);
  const auto turned = window_place(reshaped(window.place, window, look));
  placement.place = turned ? *turned : *place;
  if (placement.before_maximised) {
    placement.wall_rect = fit_into(placement.shape, {0, 0, wall.width, wall.height});
  }
  return placement;
}

}  // namespace

sail::Result<void> check_view_transform(const Desk& desk, const Window& window,
                                        const sail::ViewTransform& look) {
  const auto is_plain = [](const Window& one) { return one.look == sail::ViewTransform(); };
  const auto& windows = desk.windows().bottom_to_top();
  if (!is_plain(window) || look == sail::ViewTransform() ||
      std::ssize(windows) - std::ranges::count_if(windows, is_plain) < kMostViewTransforms) {
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kLimit,
      fmt::format("{} windows are rotated, cropped or blended, the maximum", kMostViewTransforms));
}

Answer look(const Call& call, Desk& desk, const ObjectRights& rights) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const Window* known = desk.windows().find(number);
  const sail::ViewTransform before = known == nullptr ? sail::ViewTransform() : known->look;
  sail::ViewTransform look = read_view_transform(call, fields, before);
  const std::string of_gesture = gesture(fields);
  if (auto error = fields.finish()) return *error;
  const auto window = find_placeable(call, desk, number);
  if (!window) return window.error();

  if (!(*window)->parts.empty() && look.stereo != sail::Stereo::kOff) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} has several senders and cannot show stereo", number));
  }
  const sail::Size picture = sail::picture_size(look, (*window)->frame_size);
  if (!fits(look.crop, picture)) {
    if (call.params.contains("crop")) return out_of_picture(look, picture);
    look.crop = {};
  }
  if (look.crop == sail::Rect{0, 0, picture.width, picture.height}) look.crop = {};
  if (auto good = check_view_transform(desk, **window, look); !good) return good.error();
  const auto placement = placement_for(desk, **window, look);
  if (!placement) return placement.error();
  // The new shape may reach into another partition.
  auto may = rights.check(asker_of(call.peer), Act::kArrange, desk.arrangement().partitions(),
                          placement->wall_rect);
  if (!may) return may.error();
  desk.change({.windows = {{number, *placement}}},
              {.verb = verb_for(before, look), .gesture = of_gesture}, author_of(call.peer));
  return window_now(desk, number);
}

}  // namespace manager::verbs
