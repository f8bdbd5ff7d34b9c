#include "manager/sessions/expected_windows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace manager {

void ExpectedWindows::expect(std::vector<SavedWindow> windows) {
  windows_ = std::move(windows);
  order_.clear();
  for (const SavedWindow& window : windows_) order_.push_back(window.number);
}

std::optional<SavedWindow> ExpectedWindows::take(std::string_view mark, std::string_view title,
                                                 std::string_view owner) {
  const auto is_its = [&](const SavedWindow& window) {
    if (!mark.empty() || !window.mark.empty()) return window.mark == mark;
    return window.title == title && window.owner == owner;
  };
  // A program may have several windows, so prefer the same title.
  auto it = std::ranges::find_if(
      windows_, [&](const SavedWindow& window) { return is_its(window) && window.title == title; });
  if (it == windows_.end()) it = std::ranges::find_if(windows_, is_its);
  if (it == windows_.end()) return std::nullopt;
  SavedWindow window = std::move(*it);
  windows_.erase(it);
  return window;
}

bool ExpectedWindows::shows(std::string_view mark,
                            const std::optional<sail::Content>& content) const {
  return std::ranges::any_of(windows_, [&](const SavedWindow& window) {
    const bool same = content && window.content && !content->media.empty() &&
                      window.content->media == content->media;
    return same || (!mark.empty() && window.mark == mark);
  });
}

void ExpectedWindows::opened(uint32_t old_number, uint32_t new_number) {
  std::replace(order_.begin(), order_.end(), old_number, new_number);
}

void ExpectedWindows::add_to(std::vector<SavedWindow>& windows) const {
  for (const SavedWindow& window : windows_) {
    if (std::ranges::find(windows, window.number, &SavedWindow::number) != windows.end()) continue;
    const auto below = std::ranges::find(order_, window.number) - order_.begin();
    const auto place =
        windows.insert(windows.begin() + std::min(below, std::ssize(windows)), window);
    place->thumbnail = nullptr;  // The pictures of open windows may fill the message.
  }
}

void ExpectedWindows::forget(uint32_t number) {
  std::erase_if(windows_, [number](const SavedWindow& window) { return window.number == number; });
}

void ExpectedWindows::forget_decoration(const Decoration& place) {
  std::erase_if(windows_, [&place](const SavedWindow& window) {
    return window.decorates() && window.content->decoration->shares_place(place);
  });
}

namespace {

bool shows_the_same(const SavedWindow& saved, const Window& window) {
  return saved.content && window.content && saved.content->media == window.content->media &&
         saved.content->command == window.content->command;
}

}  // namespace

std::vector<SavedWindow> ExpectedWindows::take_rest(const std::vector<Window>& present) {
  std::vector<SavedWindow> rest = std::exchange(windows_, {});
  for (const Window& window : present) {
    if (std::ranges::find(order_, window.number) != order_.end()) continue;  // It was expected.
    const auto same = std::ranges::find_if(
        rest, [&](const SavedWindow& saved) { return shows_the_same(saved, window); });
    if (same != rest.end()) rest.erase(same);
  }
  return rest;
}

}  // namespace manager
