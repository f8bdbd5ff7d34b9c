// Encodes and decodes whole frames with the DXT codecs.
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "codecs/dxt/dxt.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {

constexpr CodecId kDxtCodecs[] = {CodecId::kDxt1, CodecId::kDxt5, CodecId::kDxt5YCoCg};
constexpr DxtMode kQuickModes[] = {DxtMode::kFast, DxtMode::kGood};

inline Bytes encode(CodecId codec, const Frame& frame, DxtMode mode, CpuLevel cpu) {
  Bytes blocks(dxt_bytes(codec, frame.view.width, frame.view.height));
  dxt_encode(codec, frame.view, 0, 0, frame.view.width, frame.view.height, mode, blocks.data(),
             cpu);
  return blocks;
}

inline Bytes decode(CodecId codec, const Bytes& blocks, int width, int height,
                    CpuLevel cpu = CpuLevel::kReference) {
  GuardedPixels out(width, height);
  dxt_decode(codec, blocks.data(), width, height, 0, 0, width, height, out.target(), cpu);
  EXPECT_TRUE(out.guards_untouched()) << cpu_level_name(cpu);
  return out.pixels();
}

// Expects DXT1 blocks that do not use the transparent colour.
inline void expect_opaque(const Bytes& blocks) {
  for (size_t i = 0; i < blocks.size(); i += texel_block_bytes(CodecId::kDxt1)) {
    const int colour0 = blocks[i] | blocks[i + 1] << 8;
    const int colour1 = blocks[i + 2] | blocks[i + 3] << 8;
    uint32_t indices = 0;
    std::memcpy(&indices, &blocks[i + 4], 4);
    ASSERT_TRUE(colour0 > colour1 || (colour0 == colour1 && indices == 0)) << "block " << i / 8;
  }
}

}  // namespace codecs::test
