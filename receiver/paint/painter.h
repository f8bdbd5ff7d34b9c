// Paints parts of windows from the blocks of their frames straight into the tiles' canvases. Areas
// without a window or a block become black.
//
// Not thread-safe; the pool's workers run inside paint(). Allocates memory only when a part needs
// more than any before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/color/convert.h"
#include "codecs/dxt/dxt.h"
#include "receiver/frame/canvas.h"
#include "receiver/paint/composition.h"
#include "sail/core/base/worker_pool.h"

namespace receiver {

class Painter {
 public:
  // The pool must outlive the painter.
  Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu);

  // canvases: one a tile, in the order of the tiles.
  void paint(const Changes& changes, std::span<const Canvas> canvases);

 private:
  struct Work {
    codecs::BgraTarget target;                  // destination of the band's first pixel
    sail::Size size;                            // size of the band in pixels
    const Frame* frame = nullptr;               // null: black
    const Piece* piece = nullptr;               // null: background
    const Band* band = nullptr;                 // null: background
    sail::Rect source_rect{};                   // area of the frame that the band reads
    const sail::SceneWindow* window = nullptr;  // null: background

    // Returns true if the pixels are blended, transposed or masked, not just written row by row.
    bool is_laid() const {
      return window != nullptr &&
             (window->blended() || piece->turned || piece->channels != Channels::kAll);
    }
  };
  // Buffers of one worker.
  struct Lane {
    std::vector<uint8_t> source;   // decoded pixels of a band
    std::vector<uint8_t> scaled;   // pixels of a band before blending
    std::vector<uint8_t> scratch;  // for resample_bilinear
  };

  // Collects the work of a pass; returns false if there is none. Each blended window gets a pass of
  // its own, after the windows below it.
  bool collect_pass(const Changes& changes, std::span<const Canvas> canvases, int pass);
  void collect(const Part& part, const Canvas& canvas);
  void add(const Part& part, const Canvas& canvas, const Band& band);
  void make_room();
  void run_all();
  void run(const Work& work, Lane& lane) const;
  void lay(const Work& work, Lane& lane) const;
  // Decodes blocks of DXT and pictures of all other codecs.
  struct Decoder {
    decltype(codecs::dxt_decode)* dxt;
    decltype(codecs::convert_to_bgra)* picture;
  };
  static constexpr Decoder kCached{codecs::dxt_decode, codecs::convert_to_bgra};
  // By stores that bypass the caches, for pixels that are not read soon.
  static constexpr Decoder kStreamed{codecs::dxt_decode_streamed, codecs::stream_to_bgra};
  void decode(const Frame& frame, const sail::Rect& source_rect, codecs::BgraTarget target,
              const Pixel& missing, const Decoder& decoder) const;
  bool decode_block(const Frame& frame, int column, int row, const sail::Rect& crop,
                    codecs::BgraTarget target, const Decoder& decoder) const;

  sail::WorkerPool& pool_;
  const codecs::CpuLevel cpu_;
  std::vector<Lane> lanes_;
  std::vector<Work> work_;  // kept for its capacity
};

}  // namespace receiver
