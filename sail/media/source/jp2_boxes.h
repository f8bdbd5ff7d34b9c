// The boxes around JPEG 2000 codestreams in files and in samples of containers: JP2 (ISO/IEC
// 15444-1, annex I), JPH (15444-15, annex D) and MJ2 (15444-3). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "codecs/base/format.h"
#include "codecs/j2k/j2k.h"

namespace sail {

struct BoxedCodestream {
  std::span<const uint8_t> codestream;        // the first codestream
  std::optional<codecs::PictureColor> color;  // if a colour box specifies it
  // Why the codestream is not the picture without other boxes, as a phrase: "has a palette …".
  std::string fault = {};
  // The boxes exchange colours. FFmpeg up to 7.0.2 ignores that.
  bool reordered = false;
  bool has_opacity = false;  // a component is opacity
};

// Returns the bytes themselves if they begin with a codestream. Empty optional: no codestream.
std::optional<BoxedCodestream> find_codestream(std::span<const uint8_t> bytes);

// What the user must know about the picture, as a phrase: "has 5 components: …". Empty: nothing.
std::string codestream_notice(const codecs::J2kHeader& header, const BoxedCodestream& boxed);

// The default colour: X'Y'Z' in digital cinema profiles, YUV if chroma is subsampled (BT.709 from
// 1280 columns or 720 rows on, else BT.601), RGB otherwise.
codecs::PictureColor usual_color(const codecs::J2kHeader& header,
                                 std::span<const uint8_t> codestream);
// The colour of a picture: the container's, else that of the boxes, else the default.
codecs::PictureColor codestream_color(const codecs::J2kHeader& header, const BoxedCodestream& boxed,
                                      std::optional<codecs::ColorMatrix> container_matrix,
                                      std::optional<codecs::ColorRange> container_range);

}  // namespace sail
