// A panel's correction on the GPU: the tables of codecs::PanelTable, which the shader reads.
#pragma once

#include <epoxy/gl.h>

#include "codecs/color/panel_table.h"
#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_programs.h"

namespace receiver {

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
