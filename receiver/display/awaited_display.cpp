#include "receiver/display/awaited_display.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace receiver {

AwaitedDisplay::AwaitedDisplay(Parts parts, const sail::Log& log)
    : parts_(std::move(parts)),
      display_(parts_.display ? std::move(parts_.display) : parts_.make_memory()),
      log_(log),
      try_at_ns_(parts_.now_ns() + kTryEveryNs) {}

sail::Result<void> AwaitedDisplay::open(const std::vector<sail::TileInfo>& tiles) {
  tiles_ = tiles;
  return display_->open(tiles);
}

sail::DisplayStats AwaitedDisplay::stats() {
  sail::DisplayStats stats = display_->stats();
  if (waits()) stats.trouble = sail::make_plain_text(parts_.trouble, sail::kMaxCloseText);
  return stats;
}

sail::Result<std::unique_ptr<Display>> AwaitedDisplay::make_opened() const {
  auto made = parts_.make();
  if (!made) return made;
  if (auto opened = (*made)->open(tiles_); !opened) return std::move(opened.error());
  return made;
}

// Returns false, with the reason in `trouble`, if the display does not answer.
bool AwaitedDisplay::try_to_open() {
  try_at_ns_ = parts_.now_ns() + kTryEveryNs;
  auto made = make_opened();
  if (!made) {
    if (std::exchange(parts_.trouble, made.error().message) != made.error().message) {
      log_.warning("the display does not answer: {}", parts_.trouble);
    }
    return false;
  }
  log_.info("the display answers; the tiles are shown");
  display_ = *std::move(made);
  parts_.trouble.clear();
  return true;
}

Display::Request AwaitedDisplay::reopen() {
  log_.info("the outputs of this node have changed; the display is opened again");
  display_.reset();  // there can be only one connection to the display
  if (try_to_open()) return Request::kRepaint;
  display_ = parts_.make_memory();
  return display_->open(tiles_) ? Request::kRepaint : Request::kQuit;
}

Display::Request AwaitedDisplay::pump() {
  if (!waits()) {
    const Request request = display_->pump();
    return request == Request::kReopen ? reopen() : request;
  }
  if (parts_.now_ns() < try_at_ns_) return Request::kNothing;
  return try_to_open() ? Request::kRepaint : Request::kNothing;
}

int64_t AwaitedDisplay::pump_every_ns() const {
  return waits() ? std::min(display_->pump_every_ns(), kTryEveryNs) : display_->pump_every_ns();
}

}  // namespace receiver
