// Decodes the blocks of frames whose codec needs decoding (JPEG 2000, or a second compression
// stage) on all cores, one block per task.
//
// For HTJ2K, only the visible part of a frame is decoded.
//
// A block that cannot be decoded is concealed: its area keeps the pixels of the previous frame, or
// stays empty if there are none. Decoding is not retried. A frame of a carried stream is not shown
// then.
//
// Not thread-safe: one thread calls; the pool's workers run inside decode().
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "codecs/j2k/j2k.h"
#include "codecs/picture/second_stage.h"
#include "receiver/frame/frame.h"
#include "sail/core/base/worker_pool.h"

namespace receiver {

// Decodes a part of a JPEG 2000 block into `plain`. `part` is in frame pixels and must not be
// empty. Returns false if the block cannot be decoded; `plain` then keeps its pixels.
bool decode_part(codecs::J2kDecoder& decoder, const Frame& frame, int column, int row,
                 const sail::Rect& part, PlainBlock& plain);

class BlockDecoder {
 public:
  // The pool must outlive the decoder. decoder_program: for carried streams; empty:
  // vitrail-decoder.
  explicit BlockDecoder(sail::WorkerPool& pool, std::string decoder_program = {});

  struct Counts {
    uint64_t decoded = 0;
    uint64_t concealed = 0;
    std::string why;  // why one block was concealed; continues "block 3 …"
    // For carried streams only:
    bool undecoded = false;         // the frame's picture did not come out
    bool needs_key = false;         // the next frame must have no base
    bool lost_its_decoder = false;  // its process ended or hung; `why` says how
  };
  // Sets the decoded pixels of all blocks of the frame. Decodes only blocks whose version differs
  // from the previous frame of the same connection, which must have been decoded here too.
  Counts decode(Frame& frame);

 private:
  // State of one worker during decode().
  struct Lane {
    // Created on first use; indexed by codec and by compression.
    std::array<std::unique_ptr<codecs::J2kDecoder>, 2> decoders;
    std::array<std::unique_ptr<codecs::SecondStage>, 3> second_stages;
    Counts counts;
  };
  struct Place {
    int column;
    int row;
  };
  static void decode(Frame& frame, const Place& place, Lane& lane);
  // Decodes the only block of a carried stream's frame. Must be called for each frame.
  Counts decode_carried(Frame& frame) const;
  // Decode a block into `plain`, and set `plain.part`. Return false if that is impossible.
  static bool read_j2k(const Frame& frame, const Place& place, Lane& lane, PlainBlock& plain);
  static bool read_smaller(const Frame& frame, const Place& place, Lane& lane, PlainBlock& plain);
  // Returns why the block could not be decoded, for Counts::why.
  static std::string fault(const Frame& frame, const Place& place, const PlainBlockRef& plain);

  sail::WorkerPool& pool_;
  const std::string decoder_program_;
  std::vector<Lane> lanes_;
  std::vector<Place> changed_;  // kept for its capacity
};

}  // namespace receiver
