// Paints parts of windows, decoded from the blocks of their frames, straight into the tiles'
// canvases. Black where no window is and where no block came.
//
// Thread: one, with the pool's workers inside paint(). Takes memory only for parts that need more
// of it than any before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/cpu.h"
#include "codecs/image.h"
#include "receiver/canvas.h"
#include "receiver/composition.h"
#include "sail/base/worker_pool.h"

namespace receiver {

class Painter {
 public:
  // The pool must outlive this.
  Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu);

  // canvases: one a tile, in the same order.
  void paint(const Changes& changes, std::span<const Canvas> canvases);

 private:
  struct Work {
    codecs::BgraTarget target;     // where the band's first pixel goes
    sail::Size size;               // of the band
    const Frame* frame = nullptr;  // null: black
    const Piece* piece = nullptr;  // null: background
    const Band* band = nullptr;    // null: background
  };
  // What one thread needs at a time.
  struct Lane {
    std::vector<uint8_t> source;   // decoded pixels of a band
    std::vector<uint8_t> scratch;  // of resample_bilinear
  };

  void collect(const Part& part, const Canvas& canvas);
  void make_room();
  void run(const Work& work, Lane& lane) const;
  void decode(const Frame& frame, const sail::Rect& source_rect, codecs::BgraTarget target) const;

  sail::WorkerPool& pool_;
  const codecs::CpuLevel cpu_;
  std::vector<Lane> lanes_;
  std::vector<Work> work_;  // reused
};

}  // namespace receiver
