#include <cmath>
#include <cstring>
#include <utility>

#include "receiver/display/window_system.h"
#include "sail/core/routing/cadence.h"

namespace receiver {
namespace {

struct Pixels {
  sail::Size size;
  PixelMemory bytes;

  explicit Pixels(sail::Size pixels)
      : size(pixels),
        bytes(static_cast<size_t>(pixels.width) * static_cast<size_t>(pixels.height) *
              kBytesPerPixel) {
    fill(canvas(), {0, 0, 0, 255});
  }
  Canvas canvas() { return {{bytes.data(), ptrdiff_t{size.width} * kBytesPerPixel}, size}; }
};

struct NullTile {
  int rotation;
  Pixels upright;
  Pixels panel;  // empty if the canvas is also the panel
  // With a refresh only: pixels that were presented but are not on the panel yet, and since when.
  Pixels next;
  std::vector<sail::Rect> waiting{};
  int64_t presented_ns = 0;

  NullTile(const sail::TileInfo& tile, bool refreshed)
      : rotation(tile.rotation),
        upright(upright_size(tile)),
        panel(rotation == 0 && !refreshed ? sail::Size{} : tile.resolution),
        next(refreshed ? tile.resolution : sail::Size{}) {}
};

void copy(const Canvas& from, const sail::Rect& rect, const Canvas& to) {
  for (int y = rect.y; y < rect.bottom(); ++y) {
    const ptrdiff_t at = ptrdiff_t{rect.x} * kBytesPerPixel;
    std::memcpy(to.target.pixels + y * to.target.stride + at,
                from.target.pixels + y * from.target.stride + at,
                static_cast<size_t>(rect.width) * kBytesPerPixel);
  }
}

class NullWindowSystem final : public WindowSystem {
 public:
  explicit NullWindowSystem(SimulatedRefresh simulated) : now_ns_(std::move(simulated.now_ns)) {
    if (simulated.hz <= 0) return;
    refresh_ = {.at_ns = simulated.phase_ns,
                .period_ns = static_cast<uint32_t>(std::llround(1e9 / simulated.hz))};
  }
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override {
    tiles_.clear();
    for (const sail::TileInfo& tile : tiles) tiles_.emplace_back(tile, refreshed());
    return {};
  }
  Canvas canvas(size_t tile) override { return tiles_[tile].upright.canvas(); }
  void present(size_t index, std::span<const sail::Rect> damage) override {
    NullTile& tile = tiles_[index];
    if (refreshed()) show_refreshed(tile);
    const Canvas target = refreshed() ? tile.next.canvas() : tile.panel.canvas();
    for (const sail::Rect& rect : damage) {
      if (tile.rotation != 0) turn(tile.upright.canvas(), rect, tile.rotation, target.target);
      if (!refreshed()) continue;
      if (tile.rotation == 0) copy(tile.upright.canvas(), rect, target);
      tile.waiting.push_back(turned_rect(rect, tile.upright.size, tile.rotation));
    }
    tile.presented_ns = now_ns_();
  }
  Canvas panel(size_t index) override {
    NullTile& tile = tiles_[index];
    if (refreshed()) show_refreshed(tile);
    return tile.panel.bytes.empty() ? tile.upright.canvas() : tile.panel.canvas();
  }
  std::vector<TileRefresh> refreshes() override {
    if (!refreshed()) return {};
    // Report the next refresh, not the first: clock drift since the first refresh would add up.
    sail::Refresh lately = refresh_;
    lately.at_ns = sail::next_refresh_ns(refresh_, now_ns_());
    return {tiles_.size(), {.refresh = lately, .source = sail::RefreshSource::kSimulated}};
  }

 private:
  bool refreshed() const { return refresh_.period_ns != 0; }
  // Copies the pixels that were presented before the last refresh.
  void show_refreshed(NullTile& tile) const {
    if (sail::next_refresh_ns(refresh_, tile.presented_ns) > now_ns_()) return;
    for (const sail::Rect& rect : tile.waiting) copy(tile.next.canvas(), rect, tile.panel.canvas());
    tile.waiting.clear();
  }

  std::function<int64_t()> now_ns_;
  sail::Refresh refresh_;
  std::vector<NullTile> tiles_;
};

}  // namespace

std::unique_ptr<WindowSystem> make_null_window_system(SimulatedRefresh refresh) {
  return std::make_unique<NullWindowSystem>(std::move(refresh));
}

}  // namespace receiver
