// What a receiver and its vitrail-decoder processes agree on: the fate of a picture, and the memory
// that decoding may need. Without FFmpeg. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/access_units.h"

namespace receiver {

enum class CarriedOutcome : uint8_t {
  kNew,   // the picture was written
  kSame,  // the frame shows the picture that was written last
  kNone,  // the picture cannot be decoded, or not yet; the fault says why
};

struct CarriedFault {
  enum class Kind : uint8_t {
    kNone,
    kInvalidBlock,  // the block's bytes are not access units
    kDamagedUnit,   // a unit cannot be decoded
    kMissingUnits,  // units from which the picture could be decoded are not here
    kOtherSize,     // the picture has another size than the frame
    kOtherFormat,   // the picture is not of 8 bits, 4:2:0 or 4:2:2
    kNoDecoder,     // FFmpeg has none, or it does not open
  };
  static constexpr Kind kLast = Kind::kNoDecoder;
  Kind kind = Kind::kNone;
  sail::Size picture{};  // with kOtherSize

  bool operator==(const CarriedFault&) const = default;
};
// Returns the end of a sentence about a picture, to follow "one".
std::string fault_text(const CarriedFault& fault, sail::Size frame_size);

// Limit of pictures that the decoder delivered before the frame that shows them.
constexpr size_t kMostEarlyPictures = sail::kMaxUnitReorder + sail::kMaxUnitsAhead + 1;
// Decoders align coded pictures to their largest block.
constexpr int kDecoderAlignment = 128;
// Bytes that a decoder may need for pictures of this size.
size_t carried_decoder_bytes(sail::Size frame_size);

}  // namespace receiver
