// A receiver's handling of a pixel block: the second stage is decompressed, and a crop of the texel
// blocks decoded. Input: codec, compression, width, height, left, top, right, bottom (in 255ths),
// then the body.
#include <algorithm>
#include <span>
#include <vector>

#include "codecs/dxt/dxt.h"
#include "codecs/picture/second_stage.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace codecs;

struct Crop {
  int x, y, width, height;
};

// The rectangle within `side` pixels; may be empty.
void crop_side(int from, int to, int side, int& at, int& size) {
  at = std::min(from, to) * side / 255;
  size = std::max(from, to) * side / 255 - at;
}

std::vector<uint8_t> decode(CodecId codec, const std::vector<uint8_t>& blocks, int width,
                            int height, const Crop& crop, CpuLevel cpu) {
  std::vector<uint8_t> bgra(static_cast<size_t>(crop.width) * static_cast<size_t>(crop.height) * 4);
  dxt_decode(codec, blocks.data(), width, height, crop.x, crop.y, crop.width, crop.height,
             {bgra.data(), ptrdiff_t{4} * crop.width}, cpu);
  return bgra;
}

}  // namespace

FUZZ_TARGET(texel_blocks) {
  constexpr size_t kHeadBytes = 8;
  if (size < kHeadBytes) return 0;
  const auto codec = static_cast<CodecId>(1 + data[0] % 3);
  const auto compression = static_cast<Compression>(data[1] % 3);
  const int width = 1 + data[2], height = 1 + data[3] % 64;
  Crop crop{};
  crop_side(data[4], data[6], width, crop.x, crop.width);
  crop_side(data[5], data[7], height, crop.y, crop.height);
  const std::span<const uint8_t> body(data + kHeadBytes, size - kHeadBytes);

  std::vector<uint8_t> blocks(dxt_bytes(codec, width, height));
  const auto stage = make_second_stage(compression);
  if (stage != nullptr) {
    if (!stage->decompress(body, blocks)) return 0;
    std::vector<uint8_t> small(blocks.size()), again(blocks.size());
    small.resize(stage->compress(blocks, small));
    fuzz::require(small.empty() || (stage->decompress(small, again) && again == blocks),
                  "what was compressed comes back");
  } else {
    if (body.size() != blocks.size()) return 0;
    std::copy(body.begin(), body.end(), blocks.begin());
  }
  fuzz::require(decode(codec, blocks, width, height, crop, detect_cpu()) ==
                    decode(codec, blocks, width, height, crop, CpuLevel::kReference),
                "the fast decoder gives the reference's pixels");
  return 0;
}
