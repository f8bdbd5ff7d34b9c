#include "receiver/display/gl_sprites.h"

#include <utility>

#include "receiver/display/gl_canvas.h"
#include "receiver/frame/canvas.h"

namespace receiver {

void GlSprites::take(const std::vector<TileChanges>& tiles) {
  bool changed = false;
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (tiles_[i] == *tiles[i].sprites) continue;
    tiles_[i] = *tiles[i].sprites;
    changed = true;
  }
  if (!changed) return;
  auto before = std::exchange(textures_, {});
  for (const std::vector<Sprite>& sprites : tiles_) {
    for (const Sprite& sprite : sprites) {
      const auto known = before.find(sprite.bitmap);
      if (known != before.end()) textures_.insert(before.extract(known));
      const auto [place, missing] = textures_.try_emplace(sprite.bitmap);
      if (missing) fill_texture(*place->second, sprite.bitmap->size, sprite.bitmap->pixels.data());
    }
  }
}

namespace {

void draw_lens(const Sprite& lens, const SpriteTarget& target) {
  const sail::Rect from = turned_rect(lens.enlarged, target.upright, target.rotation);
  const sail::Rect to = turned_rect(lens.rect, target.upright, target.rotation);
  const auto row = [&](int y) { return target.rows_from_below ? *target.rows_from_below - y : y; };
  glBindFramebuffer(GL_READ_FRAMEBUFFER, target.panel);
  glBlitFramebuffer(from.x, from.y, from.right(), from.bottom(), to.x, row(to.y), to.right(),
                    row(to.bottom()), GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace

void GlSprites::draw(size_t tile, const SpriteTarget& target, const GlTurnProgram& program) const {
  if (!any(tile)) return;
  glUseProgram(*program.program);
  glActiveTexture(GL_TEXTURE0);
  glEnable(GL_BLEND);
  const auto& [upright, rotation, rows_from_below, panel] = target;
  for (const Sprite& sprite : tiles_[tile]) {
    const sail::Rect visible = sail::intersect(sprite.rect, {0, 0, upright.width, upright.height});
    if (visible.empty()) continue;
    if (!sprite.enlarged.empty()) draw_lens(sprite, target);
    sail::Rect place = turned_rect(visible, upright, rotation);
    GlTurn turn = turn_of(upright, rotation);
    turn.start[0] -= sprite.rect.x;
    turn.start[1] -= sprite.rect.y;
    if (rows_from_below) {
      place.y = *rows_from_below - place.bottom();
      for (size_t axis = 0; axis < 2; ++axis) {
        turn.start[axis] += (*rows_from_below - 1) * turn.down[axis];
        turn.down[axis] = -turn.down[axis];
      }
    }
    set_turn(program, turn);
    glBindTexture(GL_TEXTURE_2D, *textures_.at(sprite.bitmap));
    draw_rect(place);
  }
  glDisable(GL_BLEND);
}

}  // namespace receiver
