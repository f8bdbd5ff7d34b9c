#include "codecs/j2k.h"

#include "codecs/j2k_libraries.h"

namespace codecs {

std::unique_ptr<J2kEncoder> make_j2k_encoder(CodecId codec) {
  if (codec == CodecId::kJ2k) return make_openjpeg_encoder();
  if (codec == CodecId::kHtj2k) return make_openjph_encoder();
  return nullptr;
}

std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId codec) {
  if (codec == CodecId::kJ2k) return make_openjpeg_decoder();
  if (codec == CodecId::kHtj2k) return make_openjph_decoder();
  return nullptr;
}

}  // namespace codecs
