#include "receiver/display/gl_tables.h"

#include <cstdint>
#include <vector>

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

GlTaps::GlTaps(const Piece& piece) {
  std::vector<int16_t> taps;
  const auto add = [&](const codecs::Tap& tap, int origin) {
    taps.push_back(static_cast<int16_t>(tap.first + origin));
    taps.push_back(static_cast<int16_t>(tap.second + origin));
    taps.push_back(static_cast<int16_t>(tap.weight));
    taps.push_back(0);
  };
  const auto left = [&](const sail::Rect& source) { return piece.turned ? source.y : source.x; };
  const auto top = [&](const sail::Rect& source) { return piece.turned ? source.x : source.y; };
  for (const codecs::Tap& tap : piece.columns) add(tap, left(piece.bands[0].source_rect));
  for (const Band& band : piece.bands) {
    for (const codecs::Tap& tap : band.rows) add(tap, top(band.source_rect));
  }
  glBindBuffer(GL_TEXTURE_BUFFER, *buffer);
  glBufferData(GL_TEXTURE_BUFFER, static_cast<GLsizeiptr>(taps.size() * sizeof(int16_t)),
               taps.data(), GL_STATIC_DRAW);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_BUFFER, *texture);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA16I, *buffer);
}

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
