// Decodes the JPEG 2000 blocks of frames, on all cores, block by block.
//
// A block that cannot be read is concealed: its pixels are those that the place had in the frame
// before, none if there were none. It is not tried again.
//
// One thread at a time, with the pool's workers inside decode().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/j2k.h"
#include "receiver/frame.h"
#include "sail/base/worker_pool.h"

namespace receiver {

class BlockDecoder {
 public:
  // The pool must outlive this.
  explicit BlockDecoder(sail::WorkerPool& pool);

  struct Counts {
    uint64_t decoded = 0;
    uint64_t concealed = 0;
  };
  // Gives the frame the pixels of its blocks, and decodes those of which it has other versions than
  // the frame before of its connection, which was decoded here, too: of a connection one frame
  // after the other.
  Counts decode(Frame& frame);

 private:
  // What one thread needs at a time.
  struct Lane {
    std::array<std::unique_ptr<codecs::J2kDecoder>, 2> decoders;  // made when first needed
    Counts counts;
  };
  struct Place {
    int column;
    int row;
  };
  void decode(Frame& frame, const Place& place, Lane& lane) const;

  sail::WorkerPool& pool_;
  std::vector<Lane> lanes_;
  std::vector<Place> changed_;  // reused
};

}  // namespace receiver
