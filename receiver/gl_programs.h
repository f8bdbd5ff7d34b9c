// The shaders: texels from texel blocks or pixels, colours from YCoCg, scaling, turning. They
// calculate in whole numbers as the CPU's painter does, so that both show the same pixels.
#pragma once

#include <epoxy/gl.h>

#include <array>

#include "codecs/format.h"
#include "receiver/gl_objects.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace receiver {

// Who makes texels of texel blocks.
enum class GlDecode {
  kS3tc,    // the GPU's texture units
  kShader,  // the shader, from the bits: the CPU decoder's bits on every renderer
};

// Draws a part of a window on the viewport. Colours come out premultiplied by
// alpha and opacity.
//   texture unit 0: the frame, as GlFrameTexture has it
//   texture unit 1, scaled only: the taps of the viewport's columns, then of its rows, RGBA16I:
//   first, second, weight
struct GlPartProgram {
  GlProgram program;
  GLint origin = -1;   // ivec2. 1:1: from canvas to frame; scaled: the viewport's first pixel
  GLint columns = -1;  // int, scaled only: the viewport's
  GLint turned = -1;   // bool, scaled only: taps of columns are of the frame's rows
  GLint opacity = -1;  // int, of 255
};

// Draws a rectangle of a panel from its canvas, texture unit 0.
struct GlTurnProgram {
  GlProgram program;
  GLint start = -1;   // ivec2: the canvas' pixel that the panel's first one shows
  GLint across = -1;  // ivec2: how far its right neighbour is from it
  GLint down = -1;    // ivec2: and its lower one
};

class GlPrograms {
 public:
  // kUnavailable when the driver does not take them.
  static sail::Result<GlPrograms> make(GlDecode decode);

  const GlPartProgram& one_to_one(codecs::CodecId codec) const {
    return parts_[index(codec)].one_to_one;
  }
  const GlPartProgram& scaled(codecs::CodecId codec) const { return parts_[index(codec)].scaled; }
  const GlTurnProgram& turn() const { return turn_; }

 private:
  struct Parts {
    GlPartProgram one_to_one;
    GlPartProgram scaled;
  };
  // By what the frame's texture holds: the three kinds of DXT, or pixels.
  static size_t index(codecs::CodecId codec) {
    return codecs::is_dxt(codec) ? static_cast<size_t>(codec) - 1 : 3;
  }

  std::array<Parts, 4> parts_;
  GlTurnProgram turn_;
};

}  // namespace receiver
