// The view transform of a window: rotation, flip, crop, stereo and opacity.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/wall/arrange.h"
#include "sail/core/wall/picture_map.h"

namespace manager::verbs {

namespace {

// Reads the fields of a view transform. Missing fields keep their values.
sail::Look read_look(const Call& call, sail::JsonFields& fields, sail::Look look) {
  const sail::ReadFields read(fields);
  sail::fields(read, look);
  look.opacity = std::round(look.opacity * 1000) / 1000;
  if (fields.boolean_or("whole", false)) {
    look.crop = {};
    if (fields.has("crop")) fields.mistake("whole", "and 'crop' cannot both be there");
  }
  const auto said = [&call](const char* name) { return call.params.contains(name); };
  const auto names = {"rotate", "flip", "opacity", "crop", "whole", "stereo", "halves"};
  if (std::none_of(names.begin(), names.end(), said)) {
    fields.mistake("rotate",
                   "or 'flip', 'opacity', 'crop', 'whole', 'stereo' or 'halves' must be there");
  }
  return look;
}

// With this many, the scene of the most windows fits into a message.
constexpr auto kMostLooks = 1024;

bool fits(const sail::Rect& crop, sail::Size picture) {
  return crop.right() <= picture.width && crop.bottom() <= picture.height;
}

auto out_of_picture(const sail::Look& look, sail::Size picture) {
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    fmt::format("look: 'crop' must lie within the picture{}, {}×{} pixels",
                                look.stereo == sail::Stereo::kOff ? "" : " of an eye",
                                picture.width, picture.height));
}

const char* verb_for(const sail::Look& before, const sail::Look& now) {
  if (before.rotate != now.rotate) return "turned";
  if (before.flip != now.flip) return "mirrored";
  if (before.crop != now.crop) return "cropped";
  return before.opacity != now.opacity ? "changed the opacity of" : "changed the stereo of";
}

// Returns the rectangle for the new transform. Keeps its centre, its area and its distortion.
WideRect reshaped(const sail::Rect& rect, const Window& window, const sail::Look& look) {
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

sail::Result<Standing> standing_for(const Desk& desk, const Window& window,
                                    const sail::Look& look) {
  Standing standing = window.standing();
  standing.look = look;
  sail::Rect& unforced =
      standing.before_maximised ? *standing.before_maximised : standing.wall_rect;
  const auto place = window_place(reshaped(unforced, window, look));
  if (!place) return place.error();
  unforced = *place;
  standing.shape = window.shown_size(look);
  const auto turned = window_place(reshaped(window.place, window, look));
  standing.place = turned ? *turned : *place;
  if (standing.before_maximised) {
    const sail::Size wall = desk.wall().size;
    standing.wall_rect = fit_into(standing.shape, {0, 0, wall.width, wall.height});
  }
  return standing;
}

}  // namespace

sail::Result<void> check_look(const Desk& desk, const Window& window, const sail::Look& look) {
  const auto is_plain = [](const Window& one) { return one.look == sail::Look(); };
  const auto& windows = desk.windows().bottom_to_top();
  if (!is_plain(window) || look == sail::Look() ||
      std::ssize(windows) - std::ranges::count_if(windows, is_plain) < kMostLooks) {
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kLimit,
      fmt::format("{} windows are turned, cropped or blended: no more can be", kMostLooks));
}

Answer look(const Call& call, Desk& desk) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const Window* known = desk.windows().find(number);
  const sail::Look before = known == nullptr ? sail::Look() : known->look;
  sail::Look look = read_look(call, fields, before);
  const std::string of_gesture = gesture(fields);
  if (auto error = fields.finish()) return *error;
  const auto window = find_unlocked(call, desk, number);
  if (!window) return window.error();

  if (!(*window)->parts.empty() && look.stereo != sail::Stereo::kOff) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("window {} has several senders: no eyes are told apart in it", number));
  }
  const sail::Size picture = sail::picture_size(look, (*window)->frame_size);
  if (!fits(look.crop, picture)) {
    if (call.params.contains("crop")) return out_of_picture(look, picture);
    look.crop = {};
  }
  if (look.crop == sail::Rect{0, 0, picture.width, picture.height}) look.crop = {};
  if (auto good = check_look(desk, **window, look); !good) return good.error();
  const auto standing = standing_for(desk, **window, look);
  if (!standing) return standing.error();
  desk.change({.windows = {{number, *standing}}},
              {.verb = verb_for(before, look), .gesture = of_gesture}, author_of(call.peer));
  return window_now(desk, number);
}

}  // namespace manager::verbs
