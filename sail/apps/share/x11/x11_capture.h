// Captures a screen, a part of it, or a window into a frame. Only damaged areas are read again.
// Without XDamage, everything is read and compared. One thread.
#pragma once

#include <xcb/damage.h>
#include <xcb/xfixes.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sail/apps/desktop/desktop_frame.h"
#include "sail/apps/share/x11/x11_connection.h"
#include "sail/apps/share/x11/x11_image.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class X11Capture {
 public:
  struct Target {
    std::optional<xcb_window_t> window;  // empty: the screen
    std::optional<Rect> region;          // part of the screen
  };
  // x11 must outlive this object. kNotFound: the window does not exist; kInvalidParams: the region
  // is outside of the screen.
  static Result<std::unique_ptr<X11Capture>> start(X11Connection& x11, const Target& target);
  ~X11Capture();
  X11Capture(const X11Capture&) = delete;
  X11Capture& operator=(const X11Capture&) = delete;

  // Handles an event of the server.
  void obey(const xcb_generic_event_t& event);
  // Returns true if the window was closed.
  bool window_lost() const { return window_lost_; }
  // Current size of the target. The frame keeps its old size until begin_frame().
  Size size() const { return source_.size(); }
  // The captured window; the root window for a screen.
  xcb_window_t window() const { return window_; }
  // Position of the frame in that window.
  int left() const { return source_.x; }
  int top() const { return source_.y; }

  // Creates a new, black, fully damaged frame of size().
  void begin_frame();
  // Updates the frame. Returns true if pixels may have changed.
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
  // Gets the window's own pixels, even if it is covered, from XComposite.
  void take_pixmap();
  void drop_pixmap();
  std::vector<RowBand> take_damage();
  bool fetch(const RowBand& rows);
  bool compare();

  X11Connection& x11_;
  const xcb_window_t window_;
  const std::optional<Rect> region_;
  Source source_;
  int border_ = 0;  // width of the window's border, pixels
  bool mapped_ = true;
  bool window_lost_ = false;

  xcb_damage_damage_t damage_ = XCB_NONE;
  xcb_xfixes_region_t damaged_region_ = XCB_NONE;
  bool damaged_ = true;
  bool all_damaged_ = true;
  xcb_pixmap_t pixmap_ = XCB_NONE;

  std::unique_ptr<X11Image> image_;
  std::vector<uint8_t> kept_;  // the frame, if it must be compared with what was read
};

}  // namespace sail
