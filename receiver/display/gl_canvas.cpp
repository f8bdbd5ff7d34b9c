#include "receiver/display/gl_canvas.h"

namespace receiver {

GlCanvas::GlCanvas(sail::Size pixels) : size(pixels) {
  fill_texture(*texture, size, nullptr);
  glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
  clear_rect({0, 0, size.width, size.height});
}

bool GlCanvas::made() const {
  glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void GlCanvas::copy(const GlCanvas& from) const {
  draw_on();
  glBindFramebuffer(GL_READ_FRAMEBUFFER, *from.framebuffer);
  glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, size.width, size.height,
                    GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

GlTurn turn_of(sail::Size upright, int rotation) {
  const int right = upright.width - 1;
  const int bottom = upright.height - 1;
  switch (rotation) {
    case 90:
      return {{0, bottom}, {0, -1}, {1, 0}};
    case 180:
      return {{right, bottom}, {-1, 0}, {0, -1}};
    case 270:
      return {{right, 0}, {0, 1}, {-1, 0}};
    default:
      return {{0, 0}, {1, 0}, {0, 1}};
  }
}

void set_turn(const GlTurnProgram& program, const GlTurn& turn) {
  glUniform2iv(program.start, 1, turn.start);
  glUniform2iv(program.across, 1, turn.across);
  glUniform2iv(program.down, 1, turn.down);
}

void clear_rect(const sail::Rect& rect) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(rect.x, rect.y, rect.width, rect.height);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

void draw_only(Channels channels) {
  const GLboolean red = channels == Channels::kGreenBlue ? GL_FALSE : GL_TRUE;
  const GLboolean others = channels == Channels::kRed ? GL_FALSE : GL_TRUE;
  glColorMask(red, others, others, GL_FALSE);
}

void draw_rect(const sail::Rect& rect) {
  glViewport(rect.x, rect.y, rect.width, rect.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void fill_texture(GLuint texture, sail::Size size, const uint8_t* pixels) {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width, size.height, 0, GL_BGRA, GL_UNSIGNED_BYTE,
               pixels);
}

}  // namespace receiver
