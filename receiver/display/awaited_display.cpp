#include "receiver/display/awaited_display.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace receiver {

AwaitedDisplay::AwaitedDisplay(Parts parts, const sail::Log& log)
    : display_(std::move(parts.memory)),
      make_(std::move(parts.make)),
      trouble_(std::move(parts.trouble)),
      now_ns_(std::move(parts.now_ns)),
      log_(log),
      try_at_ns_(now_ns_() + kTryEveryNs) {}

sail::Result<void> AwaitedDisplay::open(const std::vector<sail::TileInfo>& tiles) {
  tiles_ = tiles;
  return display_->open(tiles);
}

sail::DisplayStats AwaitedDisplay::stats() {
  sail::DisplayStats stats = display_->stats();
  if (waits()) stats.trouble = sail::make_plain_text(trouble_, sail::kMaxCloseText);
  return stats;
}

sail::Result<std::unique_ptr<Display>> AwaitedDisplay::make_opened() const {
  auto made = make_();
  if (!made) return made;
  if (auto opened = (*made)->open(tiles_); !opened) return std::move(opened.error());
  return made;
}

Display::Request AwaitedDisplay::pump() {
  if (!waits()) return display_->pump();
  const int64_t now_ns = now_ns_();
  if (now_ns < try_at_ns_) return Request::kNothing;
  try_at_ns_ = now_ns + kTryEveryNs;
  auto made = make_opened();
  if (!made) {
    if (std::exchange(trouble_, made.error().message) != made.error().message) {
      log_.warning("the display still does not answer: {}", trouble_);
    }
    return Request::kNothing;
  }
  log_.info("the display answers; the tiles are shown");
  display_ = *std::move(made);
  trouble_.clear();
  return Request::kRepaint;
}

int64_t AwaitedDisplay::pump_every_ns() const {
  return waits() ? std::min(display_->pump_every_ns(), kTryEveryNs) : display_->pump_every_ns();
}

}  // namespace receiver
