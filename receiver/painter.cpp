#include "receiver/painter.h"

#include <algorithm>
#include <atomic>

#include "codecs/dxt.h"
#include "codecs/resample.h"
#include "receiver/blend.h"

namespace receiver {
namespace {

using codecs::BgraTarget;
using sail::Rect;

constexpr Pixel kBlack{0, 0, 0, 255};
constexpr Pixel kTransparent{0, 0, 0, 0};

}  // namespace

Painter::Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu)
    : pool_(pool), cpu_(cpu), lanes_(static_cast<size_t>(pool.threads()) + 1) {}

void Painter::paint(const Changes& changes, std::span<const Canvas> canvases,
                    std::vector<uint64_t>& unreadable) {
  for (int pass = 0; collect_pass(changes, canvases, pass) || pass == 0; ++pass) {
    make_room();
    run_all();
  }
  for (size_t i = 0; i < canvases.size(); ++i) {
    const auto& plate = changes.tiles[i].plate;
    if (plate) draw(*plate, at(canvases[i].target, plate->rect.x, plate->rect.y));
  }
  for (Lane& lane : lanes_) {
    unreadable.insert(unreadable.end(), lane.unreadable.begin(), lane.unreadable.end());
    lane.unreadable.clear();
  }
}

bool Painter::collect_pass(const Changes& changes, std::span<const Canvas> canvases, int pass) {
  work_.clear();
  for (size_t i = 0; i < canvases.size(); ++i) {
    int blended = 0;
    for (const Part& part : changes.tiles[i].parts) {
      const bool alpha = part.window != nullptr && part.window->alpha;
      if ((alpha ? ++blended : 0) == pass) collect(part, canvases[i]);
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
  const auto add = [&](const Rect& rect, const Band* band) {
    work_.push_back({.target = at(canvas.target, rect.x, rect.y),
                     .size = {rect.width, rect.height},
                     .frame = part.frame,
                     .piece = part.piece,
                     .band = band,
                     .alpha = part.window != nullptr && part.window->alpha});
  };
  if (part.piece == nullptr) return add(part.tile_rect, nullptr);
  for (const Band& band : part.piece->bands) {
    if (part.changed == nullptr || part.changed->touch(band.source_rect)) {
      add(band.tile_rect, &band);
    }
  }
}

// For the largest bands that do not go straight to their place.
void Painter::make_room() {
  size_t source_bytes = lanes_[0].source.size();
  size_t scaled_bytes = lanes_[0].scaled.size();
  size_t scratch_bytes = lanes_[0].scratch.size();
  const auto bytes = [](int width, int height) {
    return static_cast<size_t>(width) * static_cast<size_t>(height) * kBytesPerPixel;
  };
  for (const Work& work : work_) {
    if (work.piece == nullptr || (work.piece->one_to_one() && !work.alpha)) continue;
    const Rect& source = work.band->source_rect;
    source_bytes = std::max(source_bytes, bytes(source.width, source.height));
    if (work.alpha) scaled_bytes = std::max(scaled_bytes, bytes(work.size.width, work.size.height));
    scratch_bytes = std::max(scratch_bytes, work.piece->columns.size() * 8);
  }
  for (Lane& lane : lanes_) {
    lane.source.resize(source_bytes);
    lane.scaled.resize(scaled_bytes);
    lane.scratch.resize(scratch_bytes);
  }
}

void Painter::run(const Work& work, Lane& lane) const {
  if (work.alpha) {
    if (work.frame != nullptr) blend(work, lane);
  } else if (work.frame == nullptr) {
    fill({work.target, work.size}, kBlack);
  } else if (work.piece->one_to_one()) {
    decode(*work.frame, work.band->source_rect, work.target, kBlack, lane);
  } else {
    const ptrdiff_t stride = work.band->source_rect.width * kBytesPerPixel;
    decode(*work.frame, work.band->source_rect, {lane.source.data(), stride}, kBlack, lane);
    codecs::resample_bilinear(lane.source.data(), stride, work.piece->columns, work.band->rows,
                              lane.scratch, work.target, cpu_);
  }
}

void Painter::blend(const Work& work, Lane& lane) const {
  const Rect& source = work.band->source_rect;
  const Canvas decoded{{lane.source.data(), source.width * kBytesPerPixel},
                       {source.width, source.height}};
  decode(*work.frame, source, decoded.target, kTransparent, lane);
  premultiply(decoded);
  if (work.piece->one_to_one()) return blend_over(decoded, work.target);
  const Canvas scaled{{lane.scaled.data(), work.size.width * kBytesPerPixel}, work.size};
  codecs::resample_bilinear(decoded.target.pixels, decoded.target.stride, work.piece->columns,
                            work.band->rows, lane.scratch, scaled.target, cpu_);
  blend_over(scaled, work.target);
}

void Painter::decode(const Frame& frame, const Rect& source_rect, BgraTarget target,
                     const Pixel& missing, Lane& lane) const {
  const sail::BlockGrid& grid = frame.grid();
  const Rect blocks = grid.blocks_touching(source_rect);
  for (int row = blocks.y; row < blocks.bottom(); ++row) {
    for (int column = blocks.x; column < blocks.right(); ++column) {
      const Rect block = grid.block_rect(column, row);
      const Rect crop = sail::intersect(block, source_rect);
      const BgraTarget place = at(target, crop.x - source_rect.x, crop.y - source_rect.y);
      const bool here = frame.has(column, row);
      const uint8_t* texel_blocks = here ? lane.texel_blocks.of(frame, column, row) : nullptr;
      if (texel_blocks != nullptr) {
        codecs::dxt_decode(frame.codec().id, texel_blocks, block.width, block.height,
                           crop.x - block.x, crop.y - block.y, crop.width, crop.height, place,
                           cpu_);
      } else {
        fill({place, {crop.width, crop.height}}, missing);
        if (here) lane.unreadable.push_back(frame.session());
      }
    }
  }
}

}  // namespace receiver
