#include "ui/pointer/wall_view.h"

#include <algorithm>
#include <optional>

#include "sail/core/text/limits.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

std::optional<uint32_t> window_number(const sail::Json& value) {
  const auto number = sail::whole_number(value, 1, UINT32_MAX);
  return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

sail::Rect rect_of(const sail::Json& window) {
  sail::JsonFields fields(window, "window");
  const sail::Rect rect = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  return fields.finish_open() ? sail::Rect{} : rect;
}

}  // namespace

void WallView::reset(const sail::Json& state) {
  *this = WallView();
  const sail::Json wall = member(state, "wall");
  sail::JsonFields fields(wall, "wall");
  const auto [width, height] = fields.pair("size", 1, sail::kMaxWallSide);
  const double pitch_mm = fields.number_or("pixel_pitch_mm", 0, 1000, 0);
  if (!fields.finish_open()) {
    size_ = {width, height};
    pixel_pitch_mm_ = pitch_mm;
  }
  update(member(state, "windows"));
}

void WallView::apply(const sail::Json& changes) {
  for (const sail::Json& removed : member(changes, "removed")) {
    if (const auto number = window_number(removed)) remove(*number);
  }
  update(member(changes, "windows"));
  const sail::Json order = member(changes, "order");
  if (!order.is_array()) return;
  std::vector<uint32_t> known;
  for (const sail::Json& item : order) {
    const auto number = window_number(item);
    if (number && windows_.contains(*number)) known.push_back(*number);
  }
  order_ = std::move(known);
}

void WallView::remove(uint32_t number) {
  windows_.erase(number);
  std::erase(order_, number);
}

void WallView::update(const sail::Json& windows) {
  for (const sail::Json& item : windows) {
    const auto number = window_number(member(item, "window"));
    if (!number) continue;
    if (true_member(item, "hidden") || item.contains("decoration")) {
      remove(*number);
      continue;
    }
    const bool is_new = !windows_.contains(*number);
    if (is_new && windows_.size() >= sail::kMaxWindows) continue;
    if (is_new) order_.push_back(*number);
    windows_[*number] = {*number, rect_of(item), true_member(item, "locked"),
                         true_member(item, "maximised"), true_member(item, "input")};
  }
}

const ViewedWindow* WallView::find(uint32_t number) const {
  const auto found = windows_.find(number);
  return found == windows_.end() ? nullptr : &found->second;
}

const ViewedWindow* WallView::at(const WallPoint& point) const {
  const auto top = std::find_if(order_.rbegin(), order_.rend(), [&](uint32_t number) {
    const sail::Rect& rect = windows_.at(number).wall_rect;
    return point.x >= rect.x && point.x < rect.right() && point.y >= rect.y &&
           point.y < rect.bottom();
  });
  return top == order_.rend() ? nullptr : &windows_.at(*top);
}

}  // namespace ui
