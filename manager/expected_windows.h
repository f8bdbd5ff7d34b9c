// Windows of a restored session whose programs may still run: they outlive a manager that was
// killed and come to the next one by themselves. Those that come have their places again; the
// others must be started. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/saved_window.h"

namespace manager {

class ExpectedWindows {
 public:
  // Bottom to top.
  void expect(std::vector<SavedWindow> windows);
  bool empty() const { return windows_.empty(); }

  // An application opens a window: the one that it was, which is expected no longer. mark: of the
  // program that the former manager started; one with a mark is known by that alone.
  std::optional<SavedWindow> take(std::string_view mark, std::string_view title,
                                  std::string_view owner);
  // The window that was taken has this number now.
  void opened(uint32_t old_number, uint32_t new_number);
  // It is not expected any more.
  void forget(uint32_t number);
  // The stack, bottom to top, by the numbers of now for those that are open.
  const std::vector<uint32_t>& order() const { return order_; }
  // Expects nothing any more: those that did not come. present: windows of programs that came back,
  // expected or not; what one of these shows has come, too, though the session is older than its
  // program and knows another (the disk was full, or there was no time to write).
  std::vector<SavedWindow> take_rest(const std::vector<Window>& present);

 private:
  std::vector<SavedWindow> windows_;
  std::vector<uint32_t> order_;
};

}  // namespace manager
