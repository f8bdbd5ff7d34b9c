#include "receiver/paint/laid_sprites.h"

#include <cstring>

#include "receiver/paint/blend.h"

namespace receiver {
namespace {

using sail::Rect;

void copy(const codecs::BgraTarget& from, const codecs::BgraTarget& to, const Rect& rect) {
  for (int y = rect.y; y < rect.bottom(); ++y) {
    std::memcpy(at(to, rect.x, y).pixels, at(from, rect.x, y).pixels,
                static_cast<size_t>(rect.width) * kBytesPerPixel);
  }
}

// Calls visit(sprite, rect) for the part of each sprite that is within the rectangle.
template <typename Visit>
void visit_within(const std::vector<Sprite>& sprites, const Rect& rect, const Visit& visit) {
  for (const Sprite& sprite : sprites) {
    const Rect part = sail::intersect(sprite.rect, rect);
    if (!part.empty()) visit(sprite, part);
  }
}

codecs::BgraTarget like(const Canvas& canvas, const std::vector<uint8_t>& pixels) {
  return {const_cast<uint8_t*>(pixels.data()), canvas.size.width * kBytesPerPixel};
}

void blend(const Sprite& sprite, const Rect& part, const Canvas& canvas) {
  const Bitmap& bitmap = *sprite.bitmap;
  const codecs::BgraTarget pixels{const_cast<uint8_t*>(bitmap.pixels.data()),
                                  bitmap.size.width * kBytesPerPixel};
  lay_over({at(pixels, part.x - sprite.rect.x, part.y - sprite.rect.y), {part.width, part.height}},
           {}, at(canvas.target, part.x, part.y));
}

}  // namespace

void LaidSprites::forget() {
  laid_.clear();
  beneath_ = {};
}

void LaidSprites::lift(const Canvas& canvas, std::span<const Rect> damage) const {
  for (const Rect& rect : damage) {
    visit_within(laid_, rect, [&](const Sprite&, const Rect& part) {
      copy(like(canvas, beneath_), canvas.target, part);
    });
  }
}

// First saves the pixels of all rectangles, then restores and draws each, so that nothing is
// blended twice where rectangles overlap.
void LaidSprites::lay(const Canvas& canvas, std::span<const Rect> damage,
                      const std::vector<Sprite>& sprites) {
  if (laid_ != sprites) laid_ = sprites;
  if (laid_.empty()) return forget();
  beneath_.resize(static_cast<size_t>(canvas.size.width) * static_cast<size_t>(canvas.size.height) *
                  kBytesPerPixel);
  const codecs::BgraTarget beneath = like(canvas, beneath_);
  for (const Rect& rect : damage) {
    visit_within(laid_, rect,
                 [&](const Sprite&, const Rect& part) { copy(canvas.target, beneath, part); });
  }
  for (const Rect& rect : damage) {
    visit_within(laid_, rect,
                 [&](const Sprite&, const Rect& part) { copy(beneath, canvas.target, part); });
    visit_within(laid_, rect,
                 [&](const Sprite& sprite, const Rect& part) { blend(sprite, part, canvas); });
  }
}

}  // namespace receiver
