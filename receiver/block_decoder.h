// Decodes the blocks of frames that need it, on all cores, block by block: JPEG 2000, and what a
// second stage made smaller.
//
// Of high throughput, only what is wanted of a frame is decoded of its blocks.
//
// A block that cannot be read is concealed: the place has what it had in the frame before, nothing
// if there was nothing. It is not tried again.
//
// One thread at a time, with the pool's workers inside decode().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codecs/j2k.h"
#include "codecs/second_stage.h"
#include "receiver/frame.h"
#include "sail/base/worker_pool.h"

namespace receiver {

// A part of a block of JPEG 2000, in the frame's pixels and not empty, to its place. False when it
// cannot be read: then it is as it was.
bool decode_part(codecs::J2kDecoder& decoder, const Frame& frame, int column, int row,
                 const sail::Rect& part, PlainBlock& plain);

class BlockDecoder {
 public:
  // The pool must outlive this.
  explicit BlockDecoder(sail::WorkerPool& pool);

  struct Counts {
    uint64_t decoded = 0;
    uint64_t concealed = 0;
    std::string why;  // of one of those: what a block does or is
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
  // What the block holds, and which part of it is there. False when it cannot be read.
  static bool read_j2k(const Frame& frame, const Place& place, Lane& lane, PlainBlock& plain);
  static bool read_smaller(const Frame& frame, const Place& place, Lane& lane, PlainBlock& plain);
  // Why it could not be, in words.
  static std::string fault(const Frame& frame, const Place& place, const PlainBlockRef& plain);

  sail::WorkerPool& pool_;
  std::vector<Lane> lanes_;
  std::vector<Place> changed_;  // reused
};

}  // namespace receiver
