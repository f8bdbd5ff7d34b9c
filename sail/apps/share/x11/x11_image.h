// An image into which the X server writes pixels: B, G, R, X, rows without padding. Uses memory
// shared with the server if possible. One thread.
#pragma once

#include <xcb/shm.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sail/apps/desktop/desktop_frame.h"
#include "sail/apps/share/x11/x11_connection.h"
#include "sail/core/base/geometry.h"

namespace sail {

class X11Image {
 public:
  // Creates a black image. x11 must outlive it.
  X11Image(X11Connection& x11, Size size);
  ~X11Image();
  X11Image(const X11Image&) = delete;
  X11Image& operator=(const X11Image&) = delete;

  Size size() const { return size_; }
  uint8_t* pixels() { return shared_ != nullptr ? shared_ : own_.data(); }
  ptrdiff_t stride() const { return ptrdiff_t{size_.width} * kPixelBytes; }
  bool shared() const { return shared_ != nullptr; }

  // Reads the given rows from the drawable. (x, y) is the drawable's pixel at the image's top left.
  // Pixels outside of `there`, the readable part of the drawable, remain unchanged. Returns false
  // if the server refused.
  bool fetch(xcb_drawable_t drawable, int x, int y, const RowBand& rows, const Rect& there);

 private:
  static constexpr int kPixelBytes = 4;

  void share();
  bool fetch_shared(xcb_drawable_t drawable, const Rect& from, int row);
  bool fetch_copied(xcb_drawable_t drawable, const Rect& from, int column, int row);

  X11Connection& x11_;
  const Size size_;
  xcb_shm_seg_t segment_ = XCB_NONE;
  uint8_t* shared_ = nullptr;
  std::vector<uint8_t> own_;
};

}  // namespace sail
