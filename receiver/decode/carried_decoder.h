// Decodes the access units of one carried stream by libavcodec, in a process of its own
// (vitrail-decoder). Pictures come out in the order in which they are shown; those that come out
// early wait for their frame. One thread at a time; libavcodec may use a few more.
//
// Units come from outside: their sizes were checked, their contents were not. A unit that cannot be
// decoded costs pictures, at most until the next key picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/frame/decoded_blocks.h"

namespace receiver {

enum class CarriedOutcome : uint8_t {
  kNew,   // the picture was written
  kSame,  // the frame shows the picture that was written last
  kNone,  // the picture cannot be decoded, or not yet; the fault says why
};

struct CarriedFault {
  enum class Kind : uint8_t {
    kNone,
    kInvalidBlock,  // its bytes are not access units
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
// Continues "one …".
std::string fault_text(const CarriedFault& fault, sail::Size frame_size);

class CarriedDecoder {
 public:
  using Outcome = CarriedOutcome;

  // frame_size: of the pictures. on_unit: called between two units of a block.
  CarriedDecoder(codecs::CodecId codec, sail::Size frame_size, std::function<void()> on_unit = {});
  ~CarriedDecoder();
  CarriedDecoder(const CarriedDecoder&) = delete;
  CarriedDecoder& operator=(const CarriedDecoder&) = delete;

  // Decodes the units of a frame's block that were not decoded before, and writes the picture that
  // the frame shows into `plain`.
  Outcome decode(std::span<const uint8_t> block, PlainBlock& plain);
  const CarriedFault& fault() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The codecs of the protocol that this node decodes: without those that its FFmpeg lacks.
// has_decoder: vitrail-decoder is installed; if not, nothing carried can be decoded.
std::vector<std::string> decodable_codec_names(bool has_decoder);

// Bytes that a decoder may need for pictures of this size.
size_t carried_decoder_bytes(sail::Size frame_size);

}  // namespace receiver
