#include "receiver/painter.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "codecs/dxt.h"
#include "codecs/resample.h"
#include "sail/base/glyphs.h"

namespace receiver {
namespace {

using codecs::BgraTarget;
using sail::Rect;

constexpr ptrdiff_t kBytesPerPixel = 4;
constexpr uint8_t kBlack[kBytesPerPixel] = {0, 0, 0, 255};

BgraTarget at(const BgraTarget& target, int x, int y) {
  return {target.pixels + y * target.stride + x * kBytesPerPixel, target.stride};
}

void fill(const BgraTarget& target, int width, int height, const uint8_t (&colour)[4]) {
  for (int y = 0; y < height; ++y) {
    uint8_t* pixel = target.pixels + y * target.stride;
    for (int x = 0; x < width; ++x) pixel = std::copy_n(colour, kBytesPerPixel, pixel);
  }
}

}  // namespace

Painter::Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu)
    : pool_(pool), cpu_(cpu), lanes_(static_cast<size_t>(pool.threads()) + 1) {}

void Painter::set_tiles(const std::vector<sail::TileInfo>& tiles, std::vector<Canvas> canvases) {
  tiles_.clear();
  for (size_t i = 0; i < tiles.size(); ++i) {
    tiles_.push_back({.name = tiles[i].name,
                      .view = {tiles[i].wall_rect, canvases[i].size},
                      .canvas = canvases[i],
                      .layout = {},
                      .all_dirty = true});
  }
  damage_.assign(tiles.size(), {});
  lay_out_all();
}

void Painter::set_scene(const sail::Scene& scene, std::vector<std::unique_ptr<Frame>>& released) {
  std::map<uint32_t, WindowState> before = std::exchange(windows_, {});
  for (const sail::SceneWindow& window : scene.windows) {
    WindowState& state = windows_[window.window];
    const auto known = before.find(window.window);
    if (known != before.end() && known->second.window.secret == window.secret) {
      state = std::move(known->second);
    }
    state.window = window;
  }
  for (auto& [number, state] : before) {
    if (state.frame) released.push_back(std::move(state.frame));
  }
  if (scene.identify != scene_.identify) {
    for (TileState& tile : tiles_) tile.all_dirty = true;
  }
  scene_ = scene;
  lay_out_all();
}

void Painter::lay_out_all() {
  size_t source_bytes = 0;
  size_t scratch_bytes = 0;
  for (TileState& tile : tiles_) {
    TileLayout layout = lay_out(tile.view, scene_.windows);
    if (!same_picture(layout, tile.layout)) tile.all_dirty = true;
    tile.layout = std::move(layout);
    for (const WindowPart& part : tile.layout.windows) {
      for (const Piece& piece : part.pieces) {
        if (piece.one_to_one()) continue;
        scratch_bytes = std::max(scratch_bytes, piece.columns.size() * 8);
        for (const Band& band : piece.bands) {
          source_bytes = std::max(source_bytes, static_cast<size_t>(band.source_rect.width) *
                                                    static_cast<size_t>(band.source_rect.height) *
                                                    kBytesPerPixel);
        }
      }
    }
  }
  for (Lane& lane : lanes_) {
    lane.source.resize(source_bytes);
    lane.scratch.resize(scratch_bytes);
  }
}

bool Painter::set_frame(std::unique_ptr<Frame> frame,
                        std::vector<std::unique_ptr<Frame>>& released) {
  const auto it = windows_.find(frame->stream());
  if (it == windows_.end()) {
    released.push_back(std::move(frame));
    return false;
  }
  const uint32_t number = frame->stream();
  it->second.dirty = true;
  std::swap(it->second.frame, frame);
  if (frame) released.push_back(std::move(frame));
  return std::any_of(tiles_.begin(), tiles_.end(), [&](const TileState& tile) {
    return std::any_of(tile.layout.windows.begin(), tile.layout.windows.end(),
                       [&](const WindowPart& part) { return part.window.window == number; });
  });
}

void Painter::paint() {
  work_.clear();
  for (size_t i = 0; i < tiles_.size(); ++i) collect(i);
  for (auto& [number, state] : windows_) state.dirty = false;

  std::atomic<size_t> next = 0;
  const auto run_lane = [this, &next](size_t lane) {
    for (size_t i = next++; i < work_.size(); i = next++) run(work_[i], lanes_[lane]);
  };
  pool_.for_each(std::min(lanes_.size(), work_.size()), run_lane);

  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (scene_.identify && !damage_[i].empty()) paint_name(i);
  }
}

// What is to be painted of a tile, and what that damages.
void Painter::collect(size_t index) {
  TileState& tile = tiles_[index];
  std::vector<Rect>& damage = damage_[index];
  damage.clear();
  for (const WindowPart& part : tile.layout.windows) {
    const WindowState& state = windows_.at(part.window.window);
    if (!tile.all_dirty && !state.dirty) continue;
    for (const Piece& piece : part.pieces) {
      if (!tile.all_dirty) damage.push_back(piece.tile_rect);
      for (const Band& band : piece.bands) {
        work_.push_back({&tile, state.frame.get(), &piece, &band, band.tile_rect});
      }
    }
  }
  if (!tile.all_dirty) return;
  for (const Rect& rect : tile.layout.background)
    work_.push_back({.tile = &tile, .tile_rect = rect});
  damage.push_back({0, 0, tile.canvas.size.width, tile.canvas.size.height});
  tile.all_dirty = false;
}

void Painter::run(const Work& work, Lane& lane) const {
  const Rect& rect = work.tile_rect;
  const BgraTarget target = at(work.tile->canvas.target, rect.x, rect.y);
  if (work.frame == nullptr) {
    fill(target, rect.width, rect.height, kBlack);
  } else if (work.piece->one_to_one()) {
    decode(*work.frame, work.band->source_rect, target);
  } else {
    const ptrdiff_t stride = work.band->source_rect.width * kBytesPerPixel;
    decode(*work.frame, work.band->source_rect, {lane.source.data(), stride});
    codecs::resample_bilinear(lane.source.data(), stride, work.piece->columns, work.band->rows,
                              lane.scratch, target, cpu_);
  }
}

void Painter::decode(const Frame& frame, const Rect& source_rect, BgraTarget target) const {
  const sail::BlockGrid& grid = frame.grid();
  const Rect blocks = grid.blocks_touching(source_rect);
  for (int row = blocks.y; row < blocks.bottom(); ++row) {
    for (int column = blocks.x; column < blocks.right(); ++column) {
      const Rect block = grid.block_rect(column, row);
      const Rect crop = sail::intersect(block, source_rect);
      const BgraTarget place = at(target, crop.x - source_rect.x, crop.y - source_rect.y);
      if (frame.has(column, row)) {
        codecs::dxt_decode(codecs::CodecId::kDxt1, frame.block(column, row), block.width,
                           block.height, crop.x - block.x, crop.y - block.y, crop.width,
                           crop.height, place, cpu_);
      } else {
        fill(place, crop.width, crop.height, kBlack);
      }
    }
  }
}

// The tile's name in large letters on a dark plate in its middle.
void Painter::paint_name(size_t index) {
  constexpr uint8_t kPlate[kBytesPerPixel] = {32, 32, 32, 255};
  constexpr uint32_t kLetters = 0xffffff;
  const TileState& tile = tiles_[index];
  const sail::Size canvas = tile.canvas.size;
  const sail::Size small = sail::text_size(tile.name, 1);
  // With a margin of two letters' pixels around; at most two thirds of the tile's width and a third
  // of its height.
  const int magnification = std::max(1, std::min(canvas.width * 2 / 3 / (small.width + 4),
                                                 canvas.height / 3 / (small.height + 4)));
  const sail::Size text = sail::text_size(tile.name, magnification);
  const int margin = 2 * magnification;
  const Rect plate = sail::intersect(
      {(canvas.width - text.width) / 2 - margin, (canvas.height - text.height) / 2 - margin,
       text.width + 2 * margin, text.height + 2 * margin},
      {0, 0, canvas.width, canvas.height});
  fill(at(tile.canvas.target, plate.x, plate.y), plate.width, plate.height, kPlate);
  sail::draw_text({tile.canvas.target.pixels, tile.canvas.target.stride, canvas}, tile.name,
                  (canvas.width - text.width) / 2, (canvas.height - text.height) / 2, magnification,
                  kLetters);
  damage_[index].push_back(plate);
}

std::vector<sail::PictureBegin::WindowFrame> Painter::windows_on(size_t tile) const {
  std::vector<sail::PictureBegin::WindowFrame> shown;
  for (const WindowPart& part : tiles_[tile].layout.windows) {
    const WindowState& state = windows_.at(part.window.window);
    if (state.frame) shown.push_back({part.window.window, state.frame->key().number});
  }
  return shown;
}

}  // namespace receiver
