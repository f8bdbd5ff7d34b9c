// Decodes what is to be painted of blocks of which only a part was decoded: a window was moved or
// scaled since, and of a picture that stands no other frame comes. Main thread, before it paints:
// nobody else reads or writes pixels of frames that are there.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "codecs/j2k.h"
#include "receiver/composition.h"

namespace receiver {

class MissingParts {
 public:
  void decode(const Changes& changes);

 private:
  // What is read of a frame, whichever tiles and pieces do.
  struct Read {
    const Frame* frame;
    sail::Rect part;
  };
  void collect(const Part& part);
  void decode(const Read& read);

  std::unique_ptr<codecs::J2kDecoder> decoder_;  // made when first needed
  std::vector<Read> reads_;                      // reused
};

}  // namespace receiver
