#include "manager/window_stack.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/wire/limits.h"

namespace manager {

sail::Result<Window*> WindowStack::open(Window window, const Window* beneath) {
  if (windows_.size() >= sail::kMaxWindows) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the wall has {} windows, the most it can: close some", sail::kMaxWindows));
  }
  window.number = next_number_++;
  const auto place =
      beneath == nullptr ? windows_.end() : windows_.begin() + (beneath - windows_.data()) + 1;
  return &*windows_.insert(place, std::move(window));
}

bool WindowStack::remove(uint32_t number) {
  return std::erase_if(windows_, [&](const Window& window) { return window.number == number; }) > 0;
}

std::vector<Window>::iterator WindowStack::at(uint32_t number) {
  return std::find_if(windows_.begin(), windows_.end(),
                      [&](const Window& window) { return window.number == number; });
}

Window* WindowStack::find(uint32_t number) {
  const auto it = at(number);
  return it == windows_.end() ? nullptr : &*it;
}

const Window* WindowStack::find(uint32_t number) const {
  const auto it = std::find_if(windows_.begin(), windows_.end(),
                               [&](const Window& window) { return window.number == number; });
  return it == windows_.end() ? nullptr : &*it;
}

std::vector<uint32_t> WindowStack::owned_by(uint64_t owner) const {
  std::vector<uint32_t> numbers;
  for (const Window& window : windows_) {
    if (window.owner == owner) numbers.push_back(window.number);
  }
  return numbers;
}

bool WindowStack::raise(uint32_t number) {
  const auto it = at(number);
  if (it == windows_.end() || it + 1 == windows_.end()) return false;
  std::rotate(it, it + 1, windows_.end());
  return true;
}

bool WindowStack::lower(uint32_t number) {
  const auto it = at(number);
  if (it == windows_.end() || it == windows_.begin()) return false;
  std::rotate(windows_.begin(), it, it + 1);
  return true;
}

sail::Result<sail::Rect> window_place(const WideRect& place) {
  const auto side_fits = [](int64_t side) { return side >= 1 && side <= sail::kMaxWindowSide; };
  const auto offset_fits = [](int64_t offset) {
    return offset >= -sail::kMaxWindowOffset && offset <= sail::kMaxWindowOffset;
  };
  if (!side_fits(place.width) || !side_fits(place.height)) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("a window of {}×{}: each side is 1 to {} wall pixels",
                                  place.width, place.height, sail::kMaxWindowSide));
  }
  if (!offset_fits(place.x) || !offset_fits(place.y)) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("a window at {}, {}: each is {} to {} wall pixels", place.x,
                                  place.y, -sail::kMaxWindowOffset, sail::kMaxWindowOffset));
  }
  return sail::Rect{static_cast<int>(place.x), static_cast<int>(place.y),
                    static_cast<int>(place.width), static_cast<int>(place.height)};
}

}  // namespace manager
