#include "codecs/j2k/j2k.h"

#include "codecs/base/cpu.h"
#include "codecs/j2k/component_planes.h"
#include "codecs/j2k/j2k_header.h"
#include "codecs/j2k/j2k_markers.h"

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

namespace {

// Whether the code-block style in COD or COC allows blocks of both Part 1 and high throughput.
bool says_mixed(uint16_t marker, MarkerReader body) {
  constexpr uint8_t kMixed = 0x80;
  constexpr int kBeforeLevels = 5, kBeforeLevelsOfComponent = 2, kBetween = 3;
  const int before = (marker == kCod ? kBeforeLevels : kBeforeLevelsOfComponent) + kBetween;
  for (int i = 0; i < before; ++i) body.byte();
  return (body.byte() & kMixed) != 0;
}

bool has_mixed_blocks(std::span<const uint8_t> codestream) {
  MarkerReader reader(codestream);
  if (reader.word() != kSoc) return false;
  while (!reader.failed()) {
    const uint16_t marker = reader.word();
    if (marker == kSot) return false;
    const MarkerReader body = reader.segment();
    if ((marker == kCod || marker == kCoc) && says_mixed(marker, body)) return true;
  }
  return false;
}

}  // namespace

std::string j2k_fault(std::span<const uint8_t> codestream) {
  if (read_j2k_main_header(codestream)) return {};
  if (has_mixed_blocks(codestream)) return "mixes code-blocks of JPEG 2000 Part 1 and Part 15";
  return j2k_header_fault(codestream);
}

std::string j2k_fault(std::span<const uint8_t> codestream, const J2kTarget& target) {
  const auto header = read_j2k_main_header(codestream);
  if (!header) return j2k_fault(codestream);
  const J2kHeader& shape = header->shape;
  const auto size = [](int width, int height) {
    return std::to_string(width) + "×" + std::to_string(height);
  };
  if (shape.width != target.width || shape.height != target.height) {
    return "has " + size(shape.width, shape.height) + " pixels instead of " +
           size(target.width, target.height);
  }
  if (target.reduction > shape.levels) {
    return "has " + std::to_string(shape.levels) + " levels, too few to halve the picture " +
           std::to_string(target.reduction) + " times";
  }
  if (!fits_color(shape, target.color.matrix)) {
    return "has components that do not match the stream's colour format";
  }
  if (!are_j2k_tile_parts_valid(codestream, *header, target.reduction)) return "is truncated";
  return "has damaged packets or code-blocks";
}

}  // namespace codecs
