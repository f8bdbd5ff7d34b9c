// What the access units of films that are not decoded show about their pictures. Units come from
// outside and may have any content. Only for the media_source files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codecs/base/format.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

struct CarriedCodec {
  AVCodecID av;
  codecs::CodecId codec;
  const char* filter;  // makes access units that need no data of the container
};
// Null: not a codec of carried streams.
const CarriedCodec* carried_codec(AVCodecID id);

// Why receivers cannot show the film's pictures as they are; a phrase. Empty: they can.
std::string fault_of_carried(const AVStream& stream, const MediaOptions& options);
// The same for pictures to which the film has changed.
std::string fault_of_change(const AVFrame& frame, const MediaOptions& options);

// What the network abstraction layer units of an access unit of H.264 or H.265 show about it.
struct NalFacts {
  bool key = false;
  bool reference = false;
  bool skipped = false;  // H.265: depends on pictures before the key picture (RASL)
  std::span<const uint8_t> parameters = {};  // the first sequence parameter set; empty: none
};
// Annex B: each NAL unit follows a start code, 00 00 01.
NalFacts nal_facts(codecs::CodecId codec, std::span<const uint8_t> unit);

// The part of a key unit that says which size and format its pictures have: keys with equal parts
// have equal pictures. Empty: not found.
std::span<const uint8_t> picture_header(codecs::CodecId codec, std::span<const uint8_t> key);

// A key unit, decoded for what its picture is like.
struct DecodedKey {
  AvFramePtr frame;
  int reorder = 0;  // see UnitsHead
};
// film: the film of the unit, with parameter sets as in Annex B. log_owner: see MediaFile.
Result<DecodedKey> decode_key(const AVCodecParameters& film, std::span<const uint8_t> key,
                              void* log_owner);

// What pictures have in common that one stream shows.
struct UnitShape {
  Size size;
  int display_width = 0;
  codecs::PictureColor color;
  int reorder = 0;  // see UnitsHead

  bool operator==(const UnitShape&) const = default;
};
UnitShape shape_of_film(const AVStream& stream);
UnitShape shape_of(const DecodedKey& key, const AVStream& stream);

}  // namespace sail
