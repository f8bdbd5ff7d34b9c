#include "manager/wall/window_stack.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "manager/wall/partitions.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/picture_map.h"

namespace manager {

std::string LostProgram::sentence() const {
  return fmt::format("'{}' has been lost since {:%H:%M:%S}: {}", name, fmt::localtime(since_s),
                     why);
}

std::string Window::silent_sentence() const {
  if (!no_signal()) return {};
  return fmt::format("no signal since {:%H:%M:%S}", fmt::localtime(playback->silent_since_s));
}

std::string Window::absent_sentence() const {
  const auto first = std::ranges::find_if(parts, &WindowPart::absent);
  if (first == parts.end()) return {};
  const auto more = std::ranges::count_if(first + 1, parts.end(), &WindowPart::absent);
  const char* others = absent == sail::AbsentPart::kWait   ? "the others wait for it"
                       : absent == sail::AbsentPart::kLast ? "its part is frozen"
                                                           : "its part is dark";
  return fmt::format(
      "rank {} of {}{} {} since {:%H:%M:%S}: {}{}", first - parts.begin(), parts.size(),
      first->owner_name.empty() ? "" : fmt::format(" ({})", first->owner_name),
      first->owner == 0 ? "has been gone" : "has submitted no frames",
      fmt::localtime(first->since_s), others, more == 0 ? "" : fmt::format(" (and {} more)", more));
}

sail::Size Window::shown_size(const sail::ViewTransform& by) const {
  sail::Size shown = sail::shown_size(by, frame_size);
  if (shape == sail::Size()) return shown;
  int& across = sail::orientation(by).turned ? shown.height : shown.width;
  const double wider = static_cast<double>(shape.width) * frame_size.height /
                       (static_cast<double>(shape.height) * frame_size.width);
  across = std::max(static_cast<int>(std::lround(across * wider)), 1);
  return shown;
}

sail::ViewTransform Window::filling(const sail::Rect& area) const {
  sail::ViewTransform now = look;
  const sail::Size picture = sail::picture_size(now, frame_size);
  const sail::Rect whole{0, 0, picture.width, picture.height};
  if (now.crop.empty() || filled()) now.crop = whole;
  const sail::Size shown = shown_size(now);
  const double wider = static_cast<double>(shown.width) * area.height /
                       (static_cast<double>(shown.height) * area.width);
  double across = std::min(1 / wider, 1.0);
  double down = std::min(wider, 1.0);
  if (sail::orientation(now).turned) std::swap(across, down);
  const sail::Rect all = now.crop;
  const auto part = [](int of, double share) {
    return std::clamp(static_cast<int>(std::lround(of * share)), 1, of);
  };
  now.crop.width = part(all.width, across);
  now.crop.height = part(all.height, down);
  now.crop.x += (all.width - now.crop.width) / 2;
  now.crop.y += (all.height - now.crop.height) / 2;
  if (now.crop == whole) now.crop = {};
  return now;
}

bool Window::filled() const {
  const sail::Rect& crop = look.crop;
  const sail::Size picture = sail::picture_size(look, frame_size);
  return !crop.empty() && (crop.width == picture.width || crop.height == picture.height) &&
         crop.x == (picture.width - crop.width) / 2 && crop.y == (picture.height - crop.height) / 2;
}

WindowPlacement Window::moved_to(const sail::Rect& rect) const {
  WindowPlacement placement{.wall_rect = rect};
  const bool same_size = rect.width == wall_rect.width && rect.height == wall_rect.height;
  if (!same_size || before_maximised) return placement;
  const auto beside = [](int at) {
    return std::clamp(at, -sail::kMaxWindowOffset, sail::kMaxWindowOffset);
  };
  placement.place = {beside(place.x + rect.x - wall_rect.x), beside(place.y + rect.y - wall_rect.y),
                     place.width, place.height};
  return placement;
}

WindowPlacement Window::following(const sail::Rect& from, const sail::Rect& to) const {
  const sail::Rect inside = sail::intersect(place, from);
  WindowPlacement placement{.wall_rect = follow_partition(wall_rect, shown_size(), from, to)};
  if (wall_rect == from && filled()) placement.look = filling(to);
  placement.place = follow_partition(inside, {inside.width, inside.height}, from, to);
  return placement;
}

sail::Result<Window*> WindowStack::open(Window window) {
  const size_t streams = std::max<size_t>(window.parts.size(), 1);
  if (window_of_stream_.size() + streams > sail::kMaxWindows) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the wall has {} windows, the maximum: close some", windows_.size()));
  }
  if (window.number == 0) {
    window.number = window.stream = next_number_++;
  } else {
    skip_number(std::max(window.number, window.stream));
  }
  if (!window.parts.empty()) window.parts.front().stream = window.stream;
  for (const WindowPart& part : window.parts) skip_number(part.stream);
  for (WindowPart& part : window.parts) {
    if (part.stream == 0) part.stream = next_number_++;
    window_of_stream_[part.stream] = window.number;
  }
  if (!window.parts.empty()) window.stream = window.parts.front().stream;
  window_of_stream_[window.stream] = window.number;
  const auto above = std::ranges::upper_bound(windows_, window.layer(), {}, &Window::layer);
  const auto opened = windows_.insert(above, std::move(window));
  index_from(static_cast<size_t>(opened - windows_.begin()));
  return &*opened;
}

void WindowStack::replace_part(uint32_t number, size_t rank, WindowPart part) {
  Window& window = *find(number);
  window_of_stream_.erase(window.parts[rank].stream);
  if (part.stream == 0) part.stream = next_number_++;
  skip_number(part.stream);
  window_of_stream_[part.stream] = number;
  if (rank == 0) {
    window.stream = part.stream;
    window.owner = part.owner;
    window.secret = part.secret;
  }
  window.parts[rank] = std::move(part);
}

sail::IpAddress WindowStack::free_multicast_group(const sail::MulticastRange& range) const {
  std::set<sail::IpAddress> taken;
  if (const auto test = range.test_group()) taken.insert(*test);
  for (const Window& window : windows_) taken.insert(window.multicast);
  for (uint64_t number = 0; number < range.count(); ++number) {
    if (const auto group = range.group(number); !taken.contains(group)) return group;
  }
  return {};
}

Window* WindowStack::replace(uint32_t number, Window window) {
  Window& place = *find(number);
  window_of_stream_.erase(place.stream);
  window.number = number;
  window.stream = next_number_++;
  window_of_stream_[window.stream] = number;
  place = std::move(window);
  return &place;
}

bool WindowStack::remove(uint32_t number) {
  const auto found = places_.find(number);
  if (found == places_.end()) return false;
  const size_t place = found->second;
  places_.erase(found);
  for (const WindowPart& part : windows_[place].parts) window_of_stream_.erase(part.stream);
  window_of_stream_.erase(windows_[place].stream);
  windows_.erase(windows_.begin() + static_cast<std::ptrdiff_t>(place));
  index_from(place);
  return true;
}

void WindowStack::index_from(size_t first) {
  for (size_t i = first; i < windows_.size(); ++i) places_[windows_[i].number] = i;
}

Window* WindowStack::find(uint32_t number) {
  const auto found = places_.find(number);
  return found == places_.end() ? nullptr : &windows_[found->second];
}

const Window* WindowStack::find(uint32_t number) const {
  return const_cast<WindowStack*>(this)->find(number);
}

const Window* WindowStack::find_stream(uint32_t stream) const {
  const auto found = window_of_stream_.find(stream);
  return found == window_of_stream_.end() ? nullptr : find(found->second);
}

std::vector<uint32_t> WindowStack::owned_by(uint64_t owner) const {
  std::vector<uint32_t> numbers;
  for (const Window& window : windows_) {
    const bool of_part =
        std::ranges::find(window.parts, owner, &WindowPart::owner) != window.parts.end();
    if (window.parts.empty() ? window.owner == owner : of_part) numbers.push_back(window.number);
  }
  return numbers;
}

std::vector<uint32_t> WindowStack::order() const {
  std::vector<uint32_t> numbers;
  numbers.reserve(windows_.size());
  for (const Window& window : windows_) numbers.push_back(window.number);
  return numbers;
}

std::vector<size_t> WindowStack::places_of(const std::vector<uint32_t>& order) const {
  std::vector<size_t> places;
  places.reserve(order.size());
  for (const uint32_t number : order) {
    if (const auto found = places_.find(number); found != places_.end()) {
      places.push_back(found->second);
    }
  }
  std::ranges::stable_sort(places, {}, [this](size_t place) { return windows_[place].layer(); });
  return places;
}

bool WindowStack::would_reorder(const std::vector<uint32_t>& order) const {
  std::vector<size_t> places = places_of(order);
  if (std::is_sorted(places.begin(), places.end())) return false;
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) == places.end();
}

bool WindowStack::reorder(const std::vector<uint32_t>& order) {
  if (!would_reorder(order)) return false;
  const std::vector<size_t> wanted = places_of(order);  // In the order of the windows to place.
  std::vector<size_t> free = wanted;
  std::sort(free.begin(), free.end());
  std::vector<Window> moved;
  moved.reserve(wanted.size());
  for (const size_t place : wanted) moved.push_back(std::move(windows_[place]));
  for (size_t i = 0; i < free.size(); ++i) windows_[free[i]] = std::move(moved[i]);
  index_from(free.front());
  return true;
}

WideRect resized(const Window& window, int64_t width, int64_t height) {
  WideRect place{window.wall_rect.x, window.wall_rect.y, width, height};
  const sail::Size frame = window.shown_size();
  // Rounds to the nearest pixel, at least 1.
  if (width == 0)
    place.width = std::max<int64_t>((height * frame.width + frame.height / 2) / frame.height, 1);
  if (height == 0)
    place.height = std::max<int64_t>((width * frame.height + frame.width / 2) / frame.width, 1);
  return place;
}

sail::Result<sail::Rect> window_place(const WideRect& place) {
  const auto side_fits = [](int64_t side) { return side >= 1 && side <= sail::kMaxWindowSide; };
  const auto offset_fits = [](int64_t offset) {
    return offset >= -sail::kMaxWindowOffset && offset <= sail::kMaxWindowOffset;
  };
  if (!side_fits(place.width) || !side_fits(place.height)) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the window size {}×{} is invalid: each side must be 1 to {} wall pixels",
                    place.width, place.height, sail::kMaxWindowSide));
  }
  if (!offset_fits(place.x) || !offset_fits(place.y)) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("the window position {}, {} is invalid: x and y must be {} to {} wall pixels",
                    place.x, place.y, -sail::kMaxWindowOffset, sail::kMaxWindowOffset));
  }
  return sail::Rect{static_cast<int>(place.x), static_cast<int>(place.y),
                    static_cast<int>(place.width), static_cast<int>(place.height)};
}

std::vector<uint32_t> raised(const std::vector<uint32_t>& order,
                             const std::vector<uint32_t>& which) {
  const std::unordered_set<uint32_t> top(which.begin(), which.end());
  std::vector<uint32_t> result = order;
  std::stable_partition(result.begin(), result.end(),
                        [&](uint32_t number) { return !top.contains(number); });
  return result;
}

std::vector<uint32_t> lowered(const std::vector<uint32_t>& order,
                              const std::vector<uint32_t>& which) {
  const std::unordered_set<uint32_t> bottom(which.begin(), which.end());
  std::vector<uint32_t> result = order;
  std::stable_partition(result.begin(), result.end(),
                        [&](uint32_t number) { return bottom.contains(number); });
  return result;
}

SavedWindow saved_window(const Window& window, int64_t now_ns) {
  SavedWindow saved{.number = window.number,
                    .title = window.title,
                    .owner = window.owner_name,
                    .frame_size = window.frame_size,
                    .placement = window.placement(),
                    .content = window.content,
                    .group = window.group,
                    .cover = window.cover};
  if (window.playback) {
    saved.playback = window.playback;
    saved.playback->position_s =
        window.playback->live ? 0 : sail::position_at(*window.playback, now_ns);
    saved.playback->at_ns = now_ns;
  }
  return saved;
}

namespace {

void add_streams(const Window& window, std::vector<WindowStream>& streams) {
  const auto on_wall = [&](const sail::Rect& rect) { return window.hidden ? sail::Rect() : rect; };
  if (window.parts.empty()) {
    streams.push_back({.window = &window,
                       .stream = window.stream,
                       .owner = window.owner,
                       .secret = window.secret,
                       .frame_size = window.frame_size,
                       .wall_rect = on_wall(window.wall_rect)});
  }
  for (const WindowPart& part : window.parts) {
    streams.push_back({.window = &window,
                       .stream = part.stream,
                       .owner = part.owner,
                       .secret = part.secret,
                       .frame_size = {part.region.width, part.region.height},
                       .wall_rect = on_wall(sail::part_rect(window.wall_rect, window.look,
                                                            window.frame_size, part.region)),
                       .part = sail::FramePart{window.wall_rect, part.region, window.frame_size},
                       .dark = part.absent() && window.absent == sail::AbsentPart::kDark});
  }
}

}  // namespace

std::vector<WindowStream> streams_of(const Window& window) {
  std::vector<WindowStream> streams;
  add_streams(window, streams);
  return streams;
}

std::vector<WindowStream> streams_of(const std::vector<Window>& windows) {
  std::vector<WindowStream> streams;
  streams.reserve(windows.size());
  for (const Window& window : windows) add_streams(window, streams);
  return streams;
}

}  // namespace manager
