// A display that does not answer yet: keeps the tiles in memory, tries to open the display once a
// second, and moves the tiles to the display when it answers.
//
// Thread: as Display.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "receiver/display/display.h"
#include "sail/core/time/clock.h"

namespace receiver {

class AwaitedDisplay final : public Display {
 public:
  struct Parts {
    std::unique_ptr<Display> memory;
    // Opens the display. Called until it succeeds.
    std::function<sail::Result<std::unique_ptr<Display>>()> make;
    std::string trouble;  // why the first attempt failed
    std::function<int64_t()> now_ns = sail::steady_now_ns;
  };
  AwaitedDisplay(Parts parts, const sail::Log& log);

  static constexpr int64_t kTryEveryNs = 1'000'000'000;

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  void paint(const Changes& changes) override { display_->paint(changes); }
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    display_->present(tile, damage);
  }
  TileImage picture(size_t tile) override { return display_->picture(tile); }
  std::vector<TileRefresh> refreshes() override { return display_->refreshes(); }
  sail::DisplayStats stats() override;
  Request pump() override;
  int64_t pump_every_ns() const override;

 private:
  bool waits() const { return !trouble_.empty(); }
  sail::Result<std::unique_ptr<Display>> make_opened() const;

  std::unique_ptr<Display> display_;  // `memory` until the display answers
  std::function<sail::Result<std::unique_ptr<Display>>()> make_;
  std::string trouble_;  // why the display is not open; empty if it is open
  std::function<int64_t()> now_ns_;
  sail::Log log_;
  std::vector<sail::TileInfo> tiles_;
  int64_t try_at_ns_;
};

}  // namespace receiver
