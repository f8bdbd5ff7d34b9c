// A Wayland session or a window of it, shared by the desktop's portal. The user chooses there what
// to share. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sail/apps/desktop/desktop.h"
#include "sail/apps/share/portal/pipewire_pictures.h"
#include "sail/apps/share/portal/portal_input.h"
#include "sail/apps/share/portal/share_portal.h"
#include "sail/core/time/clock.h"

namespace sail {

class PortalDesktop final : public Desktop {
 public:
  // An OpenDesktop. Returns with the first picture, or after a timeout without one.
  static Result<std::unique_ptr<Desktop>> open(const ShareOptions& options,
                                               const std::function<bool()>& stopped);

  std::string title() const override { return {}; }
  bool takes_input() const override { return portal_->takes_input(); }
  bool has_picture() const override { return came_; }
  Result<bool> pump() override;
  Size size() const override;
  void begin_frame() override { frame_size_ = size(); }
  bool update() override { return std::exchange(newer_, false); }
  sail_status submit_to(WallWindow& window) override;
  bool obey(const sail_input& input) override;

 private:
  PortalDesktop(std::unique_ptr<SharePortal> portal, std::unique_ptr<PipewirePictures> pictures,
                const std::optional<Rect>& region)
      : portal_(std::move(portal)), pictures_(std::move(pictures)), region_(region) {}
  Result<bool> hear(int timeout_ms);
  Result<void> await_picture(const std::function<bool()>& stopped);
  Result<bool> take_first();
  sail_status submit_dark(WallWindow& window) const;
  // Returns the shared region of the newest picture.
  Rect part() const;

  const std::unique_ptr<SharePortal> portal_;
  const std::unique_ptr<PipewirePictures> pictures_;
  std::optional<PortalInput> input_;  // empty: not requested, not granted, or no picture yet
  const int64_t begun_ns_ = steady_now_ns();
  int64_t restart_after_ns_ = kSecondNs;
  bool came_ = false;  // a picture has arrived
  const std::optional<Rect> region_;
  Size frame_size_;
  bool newer_ = false;
};

}  // namespace sail
