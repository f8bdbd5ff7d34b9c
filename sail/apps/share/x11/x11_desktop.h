// An X11 desktop for vitrail-share. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/desktop/desktop.h"
#include "sail/apps/desktop/desktop_frame.h"
#include "sail/apps/share/x11/x11_capture.h"
#include "sail/apps/share/x11/x11_connection.h"
#include "sail/apps/share/x11/x11_cursor.h"
#include "sail/apps/share/x11/x11_input.h"

namespace sail {

class X11Desktop final : public Desktop {
 public:
  // An OpenDesktop; does not wait for the user.
  static Result<std::unique_ptr<Desktop>> open(const ShareOptions& options,
                                               const std::function<bool()>& stopped);
  // Prints the windows to standard output, one per line.
  static Result<void> list_windows(const std::string& display);

  std::string title() const override { return window_title_; }
  bool takes_input() const override { return input_ != nullptr; }
  Result<bool> pump() override;
  Size size() const override { return capture_->size(); }
  void begin_frame() override { capture_->begin_frame(); }
  bool update() override;
  sail_status submit_to(WallWindow& window) override;
  bool obey(const sail_input& input) override;

 private:
  explicit X11Desktop(std::unique_ptr<X11Connection> x11) : x11_(std::move(x11)) {}
  Result<void> begin(const ShareOptions& options);

  const std::unique_ptr<X11Connection> x11_;  // first member: the others use it
  std::string window_title_;                  // of the shared window
  std::unique_ptr<X11Capture> capture_;
  std::optional<X11Cursor> cursor_;
  bool hides_cursor_ = false;
  bool cursor_appears_ = false;
  std::unique_ptr<X11Input> input_;  // set with --control
  CursorOverlay overlay_;
};

}  // namespace sail
