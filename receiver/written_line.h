// A line of text in the machine's fonts, for what lies over the windows: any script, right to left
// too. Pango lives in this file and nowhere else of this folder. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "receiver/canvas.h"

namespace receiver {

class WrittenLine {
 public:
  // As large as fits into the room that sail::text_size() has for it at that magnification.
  WrittenLine(std::string_view text, int unit);
  ~WrittenLine();
  WrittenLine(WrittenLine&& from) noexcept;
  WrittenLine& operator=(WrittenLine&&) = delete;

  // Pixels; no more than that room has.
  int width() const;
  // Over what the canvas has, whose colours are multiplied by alpha. (x, y): the room's top left.
  // colour: 0xRRGGBB.
  void draw(const Canvas& canvas, int x, int y, uint32_t colour) const;

  // Finds the fonts, which takes a while the first time.
  static void load_fonts();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace receiver
