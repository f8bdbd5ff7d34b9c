// Decodes further areas of partially decoded blocks when painting needs them: a window was moved or
// scaled, and a still picture gets no new frame. Main thread, before painting; no other thread
// accesses the pixels of frames on screen.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "codecs/j2k/j2k.h"
#include "receiver/paint/composition.h"

namespace receiver {

class LateDecoder {
 public:
  void decode(const Changes& changes);

 private:
  // Area of a frame that tiles read: the bounding box over all tiles and pieces.
  struct Read {
    const Frame* frame;
    sail::Rect part;
  };
  void collect(const Part& part);
  void decode(const Read& read);

  std::unique_ptr<codecs::J2kDecoder> decoder_;  // created on first use
  std::vector<Read> reads_;                      // kept for its capacity
};

}  // namespace receiver
