// Writing as a still: a note's text, or the time of day. Drawn with the fonts of the machine by
// Pango and Cairo, in any script and direction, for the size that it has on the wall.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sail/desk/still.h"

namespace sail {

class WrittenText : public Still {
 public:
  // medium: "note:TEXT", whose lines end with "\n" written out (a backslash and an n), or
  // "clock:[ZONE]", by its name in the zone database or by none that of this machine.
  // kInvalidParams: a note without text, no zone of this name.
  static Result<std::unique_ptr<WrittenText>> open(std::string_view medium);
  ~WrittenText() override;

  int pages() const override { return 1; }
  Result<PageInfo> turn_to(int page) override;
  Result<Raster> draw(const PageView& view) override;

 private:
  struct Impl;
  explicit WrittenText(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// What people call it: a note's first line, the clock's zone.
std::string title_of_writing(std::string_view medium);

}  // namespace sail
