// An in-memory X server (Xvfb) for one program. Only programs of this user that have its cookie may
// connect. One thread. Sets $DISPLAY and $XAUTHORITY, so create it before other threads start.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sail/apps/desktop/child_process.h"
#include "sail/apps/desktop/scratch_folder.h"
#include "sail/apps/share/x11/x11_windows.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

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
