// An X server of our own for one program, and its window manager. One thread.
#pragma once

#include <xcb/xcb.h>

#include <memory>
#include <string>
#include <utility>

#include "sail/apps/desktop/child_process.h"
#include "sail/apps/share/x11/x11_connection.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

// A minimal window manager for a screen with one program: windows fill the screen, dialogues are
// centred, and the newest window gets the keyboard focus. Has a connection of its own.
class X11Windows {
 public:
  // Manages $DISPLAY. Returns kUnavailable if there is another window manager.
  static Result<std::unique_ptr<X11Windows>> manage();

  // Handles pending requests of programs.
  void pump();

 private:
  explicit X11Windows(std::unique_ptr<X11Connection> x11);
  void show(xcb_window_t window);
  // Returns the window's rectangle. wanted: size requested by the program.
  Rect place_of(xcb_window_t window, Size wanted) const;
  void move_to(xcb_window_t window, const Rect& place);
  bool is_dialogue(xcb_window_t window) const;

  const std::unique_ptr<X11Connection> x11_;
};

// An in-memory X server (Xvfb) for one program. Only programs of this user that have its cookie may
// connect. Sets $DISPLAY and $XAUTHORITY, so create it before other threads start.
class PrivateXServer {
 public:
  // Returns when the server accepts clients. kNotFound: Xvfb is not installed; kUnavailable: it
  // does not start within 10 s.
  static Result<std::unique_ptr<PrivateXServer>> start(Size size);
  PrivateXServer(const PrivateXServer&) = delete;
  PrivateXServer& operator=(const PrivateXServer&) = delete;

  // Places newly opened windows. Call regularly.
  void pump() { windows_->pump(); }

 private:
  explicit PrivateXServer(ScratchFolder folder)
      : folder_(std::move(folder)), secrets_((folder_.path() / "secrets").string()) {}
  Result<void> start_server(Size size);

  const ScratchFolder folder_;
  const std::string secrets_;  // path of the $XAUTHORITY file
  std::unique_ptr<ChildProcess> server_;
  std::unique_ptr<X11Windows> windows_;
};

}  // namespace sail
