// Windows of a restored session whose programs may still run: programs survive a killed manager and
// reconnect to the next one. Windows of returning programs get their places back; the other
// programs must be restarted. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/wall/decoration.h"
#include "manager/wall/window_stack.h"
#include "sail/core/wire/content.h"

namespace manager {

class ExpectedWindows {
 public:
  // Bottom to top.
  void expect(std::vector<SavedWindow> windows);
  bool empty() const { return windows_.empty(); }

  // An application opens a window. Returns the matching saved window, which is then no longer
  // expected. mark: identifies a program that an earlier manager started. If the program or the
  // saved window has a mark, the marks must match; otherwise title and owner must match.
  std::optional<SavedWindow> take(std::string_view mark, std::string_view title,
                                  std::string_view owner);
  // Whether a program that some manager started shows one of these windows: it has its mark, or its
  // content. A manager that died may have started the program for the window without having saved
  // the mark.
  bool shows(std::string_view mark, const std::optional<sail::Content>& content) const;
  // The window from take() now has the number new_number.
  void opened(uint32_t old_number, uint32_t new_number);
  // Adds those that are still expected, in their stacking order, unless their number is taken.
  void add_to(std::vector<SavedWindow>& windows) const;
  // The window is no longer expected.
  void forget(uint32_t number);
  void forget_decoration(const Decoration& place);
  // Stacking order, bottom to top. Open windows have their new numbers.
  const std::vector<uint32_t>& order() const { return order_; }
  // Stops waiting and returns the windows that did not come back. present: windows of programs that
  // came back, expected or not. A saved window also counts as back if one of these shows the same
  // content: the session may be older than the program, because the disk was full or there was no
  // time to write.
  std::vector<SavedWindow> take_rest(const std::vector<Window>& present);

 private:
  std::vector<SavedWindow> windows_;
  std::vector<uint32_t> order_;
};

}  // namespace manager
