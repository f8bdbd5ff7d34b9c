#include "manager/expected_windows.h"

#include <algorithm>
#include <utility>

namespace manager {

void ExpectedWindows::expect(std::vector<SavedWindow> windows) {
  windows_ = std::move(windows);
  order_.clear();
  for (const SavedWindow& window : windows_) order_.push_back(window.number);
}

std::optional<SavedWindow> ExpectedWindows::take(std::string_view mark, std::string_view title,
                                                 std::string_view owner) {
  const auto it = std::find_if(windows_.begin(), windows_.end(), [&](const SavedWindow& window) {
    if (!mark.empty() || !window.mark.empty()) return window.mark == mark;
    return window.title == title && window.owner == owner;
  });
  if (it == windows_.end()) return std::nullopt;
  SavedWindow window = std::move(*it);
  windows_.erase(it);
  return window;
}

void ExpectedWindows::opened(uint32_t old_number, uint32_t new_number) {
  std::replace(order_.begin(), order_.end(), old_number, new_number);
}

std::vector<SavedWindow> ExpectedWindows::take_all() {
  return std::exchange(windows_, {});
}

}  // namespace manager
