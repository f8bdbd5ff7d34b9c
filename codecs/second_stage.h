// The lossless second stage: one pixel block's texel blocks made smaller for thin links.
//
// One thread at a time per object; memory is taken when it is made, none afterwards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "codecs/format.h"

namespace codecs {

class SecondStage {
 public:
  virtual ~SecondStage() = default;

  // Bytes written to `out`; 0 when the result would not be smaller than `in`, which is then sent as
  // it is. `out` has room for in.size() bytes and does not overlap `in`.
  virtual size_t compress(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;
  // False when `in` is not the compressed form of exactly out.size() bytes; `out` is undefined
  // then.
  virtual bool decompress(std::span<const uint8_t> in, std::span<uint8_t> out) = 0;
};

// Null for kNone.
std::unique_ptr<SecondStage> make_second_stage(Compression compression);

}  // namespace codecs
