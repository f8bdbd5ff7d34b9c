#include "codecs/picture/second_stage.h"

// Contexts in caller-provided memory belong to libzstd's unstable interface.
#define ZSTD_STATIC_LINKING_ONLY
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <vector>

namespace codecs {
namespace {

constexpr int kAcceleration = 1;  // LZ4's default

// LZ4 takes at most LZ4_MAX_INPUT_SIZE bytes, so sizes fit an int.
int to_int(size_t bytes) {
  return static_cast<int>(std::min<size_t>(bytes, LZ4_MAX_INPUT_SIZE));
}

class Lz4Stage : public SecondStage {
 public:
  size_t compress(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (in.size() <= 1 || in.size() > LZ4_MAX_INPUT_SIZE) return 0;
    const size_t room = std::min(out.size(), in.size() - 1);
    // Returns 0 if the result does not fit.
    return static_cast<size_t>(LZ4_compress_fast_extState(
        &state_, reinterpret_cast<const char*>(in.data()), reinterpret_cast<char*>(out.data()),
        to_int(in.size()), to_int(room), kAcceleration));
  }

  bool decompress(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (in.empty() || out.empty()) return false;
    if (in.size() > LZ4_MAX_INPUT_SIZE || out.size() > LZ4_MAX_INPUT_SIZE) return false;
    return LZ4_decompress_safe(reinterpret_cast<const char*>(in.data()),
                               reinterpret_cast<char*>(out.data()), to_int(in.size()),
                               to_int(out.size())) == to_int(out.size());
  }

 private:
  LZ4_stream_t state_;
};

// The lowest regular level; the negative ones find almost nothing in texel blocks.
constexpr int kZstdLevel = 1;

class ZstdStage : public SecondStage {
 public:
  ZstdStage()
      : compress_memory_(words(ZSTD_estimateCCtxSize(kZstdLevel))),
        decompress_memory_(words(ZSTD_estimateDCtxSize())),
        compressor_(ZSTD_initStaticCCtx(compress_memory_.data(), bytes(compress_memory_))),
        decompressor_(ZSTD_initStaticDCtx(decompress_memory_.data(), bytes(decompress_memory_))) {
    assert(compressor_ != nullptr && decompressor_ != nullptr);
  }

  size_t compress(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (in.size() <= 1) return 0;
    const size_t room = std::min(out.size(), in.size() - 1);
    const size_t written =
        ZSTD_compressCCtx(compressor_, out.data(), room, in.data(), in.size(), kZstdLevel);
    return ZSTD_isError(written) ? 0 : written;
  }

  bool decompress(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    if (!is_one_frame(in)) return false;
    return ZSTD_decompressDCtx(decompressor_, out.data(), out.size(), in.data(), in.size()) ==
           out.size();
  }

 private:
  // libzstd would also accept several concatenated frames, empty ones, and legacy formats.
  static bool is_one_frame(std::span<const uint8_t> in) {
    constexpr uint8_t kMagic[] = {0x28, 0xb5, 0x2f, 0xfd};  // RFC 8878, 3.1.1
    return in.size() > sizeof(kMagic) &&
           std::equal(std::begin(kMagic), std::end(kMagic), in.begin()) &&
           ZSTD_findFrameCompressedSize(in.data(), in.size()) == in.size();
  }

  using Memory = std::vector<uint64_t>;  // aligned as libzstd requires
  static size_t words(size_t bytes) { return (bytes + 7) / 8; }
  static size_t bytes(const Memory& memory) { return memory.size() * 8; }

  Memory compress_memory_;
  Memory decompress_memory_;
  ZSTD_CCtx* compressor_;
  ZSTD_DCtx* decompressor_;
};

}  // namespace

std::unique_ptr<SecondStage> make_second_stage(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return nullptr;
    case Compression::kLz4:
      return std::make_unique<Lz4Stage>();
    case Compression::kZstd:
      return std::make_unique<ZstdStage>();
  }
  return nullptr;
}

}  // namespace codecs
