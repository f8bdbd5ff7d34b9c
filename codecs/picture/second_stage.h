// Lossless second stage: compresses a pixel block's texel blocks further, for slow links.
//
// One thread at a time per object; allocates only at construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "codecs/base/format.h"

namespace codecs {

class SecondStage {
 public:
  virtual ~SecondStage() = default;

  // Returns the bytes written to `out`, or 0 if the result would not be smaller than `in`, which is
  // then sent unchanged. `out` has room for in.size() bytes and does not overlap `in`.
  virtual size_t compress(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;
  // False if `in` is not the compressed form of exactly out.size() bytes; `out` is then undefined.
  virtual bool decompress(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;
};

// Null for kNone.
std::unique_ptr<SecondStage> make_second_stage(Compression compression);

}  // namespace codecs
