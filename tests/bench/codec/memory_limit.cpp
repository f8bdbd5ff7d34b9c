#include "tests/bench/codec/scene.h"

#ifndef __aarch64__
#include <immintrin.h>
#endif

#include <cstring>
#include <utility>

namespace bench {
namespace {

using codecs::CodecId;
using codecs::kTexelBlock;

// A row of texel blocks: four rows of `width` pixels at `pixels` (stride in bytes), `block_bytes`
// for each block.
using ReadRow = void (*)(const uint8_t* pixels, ptrdiff_t stride, int width, size_t block_bytes,
                         uint8_t* blocks);
using WriteRow = void (*)(const uint8_t* blocks, size_t block_bytes, uint8_t* pixels,
                          ptrdiff_t stride, int width);

constexpr int kRowBytes = kTexelBlock * 4;  // bytes of one block
// Prefetch distance; this one makes the loop fastest.
constexpr int kAheadBytes = 512;

// For machines without AVX2: eight bytes at a time.
void read_row(const uint8_t* pixels, ptrdiff_t stride, int width, size_t block_bytes,
              uint8_t* blocks) {
  for (int x = 0; x < width; x += kTexelBlock, pixels += kRowBytes, blocks += block_bytes) {
    uint64_t sum[2] = {};
    for (int row = 0; row < kTexelBlock; ++row) {
      uint64_t part[2];
      std::memcpy(part, pixels + stride * row, sizeof(part));
      sum[0] ^= part[0];
      sum[1] ^= part[1];
    }
    if (block_bytes == 8) sum[0] ^= sum[1];
    std::memcpy(blocks, sum, block_bytes);
  }
}

void write_row(const uint8_t* blocks, size_t block_bytes, uint8_t* pixels, ptrdiff_t stride,
               int width) {
  for (int x = 0; x < width; x += kTexelBlock, pixels += kRowBytes, blocks += block_bytes) {
    uint64_t part[2];
    std::memcpy(&part[0], blocks, 8);
    std::memcpy(&part[1], blocks + block_bytes - 8, 8);
    for (int row = 0; row < kTexelBlock; ++row) {
      std::memcpy(pixels + stride * row, part, sizeof(part));
    }
  }
}

#ifndef __aarch64__

[[gnu::target("avx2")]] __m256i load32(const uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

// Four blocks at a time, a cache line of each row; the rest goes to the plain loop.
[[gnu::target("avx2")]] void read_row_avx2(const uint8_t* pixels, ptrdiff_t stride, int width,
                                           size_t block_bytes, uint8_t* blocks) {
  int x = 0;
  for (; x + 16 <= width; x += 16, pixels += 64, blocks += 4 * block_bytes) {
    __m256i low = load32(pixels), high = load32(pixels + 32);
    _mm_prefetch(reinterpret_cast<const char*>(pixels + kAheadBytes), _MM_HINT_T0);
    for (int row = 1; row < kTexelBlock; ++row) {
      const uint8_t* from = pixels + stride * row;
      _mm_prefetch(reinterpret_cast<const char*>(from + kAheadBytes), _MM_HINT_T0);
      low = _mm256_xor_si256(low, load32(from));
      high = _mm256_xor_si256(high, load32(from + 32));
    }
    auto* to = reinterpret_cast<__m256i*>(blocks);
    if (block_bytes == 8) {
      _mm256_storeu_si256(
          to, _mm256_xor_si256(_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high)));
    } else {
      _mm256_storeu_si256(to, low);
      _mm256_storeu_si256(to + 1, high);
    }
  }
  read_row(pixels, stride, width - x, block_bytes, blocks);
}

[[gnu::target("avx2")]] void write_row_avx2(const uint8_t* blocks, size_t block_bytes,
                                            uint8_t* pixels, ptrdiff_t stride, int width) {
  int x = 0;
  for (; x + 16 <= width; x += 16, pixels += 64, blocks += 4 * block_bytes) {
    const __m256i low = load32(blocks);
    const __m256i high = block_bytes == 8 ? low : load32(blocks + 32);
    for (int row = 0; row < kTexelBlock; ++row) {
      auto* to = reinterpret_cast<__m256i*>(pixels + stride * row);
      _mm256_storeu_si256(to, low);
      _mm256_storeu_si256(to + 1, high);
    }
  }
  write_row(blocks, block_bytes, pixels, stride, width - x);
}

#endif

ReadRow best_read() {
#ifndef __aarch64__
  if (codecs::detect_cpu() >= codecs::CpuLevel::kAvx2) return read_row_avx2;
#endif
  return read_row;
}

WriteRow best_write() {
#ifndef __aarch64__
  if (codecs::detect_cpu() >= codecs::CpuLevel::kAvx2) return write_row_avx2;
#endif
  return write_row;
}

Candidate limit(const Scene& scene, CodecId codec, Side side, Work work) {
  Candidate candidate;
  candidate.codec = codec;
  candidate.mode = "fast";
  candidate.kernel = kMemoryLimit;
  candidate.side = side;
  candidate.content = scene.picture().name;
  candidate.pixels = scene.picture().pixel_count();
  candidate.work = std::move(work);
  return candidate;
}

}  // namespace

void add_memory_limits(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  const ReadRow read = best_read();
  const WriteRow write = best_write();
  const size_t block_bytes = codecs::texel_block_bytes(codec);
  const int width = scene.picture().size.width;
  const int rows = scene.picture().size.height / kTexelBlock;
  const ptrdiff_t stride = scene.picture().stride();
  const auto row_bytes = static_cast<ptrdiff_t>(codecs::dxt_bytes(codec, width, kTexelBlock));
  const uint8_t* frame = scene.picture().pixels.data();
  uint8_t* block_target = scene.block_target();
  candidates.push_back(limit(scene, codec, Side::kEncode, by_rows(rows, [=](int first, int last) {
                               for (int row = first; row < last; ++row) {
                                 read(frame + stride * kTexelBlock * row, stride, width,
                                      block_bytes, block_target + row_bytes * row);
                               }
                             })));
  const uint8_t* blocks = scene.blocks(codec);
  uint8_t* pixel_target = scene.pixel_target();
  candidates.push_back(limit(scene, codec, Side::kDecode, by_rows(rows, [=](int first, int last) {
                               for (int row = first; row < last; ++row) {
                                 write(blocks + row_bytes * row, block_bytes,
                                       pixel_target + stride * kTexelBlock * row, stride, width);
                               }
                             })));
}

}  // namespace bench
