// Actions of people at the wall: input to applications and who drives them, pointers, thumbnails.
#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/desk/drivers.h"
#include "manager/desk/thumbnails.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/input.h"
#include "sail/core/wire/rpc.h"

namespace manager::verbs {

namespace {

// Another event of this type follows soon, so a stalled application need not queue this one.
bool is_motion(sail::InputType type) {
  return type == sail::InputType::kMove || type == sail::InputType::kTouchMove ||
         type == sail::InputType::kWheel || type == sail::InputType::kPinch;
}

// Returns the input in the application's pixels.
sail::Input input_for(const Window& window, sail::Input input) {
  if (input.at) {
    std::tie(input.at->x, input.at->y) = sail::source_point(
        window.wall_rect, window.look, window.frame_size, input.at->x, input.at->y);
  }
  std::tie(input.wheel_x, input.wheel_y) =
      sail::source_way(window.look, input.wheel_x, input.wheel_y);
  return input;
}

sail::Result<void> check_takes_input(const Window& window) {
  if (window.takes_input) return {};
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format(
          "window {} accepts no input: its application, '{}', reads neither pointer nor keyboard",
          window.number, window.owner_name));
}

}  // namespace

Answer input(const Call& call, const Desk& desk, Peers& peers, Drivers& drivers) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  const sail::Input input = sail::read_fields<sail::Input>(fields);
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();
  if (auto here = check_program(**window); !here) return here.error();
  if (auto takes = check_takes_input(**window); !takes) return takes.error();
  if (auto may = drivers.admit(call.peer, **window, input.type); !may) return may.error();
  const sail::Json event =
      to_json(sail::StreamInput{.stream = (*window)->stream,
                                .client = static_cast<uint32_t>(call.peer.id()),
                                .input = input_for(**window, input)});
  if (sail::ServicePeer* owner = peers.find((*window)->owner)) {
    const std::string line = sail::notification_line("input", event);
    if (is_motion(input.type)) {
      owner->rpc().offer_line(line);
    } else {
      owner->rpc().send_line(line);
    }
  }
  return sail::Json{{"window", number}};
}

namespace {

enum class DriveAction { kTake, kGive, kRelease };
constexpr sail::Choice<DriveAction, 3> kDriveActions{{{DriveAction::kTake, "take"},
                                                      {DriveAction::kGive, "give"},
                                                      {DriveAction::kRelease, "release"}}};

// Returns the client to whom the window is given.
sail::Result<sail::ServicePeer*> next_driver(Peers& peers, const Window& window, uint64_t client) {
  sail::ServicePeer* to = peers.find(client);
  if (to == nullptr || to->role() != sail::Role::kUi) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no client {}", client));
  }
  if (to->right() >= sail::Right::kPresenter && !is_of_others(*to, window)) return to;
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format("'{}' has no right to control window {}", author_of(*to).name, window.number));
}

}  // namespace

Answer drive(const Call& call, const Desk& desk, Peers& peers, Drivers& drivers) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  DriveAction action = DriveAction::kTake;
  kDriveActions.read(fields, "action", action);
  uint64_t client = call.peer.id();
  if (action == DriveAction::kGive) {
    client = static_cast<uint64_t>(fields.integer("to", 1, std::numeric_limits<uint32_t>::max()));
  }
  if (auto error = fields.finish()) return *error;
  const auto window = window_to_change(call, desk, number);
  if (!window) return window.error();
  if (action == DriveAction::kRelease) {
    if (auto done = drivers.release(call.peer, **window); !done) return done.error();
    return window_now(desk, number);
  }
  if (auto takes = check_takes_input(**window); !takes) return takes.error();
  const auto to = next_driver(peers, **window, client);
  if (!to) return to.error();
  if (auto done = drivers.give(call.peer, **window, **to); !done) return done.error();
  return window_now(desk, number);
}

namespace {

// Reads the wall pixel that contains the point.
PointerPlace read_place(sail::JsonFields& fields) {
  const sail::Json& at = fields.array("at", 2);
  PointerPlace place{.pressed = fields.boolean_or("pressed", false)};
  const auto read = [&at](size_t axis, int& pixel) {
    if (at.size() != 2 || !at[axis].is_number()) return false;
    const double value = std::floor(at[axis].get<double>());
    if (!(std::abs(value) <= sail::kMaxWindowOffset)) return false;
    pixel = static_cast<int>(value);
    return true;
  };
  if (!read(0, place.x) || !read(1, place.y)) {
    fields.mistake("at", "must be [x, y] in wall pixels, at most 1000000 each");
  }
  return place;
}

// Returns the window that a spotlight keeps to; 0: the whole wall.
uint32_t read_style(sail::JsonFields& fields, PointerPlace& place) {
  constexpr int kUsualFactor = 3;
  if (fields.has("style")) sail::kPointerStyles.read(fields, "style", place.style);
  const bool magnifies = place.style == sail::PointerStyle::kMagnifier;
  if (fields.has("factor") && !magnifies) fields.mistake("factor", "needs the style 'magnifier'");
  const auto factor = fields.integer_or("factor", 2, sail::kMaxMagnification, kUsualFactor);
  if (magnifies) place.factor = static_cast<int>(factor);
  if (!fields.has("window")) return 0;
  if (place.style != sail::PointerStyle::kSpotlight) {
    fields.mistake("window", "needs the style 'spotlight'");
  }
  return window_number(fields);
}

sail::Result<sail::Rect> lit_area(const Desk& desk, uint32_t window) {
  const sail::Size wall = desk.wall().size;
  if (window == 0) return sail::Rect{0, 0, wall.width, wall.height};
  const auto found = find_window(desk, window);
  if (!found) return found.error();
  return (*found)->wall_rect;
}

}  // namespace

Answer pointer(const Call& call, const Desk& desk, const Peers& peers, WallOverlay& overlay) {
  sail::JsonFields fields = call.fields();
  const auto number =
      static_cast<int>(fields.integer_or("pointer", 0, Pointers::kMostOfAClient - 1, 0));
  const bool hidden = fields.boolean_or("hidden", false);
  PointerPlace place = hidden ? PointerPlace{} : read_place(fields);
  const uint32_t window = hidden ? 0 : read_style(fields, place);
  if (auto error = fields.finish()) return *error;
  const auto area = lit_area(desk, window);
  if (!area) return area.error();
  if (place.style == sail::PointerStyle::kSpotlight) place.area = *area;
  if (hidden) {
    overlay.hide_pointer(call.peer.id(), number);
  } else {
    const uint32_t colour =
        sail::parse_colour(peers.clients().at(call.peer.id()).colour).value_or(0);
    if (!overlay.move_pointer(call.peer.id(), number, author_of(call.peer).name, colour, place)) {
      return sail::fail(sail::ErrorCode::kLimit,
                        fmt::format("the wall has {} spotlights and magnifiers: hide one first",
                                    sail::kMaxStyledPointers));
    }
  }
  return sail::Json::object();
}

Answer overlay(const Call& call, WallOverlay& overlay) {
  sail::JsonFields fields = call.fields();
  const bool on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  overlay.set_on(on);
  return sail::Json{{"overlay", on}};
}

namespace {

constexpr double kFewestThumbnails = 0.2;  // Per second.

}  // namespace

// Windows that do not exist are not an error of the client: they may just have closed.
Answer watch_thumbnails(const Call& call, ThumbnailExchange& thumbnails) {
  sail::JsonFields fields = call.fields();
  Thumbnails::Watch watch;
  if (fields.has("windows") && call.params["windows"].is_string()) {
    watch.all = fields.string("windows", sail::kMaxNameLength) == "all";
    if (!watch.all) fields.mistake("windows", "must be \"all\" or a list of windows");
  } else {
    for (const sail::Json& item : fields.array("windows", sail::kMaxWindows)) {
      const auto number = sail::whole_number(item, 1, std::numeric_limits<uint32_t>::max());
      if (!number) fields.mistake("windows", "must be \"all\" or a list of windows");
      if (number) watch.windows.insert(static_cast<uint32_t>(*number));
    }
  }
  watch.width = static_cast<int>(
      fields.integer_or("width", sail::kMinThumbnailSide, sail::kMaxThumbnailSide, watch.width));
  watch.per_second = fields.number_or("per_second", kFewestThumbnails,
                                      sail::kMaxThumbnailsPerSecond, watch.per_second);
  if (auto error = fields.finish()) return *error;
  thumbnails.watch(call.peer.id(), std::move(watch));
  return sail::Json::object();
}

}  // namespace manager::verbs
