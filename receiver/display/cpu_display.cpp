// The CPU-painted display.
#include <cstring>
#include <utility>

#include "codecs/base/cpu.h"
#include "receiver/display/window_system.h"
#include "receiver/paint/painter.h"
#include "receiver/paint/sprite.h"
#include "sail/core/base/worker_pool.h"

namespace receiver {
namespace {

class CpuDisplay final : public Display {
 public:
  CpuDisplay(std::unique_ptr<WindowSystem> window_system, int threads)
      : window_system_(std::move(window_system)),
        pool_(threads),
        painter_(pool_, codecs::detect_cpu()) {}

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override {
    if (auto opened = window_system_->open(tiles); !opened) return opened;
    canvases_.resize(tiles.size());
    sprites_.resize(tiles.size());
    take_canvases();
    return {};
  }
  void paint(const Changes& changes) override;
  void present(size_t tile, std::span<const sail::Rect> damage) override {
    window_system_->present(tile, damage);
  }
  TileImage picture(size_t tile) override;
  std::vector<TileRefresh> refreshes() override { return window_system_->refreshes(); }
  sail::DisplayStats stats() override { return window_system_->stats(); }
  Request pump() override {
    const Request request = window_system_->pump();
    if (request == Request::kRepaint) take_canvases();
    return request;
  }
  int64_t pump_every_ns() const override { return window_system_->pump_every_ns(); }

 private:
  void take_canvases() {
    for (size_t i = 0; i < canvases_.size(); ++i) {
      canvases_[i] = window_system_->canvas(i);
      sprites_[i].forget();
    }
  }

  std::unique_ptr<WindowSystem> window_system_;
  sail::WorkerPool pool_;
  Painter painter_;
  std::vector<Canvas> canvases_;
  std::vector<LaidSprites> sprites_;  // one per tile
};

void CpuDisplay::paint(const Changes& changes) {
  for (size_t i = 0; i < canvases_.size(); ++i) {
    sprites_[i].lift(canvases_[i], changes.tiles[i].damage);
  }
  painter_.paint(changes, canvases_);
  for (size_t i = 0; i < canvases_.size(); ++i) {
    sprites_[i].lay(canvases_[i], changes.tiles[i].damage, *changes.tiles[i].sprites);
  }
}

TileImage CpuDisplay::picture(size_t tile) {
  const Canvas panel = window_system_->panel(tile);
  TileImage picture;
  picture.begin.size = panel.size;
  const size_t row_bytes = static_cast<size_t>(panel.size.width) * 4;
  picture.pixels.resize(row_bytes * static_cast<size_t>(panel.size.height));
  for (int y = 0; y < panel.size.height; ++y) {
    std::memcpy(picture.pixels.data() + static_cast<size_t>(y) * row_bytes,
                panel.target.pixels + y * panel.target.stride, row_bytes);
  }
  return picture;
}

}  // namespace

std::unique_ptr<Display> make_cpu_display(std::unique_ptr<WindowSystem> window_system,
                                          int threads) {
  return std::make_unique<CpuDisplay>(std::move(window_system), threads);
}

}  // namespace receiver
