#include "receiver/paint/painter.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "codecs/color/scaling.h"
#include "receiver/paint/blend.h"

namespace receiver {
namespace {

using codecs::BgraTarget;
using sail::Rect;

constexpr Pixel kBlack{0, 0, 0, 255};
constexpr Pixel kTransparent{0, 0, 0, 0};
constexpr int kRowsOfPixels = 64;

}  // namespace

Painter::Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu)
    : pool_(pool), cpu_(cpu), lanes_(static_cast<size_t>(pool.threads()) + 1) {}

void Painter::paint(const Changes& changes, std::span<const Canvas> canvases) {
  for (int pass = 0; collect_pass(changes, canvases, pass) || pass == 0; ++pass) {
    make_room();
    run_all();
  }
}

bool Painter::collect_pass(const Changes& changes, std::span<const Canvas> canvases, int pass) {
  work_.clear();
  for (size_t i = 0; i < canvases.size(); ++i) {
    int blended = 0;
    for (const Part& part : changes.tiles[i].parts) {
      const bool on_others = part.window != nullptr && part.window->blended();
      if ((on_others ? ++blended : 0) == pass) collect(part, canvases[i]);
    }
  }
  return !work_.empty();
}

void Painter::run_all() {
  std::atomic<size_t> next = 0;
  const auto run_lane = [this, &next](size_t lane) {
    for (size_t i = next++; i < work_.size(); i = next++) run(work_[i], lanes_[lane]);
  };
  pool_.for_each(std::min(lanes_.size(), work_.size()), run_lane);
}

void Painter::collect(const Part& part, const Canvas& canvas) {
  if (part.piece == nullptr) {
    const Rect& rect = part.tile_rect;
    work_.push_back(
        {.target = at(canvas.target, rect.x, rect.y), .size = {rect.width, rect.height}});
    return;
  }
  for (const Band& band : part.piece->bands) {
    if (part.changed == nullptr || part.changed->touch(band.source_rect)) add(part, canvas, band);
  }
}

// Blocks of JPEG 2000 and carried streams can be as high as the frame, so they are split into
// smaller units.
void Painter::add(const Part& part, const Canvas& canvas, const Band& band) {
  const bool divisible = part.piece->one_to_one() && part.frame != nullptr &&
                         codecs::has_picture_color(part.frame->codec().id);
  const int step = divisible ? kRowsOfPixels : band.tile_rect.height;
  for (int y = 0; y < band.tile_rect.height; y += step) {
    const int height = std::min(step, band.tile_rect.height - y);
    Rect source_rect = band.source_rect;
    if (divisible) source_rect = {source_rect.x, source_rect.y + y, source_rect.width, height};
    work_.push_back({.target = at(canvas.target, band.tile_rect.x, band.tile_rect.y + y),
                     .size = {band.tile_rect.width, height},
                     .frame = part.frame,
                     .piece = part.piece,
                     .band = &band,
                     .source_rect = source_rect,
                     .window = part.window});
  }
}

// Sizes the intermediate buffers for the largest bands that need them.
void Painter::make_room() {
  size_t source_bytes = lanes_[0].source.size();
  size_t scaled_bytes = lanes_[0].scaled.size();
  size_t scratch_bytes = lanes_[0].scratch.size();
  const auto bytes = [](int width, int height) {
    return static_cast<size_t>(width) * static_cast<size_t>(height) * kBytesPerPixel;
  };
  for (const Work& work : work_) {
    if (work.piece == nullptr || (work.piece->one_to_one() && !work.is_laid())) continue;
    const Rect& source = work.source_rect;
    source_bytes = std::max(source_bytes, bytes(source.width, source.height));
    if (work.is_laid()) {
      scaled_bytes = std::max(scaled_bytes, bytes(work.size.width, work.size.height));
    }
    const size_t columns = std::max(work.piece->columns.size(), work.band->rows.size());
    scratch_bytes = std::max(scratch_bytes, columns * 8);
  }
  for (Lane& lane : lanes_) {
    lane.source.resize(source_bytes);
    lane.scaled.resize(scaled_bytes);
    lane.scratch.resize(scratch_bytes);
  }
}

void Painter::run(const Work& work, Lane& lane) const {
  if (work.frame == nullptr) {
    const bool shows_through = work.window != nullptr && work.window->blended();
    if (!shows_through) fill({work.target, work.size}, kBlack);
  } else if (work.is_laid()) {
    lay(work, lane);
  } else if (work.piece->one_to_one()) {
    decode(*work.frame, work.source_rect, work.target, kBlack, kStreamed);
  } else {
    const ptrdiff_t stride = work.source_rect.width * kBytesPerPixel;
    decode(*work.frame, work.source_rect, {lane.source.data(), stride}, kBlack, kCached);
    codecs::resample_bilinear(lane.source.data(), stride, work.piece->columns, work.band->rows,
                              lane.scratch, work.target, cpu_);
  }
}

// Transposed pieces are scaled in the frame's orientation first, then transposed.
void Painter::lay(const Work& work, Lane& lane) const {
  const Rect& source = work.source_rect;
  const bool alpha = work.window->alpha;
  const Canvas decoded{{lane.source.data(), source.width * kBytesPerPixel},
                       {source.width, source.height}};
  decode(*work.frame, source, decoded.target, alpha ? kTransparent : kBlack, kCached);
  if (alpha) premultiply(decoded);
  const Laying how{.turned = work.piece->turned,
                   .opacity = work.window->look.opacity_255(),
                   .channels = work.piece->channels};
  if (work.piece->one_to_one()) return lay_over(decoded, how, work.target);
  const std::vector<codecs::Tap>* columns = &work.piece->columns;
  const std::vector<codecs::Tap>* rows = &work.band->rows;
  sail::Size size = work.size;
  if (how.turned) {
    std::swap(columns, rows);
    std::swap(size.width, size.height);
  }
  const Canvas scaled{{lane.scaled.data(), size.width * kBytesPerPixel}, size};
  codecs::resample_bilinear(decoded.target.pixels, decoded.target.stride, *columns, *rows,
                            lane.scratch, scaled.target, cpu_);
  lay_over(scaled, how, work.target);
}

void Painter::decode(const Frame& frame, const Rect& source_rect, BgraTarget target,
                     const Pixel& missing, const Decoder& decoder) const {
  const sail::BlockGrid& grid = frame.grid();
  const Rect blocks = grid.blocks_touching(source_rect);
  for (int row = blocks.y; row < blocks.bottom(); ++row) {
    for (int column = blocks.x; column < blocks.right(); ++column) {
      const Rect crop = sail::intersect(grid.block_rect(column, row), source_rect);
      const BgraTarget place = at(target, crop.x - source_rect.x, crop.y - source_rect.y);
      if (!decode_block(frame, column, row, crop, place, decoder)) {
        fill({place, {crop.width, crop.height}}, missing);
      }
    }
  }
}

// Returns false if the block is not here. crop: in frame pixels, within the block.
bool Painter::decode_block(const Frame& frame, int column, int row, const Rect& crop,
                           BgraTarget target, const Decoder& decoder) const {
  const uint8_t* plain = frame.plain(column, row);
  if (plain == nullptr) return false;
  const Rect block = frame.grid().block_rect(column, row);
  const codecs::CodecId codec = frame.codec().id;
  if (codecs::is_dxt(codec)) {
    decoder.dxt(codec, plain, block.width, block.height, crop.x - block.x, crop.y - block.y,
                crop.width, crop.height, target, cpu_);
  } else {
    const Rect there = sail::intersect(crop, frame.plain_part(column, row));
    if (there != crop) fill({target, {crop.width, crop.height}}, kBlack);
    decoder.picture(frame.picture(column, row), there.x - block.x, there.y - block.y, there.width,
                    there.height, at(target, there.x - crop.x, there.y - crop.y), cpu_);
  }
  return true;
}

}  // namespace receiver
