#include "sail/apps/share/x11/x11_capture.h"

#include <fmt/core.h>
#include <xcb/composite.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sail {
namespace {

uint8_t event_type(const xcb_generic_event_t& event) {
  return event.response_type & 0x7f;
}

// Casts an event to its type, which the caller has checked.
template <typename Event>
const Event& as(const xcb_generic_event_t& event) {
  return reinterpret_cast<const Event&>(event);
}

}  // namespace

Result<std::unique_ptr<X11Capture>> X11Capture::start(X11Connection& x11, const Target& target) {
  std::unique_ptr<X11Capture> capture(new X11Capture(x11, target));
  if (auto watched = capture->watch(); !watched) return watched.error();
  if (capture->source_.rect().empty()) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("the region lies outside the screen, which has {}x{} pixels",
                            x11.screen().width_in_pixels, x11.screen().height_in_pixels));
  }
  return capture;
}

X11Capture::X11Capture(X11Connection& x11, const Target& target)
    : x11_(x11), window_(target.window.value_or(x11.screen().root)), region_(target.region) {}

X11Capture::~X11Capture() {
  if (x11_.lost()) return;
  drop_pixmap();
  if (damage_ != XCB_NONE && !window_lost_) xcb_damage_destroy(x11_.get(), damage_);
  if (damaged_region_ != XCB_NONE) xcb_xfixes_destroy_region(x11_.get(), damaged_region_);
  xcb_flush(x11_.get());
}

Result<void> X11Capture::watch() {
  const uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;
  xcb_change_window_attributes(x11_.get(), window_, XCB_CW_EVENT_MASK, &mask);
  // Query after selecting events, so that no change is missed.
  const X11Reply<xcb_get_geometry_reply_t> geometry(
      xcb_get_geometry_reply(x11_.get(), xcb_get_geometry(x11_.get(), window_), nullptr));
  const X11Reply<xcb_get_window_attributes_reply_t> attributes(xcb_get_window_attributes_reply(
      x11_.get(), xcb_get_window_attributes(x11_.get(), window_), nullptr));
  if (!geometry || !attributes) {
    return fail(ErrorCode::kNotFound, fmt::format("the window {:#x} no longer exists", window_));
  }
  border_ = geometry->border_width;
  mapped_ = attributes->map_state == XCB_MAP_STATE_VIEWABLE;
  resized({geometry->width, geometry->height});
  if (!covers_screen() && x11_.extensions().composite) {
    xcb_composite_redirect_window(x11_.get(), window_, XCB_COMPOSITE_REDIRECT_AUTOMATIC);
  }
  if (x11_.extensions().damage) {
    damage_ = xcb_generate_id(x11_.get());
    xcb_damage_create(x11_.get(), damage_, window_, XCB_DAMAGE_REPORT_LEVEL_NON_EMPTY);
    damaged_region_ = xcb_generate_id(x11_.get());
    xcb_xfixes_create_region(x11_.get(), damaged_region_, 0, nullptr);
  }
  return {};
}

void X11Capture::resized(Size window_size) {
  const Rect whole{0, 0, window_size.width, window_size.height};
  const Rect rect = region_ ? intersect(*region_, whole) : whole;
  source_ = {rect.x, rect.y, rect.width, rect.height};
}

void X11Capture::obey(const xcb_generic_event_t& event) {
  const uint8_t type = event_type(event);
  if (x11_.extensions().damage && type == x11_.extensions().damage_event + XCB_DAMAGE_NOTIFY) {
    damaged_ = true;
  } else if (type == XCB_CONFIGURE_NOTIFY) {
    const auto& configured = as<xcb_configure_notify_event_t>(event);
    if (configured.window != window_) return;
    const Size before = size();
    border_ = configured.border_width;
    resized({configured.width, configured.height});
    if (size() == before) return;
    drop_pixmap();  // a resized window has a new pixmap
    all_damaged_ = true;
  } else if (type == XCB_UNMAP_NOTIFY && as<xcb_unmap_notify_event_t>(event).window == window_) {
    mapped_ = false;
  } else if (type == XCB_MAP_NOTIFY && as<xcb_map_notify_event_t>(event).window == window_) {
    mapped_ = true;
    drop_pixmap();  // a newly mapped window has a new pixmap
    all_damaged_ = true;
  } else if (type == XCB_DESTROY_NOTIFY &&
             as<xcb_destroy_notify_event_t>(event).window == window_) {
    window_lost_ = true;
  }
}

void X11Capture::begin_frame() {
  drop_pixmap();
  image_ = std::make_unique<X11Image>(x11_, size());
  if (damage_ == XCB_NONE) {
    kept_.assign(image_->pixels(), image_->pixels() + image_->stride() * size().height);
  }
  all_damaged_ = true;
}

bool X11Capture::update() {
  // During a resize the pixels still have the old size.
  if (window_lost_ || !mapped_ || !image_ || image_->size() != size()) return false;
  if (damage_ == XCB_NONE) return compare();
  const std::vector<RowBand> bands = take_damage();
  bool changed = false;
  for (const RowBand& rows : bands) {
    if (fetch(rows)) {
      changed = true;
    } else {
      drop_pixmap();
      all_damaged_ = true;  // try again
    }
  }
  return changed;
}

std::vector<RowBand> X11Capture::take_damage() {
  if (!damaged_ && !all_damaged_) return {};
  // Reset the damage before reading: drawing in the meantime counts as new damage.
  xcb_damage_subtract(x11_.get(), damage_, XCB_NONE, damaged_region_);
  const X11Reply<xcb_xfixes_fetch_region_reply_t> region(xcb_xfixes_fetch_region_reply(
      x11_.get(), xcb_xfixes_fetch_region(x11_.get(), damaged_region_), nullptr));
  damaged_ = false;
  if (std::exchange(all_damaged_, false) || !region) return {{0, size().height}};
  const xcb_rectangle_t* found = xcb_xfixes_fetch_region_rectangles(region.get());
  std::vector<Rect> rects;
  for (int i = 0; i < xcb_xfixes_fetch_region_rectangles_length(region.get()); ++i) {
    rects.push_back({found[i].x, found[i].y, found[i].width, found[i].height});
  }
  return bands_of(std::move(rects), source_.rect());
}

bool X11Capture::fetch(const RowBand& rows) {
  if (covers_screen()) {
    return image_->fetch(window_, source_.x, source_.y, rows, source_.rect());
  }
  if (x11_.extensions().composite) {
    if (pixmap_ == XCB_NONE) take_pixmap();
    return image_->fetch(pixmap_, border_, border_, rows,
                         {border_, border_, source_.width, source_.height});
  }
  // Without XComposite: read the part of the screen where the window is.
  const X11Reply<xcb_translate_coordinates_reply_t> at(xcb_translate_coordinates_reply(
      x11_.get(), xcb_translate_coordinates(x11_.get(), window_, x11_.screen().root, 0, 0),
      nullptr));
  if (!at) return false;
  return image_->fetch(x11_.screen().root, at->dst_x, at->dst_y, rows,
                       {0, 0, x11_.screen().width_in_pixels, x11_.screen().height_in_pixels});
}

bool X11Capture::compare() {
  if (!fetch({0, size().height})) return false;
  const auto row_bytes = static_cast<size_t>(image_->stride());
  bool changed = std::exchange(all_damaged_, false);
  for (int row = 0; row < size().height; ++row) {
    const uint8_t* now = image_->pixels() + row * image_->stride();
    uint8_t* before = kept_.data() + row * image_->stride();
    if (std::memcmp(now, before, row_bytes) == 0) continue;
    std::memcpy(before, now, row_bytes);
    changed = true;
  }
  return changed;
}

FramePixels X11Capture::frame() {
  return {kept_.empty() ? image_->pixels() : kept_.data(), image_->stride(), image_->size()};
}

void X11Capture::take_pixmap() {
  pixmap_ = xcb_generate_id(x11_.get());
  xcb_composite_name_window_pixmap(x11_.get(), window_, pixmap_);
}

void X11Capture::drop_pixmap() {
  if (pixmap_ != XCB_NONE) xcb_free_pixmap(x11_.get(), std::exchange(pixmap_, XCB_NONE));
}

}  // namespace sail
