// One pixel block of any codec, and how long it may be.
//
// One thread at a time per object; takes memory only for blocks larger than any before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/cpu.h"
#include "codecs/dxt.h"
#include "codecs/image.h"
#include "codecs/j2k.h"
#include "codecs/reduced_picture.h"
#include "codecs/second_stage.h"

namespace codecs {

// The most that a block of that many pixels takes. JPEG 2000: what 16 bits of noise take, coded
// without loss, and its headers.
size_t max_block_bytes(CodecId codec, int width, int height);
// And the least: DXT and raw blocks without a second stage have one length.
size_t min_block_bytes(CodecId codec, Compression compression, int width, int height);

// What is asked of an encoder beside its codec.
struct BlockQuality {
  DxtMode mode = DxtMode::kGood;  // of DXT
  J2kQuality j2k;                 // of JPEG 2000
};

class BlockEncoder {
 public:
  // Second stages are for DXT and raw blocks only.
  BlockEncoder(CodecId codec, Compression compression);

  // The rectangle at (x, y), multiples of 4 (JPEG 2000: of 2), in pixels of the frame reduced
  // `reduction` times. `out` has room for max_block_bytes(). Only
  // lengths of JPEG 2000 differ, by what it is reduced further. All zeros: the encoder failed (JPEG
  // 2000 only).
  PrefixBytes encode(const ImageView& frame, int reduction, int x, int y, int width, int height,
                     const BlockQuality& quality, std::span<uint8_t> out);

  // Whether blocks side by side are better encoded together: DXT without a second stage.
  bool encodes_rows() const { return !j2k_ && !second_stage_ && codec_ != CodecId::kRaw; }
  // Such blocks of a frame that is not reduced, from x to `right`, each `width` wide but for the
  // last. places[i] has room for max_block_bytes() of the i-th.
  void encode_row(const ImageView& frame, int x, int y, int width, int right, int height,
                  DxtMode mode, std::span<uint8_t* const> places) const {
    dxt_encode_row(codec_, frame, x, y, width, right, height, mode, places, cpu_);
  }

 private:
  void encode_pixels(const ImageView& frame, int reduction, int x, int y, int width, int height,
                     DxtMode mode, uint8_t* out);

  CodecId codec_;
  CpuLevel cpu_;
  std::unique_ptr<SecondStage> second_stage_;
  std::unique_ptr<J2kEncoder> j2k_;
  std::vector<uint8_t> plain_;  // what the second stage reads
  ReducedPicture reduced_;
};

}  // namespace codecs
