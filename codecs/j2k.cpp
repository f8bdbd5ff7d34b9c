#include "codecs/j2k.h"

#include <algorithm>

#include "codecs/ht_packets.h"
#include "codecs/j2k_header.h"
#include "codecs/j2k_libraries.h"

namespace codecs {
namespace {

// OpenJPH 0.9 transforms wrongly what is one sample before and after a step, so that pictures which
// come to that are left to OpenJPEG, which knows both parts of the standard. It encodes Part 1
// only; what takes Part 15 takes that, too.
bool comes_to_one_sample(int width, int height, int levels) {
  return levels > 0 && std::max(width, height) <= 1 << (levels - 1);
}

bool comes_to_one_sample(const J2kHeader& shape) {
  return comes_to_one_sample((shape.width + shape.chroma_step_x - 1) / shape.chroma_step_x,
                             (shape.height + shape.chroma_step_y - 1) / shape.chroma_step_y,
                             shape.levels);
}

bool is_for_openjph(const J2kMainHeader& header, std::span<const uint8_t> codestream) {
  if (!header.shape.high_throughput || comes_to_one_sample(header.shape)) return false;
  if (header.ordered_by_place) return true;
  // It takes other orders only in a single tile-part.
  const auto first = read_j2k_tile_part(codestream, header.bytes);
  return first && !read_j2k_tile_part(codestream, first->end);
}

constexpr int kTinySide = 32;
constexpr J2kQuality kLossless{.lossless = true, .step = 0};

class HighThroughputEncoder : public J2kEncoder {
 public:
  std::optional<PrefixBytes> encode(const ImageView& frame, int x, int y, int width, int height,
                                    const J2kQuality& quality, std::span<uint8_t> out) override {
    // As if chroma were subsampled.
    const int chroma_rows = (height + 1) / 2;
    const bool small = comes_to_one_sample((width + 1) / 2, chroma_rows, kJ2kLevels) ||
                       openjph_levels(chroma_rows, quality.lossless) < kMaxReduction;
    if (!small) return encoder_->encode(frame, x, y, width, height, quality, out);
    // With a few samples OpenJPEG's distortion is a matter of luck.
    const bool tiny = std::max(width, height) <= kTinySide;
    return small_->encode(frame, x, y, width, height, tiny ? kLossless : quality, out);
  }

 private:
  std::unique_ptr<J2kEncoder> encoder_ = make_openjph_encoder();
  std::unique_ptr<J2kEncoder> small_ = make_openjpeg_encoder();
};

// Each codestream by the library for it. What is of high throughput gets there only when it has
// been seen to be sound.
class Decoder : public J2kDecoder {
 public:
  bool decode(std::span<const uint8_t> codestream, const J2kTarget& target) override {
    const auto header = read_j2k_main_header(codestream);
    if (!header || target.reduction < 0 || target.reduction > header->shape.levels) return false;
    if (header->shape.high_throughput &&
        !HtPackets(*header).are_sound(codestream, target.reduction)) {
      return false;
    }
    const bool openjph = is_for_openjph(*header, codestream);
    return (openjph ? openjph_ : openjpeg_)->decode(codestream, target);
  }

 private:
  std::unique_ptr<J2kDecoder> openjph_ = make_openjph_decoder();
  std::unique_ptr<J2kDecoder> openjpeg_ = make_openjpeg_decoder();
};

}  // namespace

std::unique_ptr<J2kEncoder> make_j2k_encoder(CodecId codec) {
  if (codec == CodecId::kJ2k) return make_openjpeg_encoder();
  if (codec == CodecId::kHtj2k) return std::make_unique<HighThroughputEncoder>();
  return nullptr;
}

std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId codec) {
  return is_j2k(codec) ? std::make_unique<Decoder>() : nullptr;
}

}  // namespace codecs
