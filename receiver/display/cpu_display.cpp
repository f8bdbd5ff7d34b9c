// The CPU-painted display.
#include <algorithm>
#include <cstring>
#include <utility>

#include "codecs/base/cpu.h"
#include "codecs/color/mixing.h"
#include "receiver/display/tile_corrections.h"
#include "receiver/display/window_system.h"
#include "receiver/paint/fade.h"
#include "receiver/paint/painter.h"
#include "receiver/paint/sprite.h"
#include "sail/core/base/worker_pool.h"

namespace receiver {
namespace {

constexpr int kStripRows = 32;  // rows of one work item

size_t bytes_of(sail::Size size) {
  return static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * kBytesPerPixel;
}

Canvas canvas_in(PixelMemory& pixels, sail::Size size) {
  return {{pixels.data(), size.width * kBytesPerPixel}, size};
}

// A tile that fades.
struct Fading {
  PixelMemory former;   // what the tile showed
  PixelMemory painted;  // memory of its canvas during the fade; empty: it does not fade
};

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
    fading_.resize(tiles.size());
    sprites_.resize(tiles.size());
    take_canvases();
    return {};
  }
  void paint(const Changes& changes) override;
  bool keep(size_t tile) override;
  void fade(size_t tile, int weight, std::span<const sail::Rect> damage) override;
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
  Canvas shown(size_t tile);
  // Calls act(x, y, width, rows) for strips of the rectangle, on all workers.
  template <typename Act>
  void for_strips(const sail::Rect& rect, const Act& act);
  void correct(size_t tile, std::span<const sail::Rect> damage);

  std::unique_ptr<WindowSystem> window_system_;
  sail::WorkerPool pool_;
  const codecs::CpuLevel cpu_;
  Painter painter_;
  std::vector<sail::TileInfo> tiles_;
  TileCorrections corrections_;
  std::vector<Canvas> canvases_;          // to paint on: shown(), except during a fade
  std::vector<PixelMemory> uncorrected_;  // pixels of the tiles with a correction
  std::vector<Fading> fading_;            // one per tile
  std::vector<LaidSprites> sprites_;      // one per tile
};

void CpuDisplay::take_canvases() {
  for (size_t i = 0; i < canvases_.size(); ++i) {
    sprites_[i].forget();
    fading_[i] = {};
    if (corrections_.of(i) != nullptr) {
      uncorrected_[i].resize(bytes_of(window_system_->canvas(i).size));
      fill(shown(i), {0, 0, 0, 255});
    }
    canvases_[i] = shown(i);
  }
}

// Returns the pixels that present() shows: the window system's canvas, or those to be corrected.
Canvas CpuDisplay::shown(size_t tile) {
  const Canvas canvas = window_system_->canvas(tile);
  return corrections_.of(tile) == nullptr ? canvas : canvas_in(uncorrected_[tile], canvas.size);
}

template <typename Act>
void CpuDisplay::for_strips(const sail::Rect& rect, const Act& act) {
  const int strips = (rect.height + kStripRows - 1) / kStripRows;
  pool_.for_each(static_cast<size_t>(strips), [&](size_t strip) {
    const int y = rect.y + static_cast<int>(strip) * kStripRows;
    act(rect.x, y, rect.width, std::min(kStripRows, rect.bottom() - y));
  });
}

// Everything that was painted has been presented, because layouts wait for earlier swaps. So the
// copy shows what was presented.
bool CpuDisplay::keep(size_t tile) {
  const Canvas now = shown(tile);
  Fading& fading = fading_[tile];
  fading.former.resize(bytes_of(now.size));
  const Canvas former = canvas_in(fading.former, now.size);
  for_strips({0, 0, now.size.width, now.size.height}, [&](int x, int y, int width, int rows) {
    for (int row = y; row < y + rows; ++row) {
      std::memcpy(at(former.target, x, row).pixels, at(now.target, x, row).pixels,
                  static_cast<size_t>(width) * kBytesPerPixel);
    }
  });
  if (!fading.painted.empty()) return true;
  fading.painted.resize(bytes_of(now.size));
  canvases_[tile] = canvas_in(fading.painted, now.size);
  sprites_[tile].forget();
  return true;
}

void CpuDisplay::fade(size_t tile, int weight, std::span<const sail::Rect> damage) {
  Fading& fading = fading_[tile];
  if (fading.painted.empty()) return;
  const Canvas to = shown(tile);
  const Canvas former = canvas_in(fading.former, to.size);
  for (const sail::Rect& rect : damage) {
    for_strips(rect, [&](int x, int y, int width, int rows) {
      codecs::mix_bgra(at(former.target, x, y), at(canvases_[tile].target, x, y), weight, width,
                       rows, at(to.target, x, y), cpu_);
    });
  }
  if (weight < Fade::kWhole) return;
  fading = {};
  canvases_[tile] = to;
}

void CpuDisplay::present(size_t tile, std::span<const sail::Rect> damage) {
  if (corrections_.of(tile) != nullptr) correct(tile, damage);
  window_system_->present(tile, damage);
}

// Writes the corrected pixels to the window system's canvas: the only copy on X11.
void CpuDisplay::correct(size_t tile, std::span<const sail::Rect> damage) {
  const Canvas from = shown(tile);
  const Canvas to = window_system_->canvas(tile);
  for (const sail::Rect& rect : damage) {
    for_strips(rect, [&](int x, int y, int width, int rows) {
      corrections_.of(tile)->apply(at(from.target, x, y), at(to.target, x, y), width, rows, cpu_);
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
    const Canvas upright = shown(tile);
    turn(upright, {0, 0, upright.size.width, upright.size.height}, tiles_[tile].rotation,
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
