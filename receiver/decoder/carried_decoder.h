// Decodes the access units of one carried stream by libavcodec. Pictures come out in the order in
// which they are shown; those that come out early wait for their frame. One thread at a time;
// libavcodec may use a few more.
//
// Units come from outside: their sizes were checked, their contents were not. A unit that cannot be
// decoded costs pictures, at most until the next key picture.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/decode/carried_decoding.h"
#include "receiver/frame/decoded_blocks.h"

namespace receiver {

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

// The carried codecs that this machine's FFmpeg decodes.
std::vector<std::string> decodable_codec_names();

}  // namespace receiver
