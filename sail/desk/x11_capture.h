// The pixels of a screen, a part of it or a window, kept as a frame into which only what has been
// damaged is read again. Where the server does not tell (XDamage), all is read and compared. One
// thread.
#pragma once

#include <xcb/damage.h>
#include <xcb/xfixes.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/cursor_overlay.h"
#include "sail/desk/row_bands.h"
#include "sail/desk/x11_connection.h"
#include "sail/desk/x11_image.h"

namespace sail {

class X11Capture {
 public:
  struct Target {
    std::optional<xcb_window_t> window;  // none: the screen
    std::optional<Rect> region;          // of the screen
  };
  // x11 outlives it. kNotFound: the window is gone; kInvalidParams: the region is off the screen.
  static Result<std::unique_ptr<X11Capture>> start(X11Connection& x11, const Target& target);
  ~X11Capture();
  X11Capture(const X11Capture&) = delete;
  X11Capture& operator=(const X11Capture&) = delete;

  // Something came from the server.
  void obey(const xcb_generic_event_t& event);
  // The window has been closed; nothing changes any more.
  bool gone() const { return gone_; }
  // How large the target is now. The frame is of another size until begin_frame().
  Size size() const { return source_.size(); }
  // The window that is captured, the root window for the screen.
  xcb_window_t window() const { return window_; }
  // The frame's top left in that window.
  int left() const { return source_.x; }
  int top() const { return source_.y; }

  // A new frame of size(), black, and damaged all over.
  void begin_frame();
  // Brings the frame up to date. True when any of its pixels may have changed.
  bool update();
  FramePixels frame();
  Size frame_size() const { return image_->size(); }

 private:
  struct Source {
    int x = 0;  // in the window
    int y = 0;
    int width = 0;
    int height = 0;
    Size size() const { return {width, height}; }
    Rect rect() const { return {x, y, width, height}; }
  };
  X11Capture(X11Connection& x11, const Target& target);
  bool covers_screen() const { return window_ == x11_.screen().root; }
  Result<void> watch();
  void resized(Size window_size);
  // The window's own pixels, covered or not, as XComposite keeps them.
  void take_pixmap();
  void drop_pixmap();
  std::vector<RowBand> take_damage();
  bool fetch(const RowBand& rows);
  bool compare();

  X11Connection& x11_;
  const xcb_window_t window_;
  const std::optional<Rect> region_;
  Source source_;
  int border_ = 0;  // of the window, pixels
  bool mapped_ = true;
  bool gone_ = false;

  xcb_damage_damage_t damage_ = XCB_NONE;
  xcb_xfixes_region_t damaged_region_ = XCB_NONE;
  bool damaged_ = true;
  bool all_damaged_ = true;
  xcb_pixmap_t pixmap_ = XCB_NONE;

  std::unique_ptr<X11Image> image_;
  std::vector<uint8_t> kept_;  // the frame, where what was read has to be compared with it
};

}  // namespace sail
