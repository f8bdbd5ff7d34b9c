#include "codecs/picture/second_stage_libraries.h"

#include <lz4.h>

#include <algorithm>

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

}  // namespace

std::unique_ptr<SecondStage> make_lz4_stage() {
  return std::make_unique<Lz4Stage>();
}

}  // namespace codecs
