// Decodes the access units of one carried stream by libavcodec. Pictures come out in the order in
// which they are shown; those that come out early wait for their frame. One thread at a time;
// libavcodec may use a few more.
//
// Units come from outside: their sizes were checked, their contents were not. A unit that cannot be
// decoded costs pictures, at most until the next key picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/frame/decoded_blocks.h"

namespace receiver {

class CarriedDecoder final : public DecoderState {
 public:
  // frame_size: of the pictures.
  CarriedDecoder(codecs::CodecId codec, sail::Size frame_size);
  ~CarriedDecoder() override;

  enum class Outcome : uint8_t {
    kNew,   // the picture was written
    kSame,  // the frame shows the picture that was written last
    kNone,  // the picture cannot be decoded, or not yet; fault() says why
  };
  // Decodes the units of a frame's block that were not decoded before, and writes the picture that
  // the frame shows into `plain`.
  Outcome decode(std::span<const uint8_t> block, PlainBlock& plain);
  // Continues "one …".
  const std::string& fault() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The codecs of the protocol that this node decodes: without those that its FFmpeg lacks.
std::vector<std::string> decodable_codec_names();

// Bytes that a decoder may need for pictures of this size.
size_t carried_decoder_bytes(sail::Size frame_size);

}  // namespace receiver
