// Tables that the shaders read, as textures.
#pragma once

#include <epoxy/gl.h>

#include "codecs/color/panel_table.h"
#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_programs.h"
#include "receiver/frame/tile_layout.h"

namespace receiver {

// The taps of a scaled piece.
struct GlTaps {
  GlBuffer buffer;
  GlTexture texture;

  explicit GlTaps(const Piece& piece);
};

// A panel's correction: the tables of codecs::PanelTable.
class GlCorrection {
 public:
  explicit GlCorrection(const codecs::PanelTable& table);

  // Selects the program with these tables. The caller sets the turn, binds the picture to texture
  // unit 0, which is active, and draws.
  void use(const GlCorrectProgram& program) const;

 private:
  GlBuffer curve_values_;
  GlTexture curves_;
  GlTexture nodes_;
  int side_;
};

}  // namespace receiver
