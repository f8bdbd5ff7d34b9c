// Paints parts of windows, from the blocks of their frames, straight into the tiles'
// canvases. Black where no window is and where no block came.
//
// Thread: one, with the pool's workers inside paint(). Takes memory only for parts that need more
// of it than any before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/convert.h"
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
    codecs::BgraTarget target;                  // where the band's first pixel goes
    sail::Size size;                            // of the band
    const Frame* frame = nullptr;               // null: black
    const Piece* piece = nullptr;               // null: background
    const Band* band = nullptr;                 // null: background
    sail::Rect source_rect{};                   // of the frame, what it reads
    const sail::SceneWindow* window = nullptr;  // null: background

    // Its pixels do not just take the place of others, row by row.
    bool is_laid() const {
      return window != nullptr &&
             (window->blended() || piece->turned || piece->channels != Channels::kAll);
    }
  };
  // What one thread needs at a time.
  struct Lane {
    std::vector<uint8_t> source;   // decoded pixels of a band
    std::vector<uint8_t> scaled;   // pixels of a band to be laid
    std::vector<uint8_t> scratch;  // of resample_bilinear
  };

  // The work of a pass; false when there is none: windows that are blended each have one of their
  // own, after those beneath.
  bool collect_pass(const Changes& changes, std::span<const Canvas> canvases, int pass);
  void collect(const Part& part, const Canvas& canvas);
  void add(const Part& part, const Canvas& canvas, const Band& band);
  void make_room();
  void run_all();
  void run(const Work& work, Lane& lane) const;
  void lay(const Work& work, Lane& lane) const;
  // convert_to_bgra, or stream_to_bgra.
  using Convert = decltype(codecs::convert_to_bgra);
  void decode(const Frame& frame, const sail::Rect& source_rect, codecs::BgraTarget target,
              const Pixel& missing, Convert* convert) const;
  bool decode_block(const Frame& frame, int column, int row, const sail::Rect& crop,
                    codecs::BgraTarget target, Convert* convert) const;

  sail::WorkerPool& pool_;
  const codecs::CpuLevel cpu_;
  std::vector<Lane> lanes_;
  std::vector<Work> work_;  // reused
};

}  // namespace receiver
