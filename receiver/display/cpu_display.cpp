// The CPU-painted display.
#include <algorithm>
#include <cstring>
#include <utility>

#include "codecs/base/cpu.h"
#include "receiver/display/tile_corrections.h"
#include "receiver/display/window_system.h"
#include "receiver/paint/painter.h"
#include "receiver/paint/sprite.h"
#include "sail/core/base/worker_pool.h"

namespace receiver {
namespace {

constexpr int kCorrectedRows = 32;  // of one work item

class CpuDisplay final : public Display {
 public:
  CpuDisplay(std::unique_ptr<WindowSystem> window_system, int threads)
      : window_system_(std::move(window_system)),
        pool_(threads),
        cpu_(codecs::detect_cpu()),
        painter_(pool_, cpu_) {}

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override {
    if (auto opened = window_system_->open(tiles); !opened) return opened;
    corrections_.load(tiles);
    tiles_ = tiles;
    canvases_.resize(tiles.size());
    uncorrected_.assign(tiles.size(), {});
    sprites_.resize(tiles.size());
    take_canvases();
    return {};
  }
  void paint(const Changes& changes) override;
  void present(size_t tile, std::span<const sail::Rect> damage) override;
  TileImage picture(size_t tile) override;
  std::vector<TileRefresh> refreshes() override { return window_system_->refreshes(); }
  sail::DisplayStats stats() override { return corrections_.with_trouble(window_system_->stats()); }
  Request pump() override {
    const Request request = window_system_->pump();
    if (request == Request::kRepaint) take_canvases();
    return request;
  }
  int64_t pump_every_ns() const override { return window_system_->pump_every_ns(); }

 private:
  void take_canvases();
  void correct(size_t tile, std::span<const sail::Rect> damage);

  std::unique_ptr<WindowSystem> window_system_;
  sail::WorkerPool pool_;
  const codecs::CpuLevel cpu_;
  Painter painter_;
  std::vector<sail::TileInfo> tiles_;
  TileCorrections corrections_;
  std::vector<Canvas> canvases_;          // painted; the window system's, or uncorrected_
  std::vector<PixelMemory> uncorrected_;  // pixels of the tiles with a correction
  std::vector<LaidSprites> sprites_;      // one per tile
};

void CpuDisplay::take_canvases() {
  for (size_t i = 0; i < canvases_.size(); ++i) {
    canvases_[i] = window_system_->canvas(i);
    sprites_[i].forget();
    if (corrections_.of(i) == nullptr) continue;
    const sail::Size size = canvases_[i].size;
    const ptrdiff_t stride = size.width * kBytesPerPixel;
    uncorrected_[i].resize(static_cast<size_t>(stride) * static_cast<size_t>(size.height));
    canvases_[i].target = {uncorrected_[i].data(), stride};
    fill(canvases_[i], {0, 0, 0, 255});
  }
}

void CpuDisplay::present(size_t tile, std::span<const sail::Rect> damage) {
  if (corrections_.of(tile) != nullptr) correct(tile, damage);
  window_system_->present(tile, damage);
}

// Writes the corrected pixels to the window system's canvas: the only copy on X11.
void CpuDisplay::correct(size_t tile, std::span<const sail::Rect> damage) {
  const Canvas to = window_system_->canvas(tile);
  for (const sail::Rect& rect : damage) {
    const int strips = (rect.height + kCorrectedRows - 1) / kCorrectedRows;
    pool_.for_each(static_cast<size_t>(strips), [&](size_t strip) {
      const int y = rect.y + static_cast<int>(strip) * kCorrectedRows;
      const int rows = std::min(kCorrectedRows, rect.bottom() - y);
      corrections_.of(tile)->apply(at(canvases_[tile].target, rect.x, y), at(to.target, rect.x, y),
                                   rect.width, rows, cpu_);
    });
  }
}

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
  if (corrections_.of(tile) != nullptr) {
    const sail::Size upright = canvases_[tile].size;
    turn(canvases_[tile], {0, 0, upright.width, upright.height}, tiles_[tile].rotation,
         {picture.pixels.data(), static_cast<ptrdiff_t>(row_bytes)});
    return picture;
  }
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
