#include "receiver/name_plate.h"

#include <algorithm>

#include "receiver/canvas.h"
#include "sail/base/glyphs.h"

namespace receiver {

// With a margin of two letters' pixels around; at most two thirds of the tile's width and a third
// of its height.
NamePlate name_plate(std::string_view name, sail::Size upright) {
  const sail::Size small = sail::text_size(name, 1);
  const int magnification = std::max(1, std::min(upright.width * 2 / 3 / (small.width + 4),
                                                 upright.height / 3 / (small.height + 4)));
  const sail::Size size = sail::text_size(name, magnification);
  const sail::Rect text{(upright.width - size.width) / 2, (upright.height - size.height) / 2,
                        size.width, size.height};
  const int margin = 2 * magnification;
  return {.name = name,
          .magnification = magnification,
          .text = text,
          .rect = sail::intersect(
              {text.x - margin, text.y - margin, text.width + 2 * margin, text.height + 2 * margin},
              {0, 0, upright.width, upright.height})};
}

void draw(const NamePlate& plate, codecs::BgraTarget target) {
  constexpr Pixel kPlate{32, 32, 32, 255};
  constexpr uint32_t kLetters = 0xffffff;
  const sail::Size size{plate.rect.width, plate.rect.height};
  fill({target, size}, kPlate);
  sail::draw_text({target.pixels, target.stride, size}, plate.name, plate.text.x - plate.rect.x,
                  plate.text.y - plate.rect.y, plate.magnification, kLetters);
}

}  // namespace receiver
