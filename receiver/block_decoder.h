// Decodes the blocks of frames that need it, on all cores, block by block: JPEG 2000, and what a
// second stage made smaller.
//
// A block that cannot be read is concealed: the place has what it had in the frame before, nothing
// if there was nothing. It is not tried again.
//
// One thread at a time, with the pool's workers inside decode().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/j2k.h"
#include "codecs/second_stage.h"
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
  // Gives the frame what its blocks hold, and decodes the blocks whose versions differ from those
  // of the frame before. That one was decoded here, too: the frames of a connection come one after
  // the other.
  Counts decode(Frame& frame);

 private:
  // What one thread needs at a time.
  struct Lane {
    // Made when first needed; by their numbers.
    std::array<std::unique_ptr<codecs::J2kDecoder>, 2> decoders;
    std::array<std::unique_ptr<codecs::SecondStage>, 3> second_stages;
    Counts counts;
  };
  struct Place {
    int column;
    int row;
  };
  static void decode(Frame& frame, const Place& place, Lane& lane);
  // Into memory for what the block holds. False when it cannot be read.
  static bool read_j2k(const Frame& frame, const Place& place, Lane& lane, uint8_t* plain);
  static bool read_smaller(const Frame& frame, const Place& place, Lane& lane, uint8_t* plain);

  sail::WorkerPool& pool_;
  std::vector<Lane> lanes_;
  std::vector<Place> changed_;  // reused
};

}  // namespace receiver
