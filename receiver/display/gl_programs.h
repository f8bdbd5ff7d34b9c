// The shaders: decode texel blocks, convert YCoCg, scale and rotate. They use integer arithmetic
// like the CPU painter, so that both displays show identical pixels.
#pragma once

#include <epoxy/gl.h>

#include <array>

#include "codecs/base/format.h"
#include "receiver/display/gl_objects.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace receiver {

// Selects the decoder of texel blocks.
enum class GlDecode {
  kS3tc,    // texture units of the GPU
  kShader,  // a shader, bit-exact with the CPU decoder on every renderer
};

// Draws a part of a window into the viewport. The output is premultiplied by alpha and opacity.
//   texture unit 0: the frame (GlFrameTexture)
//   texture unit 1, scaled only: taps of the viewport's columns, then rows, as RGBA16I:
//   first, second, weight
struct GlPartProgram {
  GlProgram program;
  GLint origin = -1;  // ivec2. 1:1: offset from canvas to frame; scaled: the viewport's first pixel
  GLint columns = -1;  // int, scaled only: the viewport's width
  GLint turned = -1;   // bool, scaled only: column taps address rows of the frame
  GLint opacity = -1;  // int, 0 … 255
};

// Draws a rectangle of a panel from its canvas (texture unit 0).
struct GlTurnProgram {
  GlProgram program;
  GLint start = -1;   // ivec2: canvas pixel of the panel's first pixel
  GLint across = -1;  // ivec2: step on the canvas to the panel pixel on the right
  GLint down = -1;    // ivec2: step to the panel pixel below
};

// Draws a picture with a panel's correction: as GlTurnProgram, and
//   texture unit 1: codecs::PanelTable::curves() as R32I
//   texture unit 2: its cube_nodes() as RGBA16I
struct GlCorrectProgram {
  GlTurnProgram turn;
  GLint side = -1;  // int: of the cube; 0: none
};

class GlPrograms {
 public:
  // Returns kUnavailable if the driver rejects a shader.
  static sail::Result<GlPrograms> make(GlDecode decode);

  const GlPartProgram& one_to_one(codecs::CodecId codec) const {
    return parts_[index(codec)].one_to_one;
  }
  const GlPartProgram& scaled(codecs::CodecId codec) const { return parts_[index(codec)].scaled; }
  const GlTurnProgram& turn() const { return turn_; }
  const GlCorrectProgram& correct() const { return correct_; }

 private:
  struct Parts {
    GlPartProgram one_to_one;
    GlPartProgram scaled;
  };
  // Index by the texture's content: one of three DXT codecs, or pixels.
  static size_t index(codecs::CodecId codec) {
    return codecs::is_dxt(codec) ? static_cast<size_t>(codec) - 1 : 3;
  }

  std::array<Parts, 4> parts_;
  GlTurnProgram turn_;
  GlCorrectProgram correct_;
};

}  // namespace receiver
