// A display that may be missing: while it does not answer, keeps the tiles in memory and tries to
// open it once a second. Opens it again when its outputs change.
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
    std::function<std::unique_ptr<Display>()> make_memory;
    // Opens the display. Called until it succeeds, and again after kReopen.
    std::function<sail::Result<std::unique_ptr<Display>>()> make;
    std::unique_ptr<Display> display{};  // null: it has not answered
    std::string trouble{};               // if null: why not
    std::function<int64_t()> now_ns = sail::steady_now_ns;
  };
  AwaitedDisplay(Parts parts, const sail::Log& log);

  static constexpr int64_t kTryEveryNs = 1'000'000'000;

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  void paint(const Changes& changes) override { display_->paint(changes); }
  bool keep(size_t tile) override { return display_->keep(tile); }
  void fade(size_t tile, int weight, std::span<const sail::Rect> damage) override {
    display_->fade(tile, weight, damage);
  }
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    display_->present(tile, damage);
  }
  TileImage picture(size_t tile) override { return display_->picture(tile); }
  std::vector<TileRefresh> refreshes() override { return display_->refreshes(); }
  sail::DisplayStats stats() override;
  Request pump() override;
  int64_t pump_every_ns() const override;

 private:
  bool waits() const { return !parts_.trouble.empty(); }
  sail::Result<std::unique_ptr<Display>> make_opened() const;
  bool try_to_open();
  Request reopen();

  Parts parts_;
  std::unique_ptr<Display> display_;  // in memory until the display answers
  sail::Log log_;
  std::vector<sail::TileInfo> tiles_;
  int64_t try_at_ns_;
};

}  // namespace receiver
