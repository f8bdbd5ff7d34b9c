// A line of text in the system's fonts, for overlays; any script, including right-to-left. In this
// folder only this file uses Pango. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "receiver/frame/canvas.h"

namespace receiver {

class LineLayout {
 public:
  // Lays out the text as large as fits the area of sail::text_size() at this magnification, which
  // may be a fraction.
  LineLayout(std::string_view text, double unit);
  ~LineLayout();
  LineLayout(LineLayout&& from) noexcept;
  LineLayout& operator=(LineLayout&&) = delete;

  // Returns the width in pixels, at most that area's width.
  int width() const;
  // Blends the text over the premultiplied canvas. (x, y): the area's top left; colour: 0xRRGGBB.
  void draw(const Canvas& canvas, int x, int y, uint32_t colour) const;

  // Loads the fonts, which takes a while the first time.
  static void load_fonts();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace receiver
