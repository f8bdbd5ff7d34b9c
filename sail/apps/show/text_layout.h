// Text as a still: a note, or a clock. Drawn by Pango and Cairo with the machine's fonts, in any
// script and direction, at the resolution of the wall.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sail/apps/show/still.h"

namespace sail {

class TextLayout : public Still {
 public:
  // medium: "note:TEXT", with line breaks written as "\n" (backslash and n), or "clock:[ZONE]" with
  // a time zone name; without a name, local time. kInvalidParams: empty note or unknown zone.
  static Result<std::unique_ptr<TextLayout>> open(std::string_view medium);
  ~TextLayout() override;

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  struct Impl;
  explicit TextLayout(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Returns the window title: a note's first line, or the clock's zone.
std::string title_of_writing(std::string_view medium);

}  // namespace sail
