#include "receiver/decode/carried_decoding.h"

#include <fmt/core.h>

namespace receiver {
namespace {

// A decoder's own pictures, in large films: references, and one for each thread.
constexpr size_t kDecoderPictures = 12;

}  // namespace

std::string fault_text(const CarriedFault& fault, sail::Size frame_size) {
  using Kind = CarriedFault::Kind;
  switch (fault.kind) {
    case Kind::kNone:
      break;
    case Kind::kInvalidBlock:
      return "has invalid access units";
    case Kind::kDamagedUnit:
      return "has an access unit that cannot be decoded";
    case Kind::kMissingUnits:
      return "lacks access units from which its picture could be decoded";
    case Kind::kOtherSize:
      return fmt::format("has a picture of {}×{} instead of {}×{} pixels", fault.picture.width,
                         fault.picture.height, frame_size.width, frame_size.height);
    case Kind::kOtherFormat:
      return "has a picture that is not of 8 bits, 4:2:0 or 4:2:2";
    case Kind::kNoDecoder:
      return "needs a decoder that this node's FFmpeg lacks";
  }
  return "";
}

size_t carried_decoder_bytes(sail::Size frame_size) {
  const size_t pixels = static_cast<size_t>(frame_size.width + kDecoderAlignment) *
                        static_cast<size_t>(frame_size.height + kDecoderAlignment);
  return (kDecoderPictures + kMostEarlyPictures) * pixels / 2 * 3;
}

}  // namespace receiver
