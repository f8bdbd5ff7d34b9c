#include "ui/bridge/region_window.h"

#include <utility>

#include "sail/core/time/clock.h"

namespace ui {
namespace {

constexpr int64_t kRegionPumpNs = 20'000'000;
constexpr int64_t kReopenNs = 2'000'000'000;

}  // namespace

RegionWindow::RegionWindow(sail::Session& session, Options options, const sail::Log& log)
    : session_(session),
      options_(std::move(options)),
      log_(log),
      display_(receiver::make_null_window_system()) {}

sail::Result<void> RegionWindow::open(const std::vector<sail::TileInfo>& tiles) {
  if (tiles.size() != 1) {
    return sail::fail(sail::ErrorCode::kBadData, "this wall gives a bridge more than one region");
  }
  size_ = receiver::upright_size(tiles.front());
  return display_->open(tiles);
}

void RegionWindow::present(size_t tile, std::span<const sail::Rect> damage) {
  display_->present(tile, damage);
  ++counts_.received;
  if (!far_ || far_size_ != size_) {
    ++counts_.dropped;
    return;
  }
  submit(false);
}

void RegionWindow::submit(bool again) {
  const receiver::Canvas panel = display_->panel(0);
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = panel.target.pixels;
  frame.strides[0] = panel.target.stride;
  frame.again = again ? 1 : 0;
  const bool sent = far_.submit(frame) == SAIL_OK;
  if (!again) ++(sent ? counts_.sent : counts_.dropped);
}

receiver::Display::Request RegionWindow::pump() {
  while (const auto event = session_.poll()) take(*event);
  if (closed_) return receiver::Display::Request::kQuit;
  const bool wanted = size_.width > 0 && (!far_ || far_size_ != size_);
  if (wanted && sail::steady_now_ns() >= open_after_ns_) open_stream();
  return receiver::Display::Request::kNothing;
}

int64_t RegionWindow::pump_every_ns() const {
  return kRegionPumpNs;
}

void RegionWindow::take(const sail_event& event) {
  if (log_session_event(event, options_.at, log_) || event.stream != far_.get()) return;
  if (event.type == SAIL_EVENT_REFRESH && far_size_ == size_) submit(true);
  if (event.type == SAIL_EVENT_CLOSE) {
    closed_ = true;
    log_.info("'{}' was closed on the far wall", options_.title);
  }
}

void RegionWindow::open_stream() {
  sail_stream_options options{};
  options.title = options_.title.c_str();
  options.codec = options_.codec.empty() ? nullptr : options_.codec.c_str();
  options.width = size_.width;
  options.height = size_.height;
  options.replaces = far_.get();
  std::string error;
  sail::Stream stream = session_.open(options, &error);
  if (!stream) {
    open_after_ns_ = sail::steady_now_ns() + kReopenNs;
    if (std::exchange(trouble_, error) == error) return;
    return log_.error("'{}' cannot be opened on the far wall at {}: {}; trying again",
                      options_.title, options_.at, error);
  }
  log_.info("'{}' is window {} of the far wall: {}×{}", options_.title, stream.id(), size_.width,
            size_.height);
  const sail::Stream former = std::exchange(far_, std::move(stream));
  far_size_ = size_;
  trouble_.clear();
  submit(true);
}

}  // namespace ui
