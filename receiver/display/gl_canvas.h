// Pictures in the GPU's memory, and what is drawn on them: areas of the framebuffer that is bound.
#pragma once

#include <cstdint>

#include "receiver/display/gl_objects.h"
#include "receiver/display/gl_programs.h"
#include "receiver/frame/tile_layout.h"
#include "sail/core/base/geometry.h"

namespace receiver {

// A texture with a framebuffer, row 0 at the top. Only the framebuffers of windows have row 0 at
// the bottom.
struct GlCanvas {
  sail::Size size;
  GlTexture texture;
  GlFramebuffer framebuffer;

  explicit GlCanvas(sail::Size pixels);
  // Returns false if the GPU has no memory for it.
  bool made() const;
  void draw_on() const { glBindFramebuffer(GL_DRAW_FRAMEBUFFER, *framebuffer); }
  // Copies a canvas of the same size.
  void copy(const GlCanvas& from) const;
};

// Maps pixels of a panel to its canvas: first pixel, and steps to the right and downwards.
struct GlTurn {
  GLint start[2];
  GLint across[2];
  GLint down[2];
};
GlTurn turn_of(sail::Size upright, int rotation);
void set_turn(const GlTurnProgram& program, const GlTurn& turn);

// pixels: B, G, R, A; null: leaves the texture undefined.
void fill_texture(GLuint texture, sail::Size size, const uint8_t* pixels);
void clear_rect(const sail::Rect& rect);
// Draws with the current program and textures.
void draw_rect(const sail::Rect& rect);
// Limits drawing to these channels. Canvases are opaque, so alpha is never written.
void draw_only(Channels channels);

}  // namespace receiver
