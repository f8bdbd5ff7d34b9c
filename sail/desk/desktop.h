// What vitrail-share shows, wherever its pixels come from: a desktop, a part or a window of it. The
// frame is kept, so that it can be submitted again. One thread.
#pragma once

#include <sail/sail.h>

#include <functional>
#include <memory>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/share_options.h"
#include "sail/program/wall_window.h"

namespace sail {

class Desktop {
 public:
  Desktop() = default;
  virtual ~Desktop() = default;
  Desktop(const Desktop&) = delete;
  Desktop& operator=(const Desktop&) = delete;

  // Its own name; empty: it has none.
  virtual std::string title() const = 0;
  virtual bool takes_input() const = 0;
  // False: it is dark, since nothing has come of it yet.
  virtual bool has_picture() const { return true; }
  // Hears what has happened since. False: what is shared was closed. kUnavailable: all of the
  // desktop has gone.
  virtual Result<bool> look() = 0;
  // How large it is now. The frame is of another size until begin_frame().
  virtual Size size() const = 0;
  virtual void begin_frame() = 0;
  // Brings the frame up to date. True when any of its pixels, or the pointer, may have changed.
  virtual bool update() = 0;
  // The frame with its pointer, to a window of its size.
  virtual sail_status submit_to(WallWindow& window) = 0;
  // Of one that takes input. False: its keyboard has no such key.
  virtual bool obey(const sail_input& input) = 0;
};

// Finds what the options name. It may wait for people, until stopped() says that nobody wants it
// any more.
using OpenDesktop = std::function<Result<std::unique_ptr<Desktop>>(
    const ShareOptions& options, const std::function<bool()>& stopped)>;

}  // namespace sail
