// An X server in memory (Xvfb) of our own, with one program on it. Only this user's programs that
// were told its secret may use it. One thread; it sets $DISPLAY and $XAUTHORITY, so before others
// start.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/desk/child_process.h"
#include "sail/desk/x11_windows.h"

namespace sail {

class OwnScreen {
 public:
  // Returns when the server takes clients. kNotFound: Xvfb is not installed; kUnavailable: it does
  // not start within 10 s.
  static Result<std::unique_ptr<OwnScreen>> start(Size size);
  ~OwnScreen();
  OwnScreen(const OwnScreen&) = delete;
  OwnScreen& operator=(const OwnScreen&) = delete;

  // Once.
  Result<void> run(const std::vector<std::string>& command);
  // Places windows that were opened since. To be called again and again.
  void look() { windows_->look(); }
  // Nothing while the program runs.
  std::optional<int> exit_code() { return program_->exit_code(); }

 private:
  explicit OwnScreen(std::string secrets) : secrets_(std::move(secrets)) {}
  Result<void> start_server(Size size);

  const std::string secrets_;  // the file of $XAUTHORITY
  std::unique_ptr<ChildProcess> server_;
  std::unique_ptr<X11Windows> windows_;
  std::unique_ptr<ChildProcess> program_;  // it goes first
};

}  // namespace sail
