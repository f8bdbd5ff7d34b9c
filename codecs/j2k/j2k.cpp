#include "codecs/j2k/j2k.h"

#include "codecs/base/cpu.h"
#include "codecs/j2k/j2k_coders.h"
#include "codecs/j2k/j2k_header.h"

namespace codecs {
namespace {

// Dispatches each codestream to the decoder for its part.
class Decoder : public J2kDecoder {
 public:
  bool decode(std::span<const uint8_t> codestream, const J2kTarget& target) override {
    const auto header = read_j2k_main_header(codestream);
    if (!header || target.reduction < 0 || target.reduction > header->shape.levels) return false;
    return (header->shape.high_throughput ? htj2k_ : openjpeg_)->decode(codestream, target);
  }

 private:
  std::unique_ptr<J2kDecoder> htj2k_ = make_htj2k_decoder(detect_cpu());
  std::unique_ptr<J2kDecoder> openjpeg_ = make_openjpeg_decoder();
};

}  // namespace

std::unique_ptr<J2kEncoder> make_j2k_encoder(CodecId codec) {
  if (codec == CodecId::kJ2k) return make_openjpeg_encoder();
  if (codec == CodecId::kHtj2k) return make_htj2k_encoder(detect_cpu());
  return nullptr;
}

std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId codec) {
  return is_j2k(codec) ? std::make_unique<Decoder>() : nullptr;
}

}  // namespace codecs
