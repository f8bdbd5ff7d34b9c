// The content that vitrail-share shows, from any source: a desktop, or a part or window of it.
// Keeps the frame, so that it can be submitted again. One thread.
#pragma once

#include <sail/sail.h>

#include <functional>
#include <memory>
#include <string>

#include "sail/apps/desktop/share_options.h"
#include "sail/apps/program/wall_window.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

class Desktop {
 public:
  Desktop() = default;
  virtual ~Desktop() = default;
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  // Name of the content; empty: none.
  virtual std::string title() const = 0;
  virtual bool takes_input() const = 0;
  // False until a picture has arrived; the frame is black.
  virtual bool has_picture() const { return true; }
  // Processes events. Returns false if the content was closed, kUnavailable if the desktop is gone.
  virtual Result<bool> pump() = 0;
  // Current size. The frame keeps its old size until begin_frame().
  virtual Size size() const = 0;
  virtual void begin_frame() = 0;
  // Updates the frame. Returns true if its pixels or the pointer may have changed.
  virtual bool update() = 0;
  // Submits the frame with the pointer to a window of its size.
  virtual sail_status submit_to(WallWindow& window) = 0;
  // Only if takes_input(). Returns false if the keyboard has no such key.
  virtual bool obey(const sail_input& input) = 0;
};

// Opens the desktop chosen by the options. May wait for the user until stopped() returns true.
using OpenDesktop = std::function<Result<std::unique_ptr<Desktop>>(
    const ShareOptions& options, const std::function<bool()>& stopped)>;

}  // namespace sail
