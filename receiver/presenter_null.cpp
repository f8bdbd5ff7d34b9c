#include <utility>

#include "receiver/presenter.h"

namespace receiver {
namespace {

struct Pixels {
  sail::Size size;
  std::vector<uint8_t> bytes;

  explicit Pixels(sail::Size pixels)
      : size(pixels),
        bytes(static_cast<size_t>(pixels.width) * static_cast<size_t>(pixels.height) *
              kBytesPerPixel) {
    for (size_t i = 3; i < bytes.size(); i += kBytesPerPixel) bytes[i] = 255;
  }
  Canvas canvas() { return {{bytes.data(), ptrdiff_t{size.width} * kBytesPerPixel}, size}; }
};

struct NullTile {
  int rotation;
  Pixels upright;
  Pixels panel;  // empty when the panel is mounted upright: the canvas is the panel then

  explicit NullTile(const sail::TileInfo& tile)
      : rotation(tile.rotation),
        upright(upright_size(tile)),
        panel(rotation == 0 ? sail::Size{} : tile.resolution) {}
};

class NullPresenter final : public Presenter {
 public:
  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override {
    tiles_.clear();
    for (const sail::TileInfo& tile : tiles) tiles_.emplace_back(tile);
    return {};
  }
  Canvas canvas(size_t tile) override { return tiles_[tile].upright.canvas(); }
  void present(size_t index, std::span<const sail::Rect> damage) override {
    NullTile& tile = tiles_[index];
    if (tile.rotation == 0) return;
    for (const sail::Rect& rect : damage) {
      turn(tile.upright.canvas(), rect, tile.rotation, tile.panel.canvas().target);
    }
  }
  Canvas panel(size_t index) override {
    NullTile& tile = tiles_[index];
    return tile.rotation == 0 ? tile.upright.canvas() : tile.panel.canvas();
  }

 private:
  std::vector<NullTile> tiles_;
};

}  // namespace

std::unique_ptr<Presenter> make_null_presenter() {
  return std::make_unique<NullPresenter>();
}

}  // namespace receiver
