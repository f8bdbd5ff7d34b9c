#include "sail/core/routing/router.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace sail {
namespace {

// If there are more changed rectangles than 1/4 of the windows, computing all maps is cheaper.
constexpr size_t kManyChanged = 4;

// Indices of the elements outside the longest increasing subsequence: the fewest elements that must
// move to sort the sequence. The elements are unique.
std::vector<size_t> out_of_order(const std::vector<size_t>& sequence) {
  constexpr size_t kNone = SIZE_MAX;
  std::vector<size_t> tails;  // index of the smallest last element for each length
  std::vector<size_t> before(sequence.size(), kNone);
  for (size_t i = 0; i < sequence.size(); ++i) {
    const auto tail =
        std::lower_bound(tails.begin(), tails.end(), sequence[i],
                         [&](size_t place, size_t value) { return sequence[place] < value; });
    if (tail != tails.begin()) before[i] = *(tail - 1);
    tail == tails.end() ? tails.push_back(i) : void(*tail = i);
  }
  std::vector<bool> stays(sequence.size());
  for (size_t i = tails.empty() ? kNone : tails.back(); i != kNone; i = before[i]) stays[i] = true;
  std::vector<size_t> moved;
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (!stays[i]) moved.push_back(i);
  }
  return moved;
}

// Differences between two window stacks.
struct Difference {
  std::vector<bool> changed;  // per window of the new stack: new, changed, or moved in z-order
  std::vector<Rect> places;   // old and new rectangles of changed windows
};

Difference difference(const std::vector<RoutedWindow>& before,
                      const std::vector<RoutedWindow>& now) {
  Difference result{.changed = std::vector<bool>(now.size()), .places = {}};
  std::unordered_map<uint32_t, size_t> known;
  known.reserve(before.size());
  for (size_t i = 0; i < before.size(); ++i) known.emplace(before[i].window, i);
  std::vector<bool> stayed(before.size());
  std::vector<size_t> places_before;  // old indices of windows in both stacks
  std::vector<size_t> places_now;
  for (size_t i = 0; i < now.size(); ++i) {
    const auto it = known.find(now[i].window);
    result.changed[i] = it == known.end() || before[it->second] != now[i];
    if (result.changed[i]) result.places.push_back(now[i].wall_rect);
    if (it == known.end()) continue;
    stayed[it->second] = true;
    if (result.changed[i]) result.places.push_back(before[it->second].wall_rect);
    places_before.push_back(it->second);
    places_now.push_back(i);
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (!stayed[i]) result.places.push_back(before[i].wall_rect);
  }
  if (std::is_sorted(places_before.begin(), places_before.end())) return result;
  for (const size_t moved : out_of_order(places_before)) {
    const size_t i = places_now[moved];
    result.changed[i] = true;
    result.places.push_back(now[i].wall_rect);
  }
  return result;
}

}  // namespace

// A map depends on its window and on the windows above it. Unchanged windows keep their relative
// order. So the map of an unchanged window can differ only if it intersects the old or new
// rectangle of a changed one.
std::vector<size_t> Router::may_differ(const std::vector<RoutedWindow>& windows) const {
  const Difference found = difference(windows_, windows);
  std::vector<size_t> indices;
  const bool many = found.places.size() * kManyChanged > windows.size();
  for (size_t i = 0; i < windows.size(); ++i) {
    const auto meets = [&](const Rect& place) {
      return !intersect(place, windows[i].wall_rect).empty();
    };
    if (many || found.changed[i] || std::any_of(found.places.begin(), found.places.end(), meets)) {
      indices.push_back(i);
    }
  }
  return indices;
}

std::vector<Router::Routed> Router::update(std::vector<RoutedWindow> windows) {
  const std::vector<size_t> indices = may_differ(windows);
  std::vector<RoutingMap> maps = route(wall_, windows, indices);
  std::vector<Routed> routed;
  routed.reserve(indices.size());
  for (size_t i = 0; i < indices.size(); ++i) routed.push_back({indices[i], std::move(maps[i])});
  windows_ = std::move(windows);
  return routed;
}

}  // namespace sail
