#include "receiver/painter.h"

#include <algorithm>
#include <atomic>

#include "codecs/dxt.h"
#include "codecs/resample.h"

namespace receiver {
namespace {

using codecs::BgraTarget;
using sail::Rect;

constexpr Pixel kBlack{0, 0, 0, 255};

}  // namespace

Painter::Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu)
    : pool_(pool), cpu_(cpu), lanes_(static_cast<size_t>(pool.threads()) + 1) {}

void Painter::paint(const Changes& changes, std::span<const Canvas> canvases) {
  work_.clear();
  for (size_t i = 0; i < canvases.size(); ++i) {
    for (const Part& part : changes.tiles[i].parts) collect(part, canvases[i]);
  }
  make_room();

  std::atomic<size_t> next = 0;
  const auto run_lane = [this, &next](size_t lane) {
    for (size_t i = next++; i < work_.size(); i = next++) run(work_[i], lanes_[lane]);
  };
  pool_.for_each(std::min(lanes_.size(), work_.size()), run_lane);

  for (size_t i = 0; i < canvases.size(); ++i) {
    const auto& plate = changes.tiles[i].plate;
    if (plate) draw(*plate, at(canvases[i].target, plate->rect.x, plate->rect.y));
  }
}

void Painter::collect(const Part& part, const Canvas& canvas) {
  const auto add = [&](const Rect& rect, const Band* band) {
    work_.push_back({.target = at(canvas.target, rect.x, rect.y),
                     .size = {rect.width, rect.height},
                     .frame = part.frame,
                     .piece = part.piece,
                     .band = band});
  };
  if (part.piece == nullptr) return add(part.tile_rect, nullptr);
  for (const Band& band : part.piece->bands) add(band.tile_rect, &band);
}

// For the largest bands to be scaled.
void Painter::make_room() {
  size_t source_bytes = lanes_[0].source.size();
  size_t scratch_bytes = lanes_[0].scratch.size();
  for (const Work& work : work_) {
    if (work.piece == nullptr || work.piece->one_to_one()) continue;
    const Rect& source = work.band->source_rect;
    source_bytes = std::max(source_bytes, static_cast<size_t>(source.width) *
                                              static_cast<size_t>(source.height) * kBytesPerPixel);
    scratch_bytes = std::max(scratch_bytes, work.piece->columns.size() * 8);
  }
  for (Lane& lane : lanes_) {
    lane.source.resize(source_bytes);
    lane.scratch.resize(scratch_bytes);
  }
}

void Painter::run(const Work& work, Lane& lane) const {
  if (work.frame == nullptr) {
    fill({work.target, work.size}, kBlack);
  } else if (work.piece->one_to_one()) {
    decode(*work.frame, work.band->source_rect, work.target);
  } else {
    const ptrdiff_t stride = work.band->source_rect.width * kBytesPerPixel;
    decode(*work.frame, work.band->source_rect, {lane.source.data(), stride});
    codecs::resample_bilinear(lane.source.data(), stride, work.piece->columns, work.band->rows,
                              lane.scratch, work.target, cpu_);
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
        fill({place, {crop.width, crop.height}}, kBlack);
      }
    }
  }
}

}  // namespace receiver
