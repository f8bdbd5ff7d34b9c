#include "codecs/j2k.h"

namespace codecs {

std::unique_ptr<J2kEncoder> make_j2k_encoder(CodecId /*codec*/) {
  return nullptr;
}
std::unique_ptr<J2kDecoder> make_j2k_decoder(CodecId /*codec*/) {
  return nullptr;
}
std::optional<J2kHeader> read_j2k_header(std::span<const uint8_t> /*codestream*/) {
  return {};
}
PrefixBytes j2k_prefix_bytes(std::span<const uint8_t> codestream) {
  PrefixBytes all;
  all.fill(static_cast<uint32_t>(codestream.size()));
  return all;
}

}  // namespace codecs
