#include "receiver/display/gl_correction.h"

namespace receiver {
namespace {

void bind_tables(GLuint curves, GLuint nodes) {
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_BUFFER, curves);
  glActiveTexture(GL_TEXTURE2);
  glBindTexture(GL_TEXTURE_3D, nodes);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace

GlCorrection::GlCorrection(const codecs::PanelTable& table) : side_(table.cube_side()) {
  bind_tables(*curves_, *nodes_);
  glBindBuffer(GL_TEXTURE_BUFFER, *curve_values_);
  glBufferData(GL_TEXTURE_BUFFER, sizeof(table.curves()), table.curves().data(), GL_STATIC_DRAW);
  glActiveTexture(GL_TEXTURE1);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32I, *curve_values_);
  glActiveTexture(GL_TEXTURE2);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MAX_LEVEL, 0);
  if (side_ > 0) {
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA16I, side_, side_, side_, 0, GL_RGBA_INTEGER, GL_SHORT,
                 table.cube_nodes().data());
  }
  glActiveTexture(GL_TEXTURE0);
}

void GlCorrection::use(const GlCorrectProgram& program) const {
  glUseProgram(*program.turn.program);
  glUniform1i(program.side, side_);
  bind_tables(*curves_, *nodes_);
}

}  // namespace receiver
