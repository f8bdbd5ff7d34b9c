// Windows that are laid on what is there: drawn "over" what lies beneath them, or turned. Pure.
#pragma once

#include "receiver/canvas.h"
#include "receiver/tile_layout.h"

namespace receiver {

// Straight alpha to premultiplied, in place: each colour times alpha / 255, rounded. So prepared, a
// picture can be scaled without fringes from the colours of transparent pixels.
void premultiply(const Canvas& picture);

struct Laying {
  bool turned = false;  // the picture's rows become columns
  int opacity = 255;
  Channels channels = Channels::kAll;  // that are painted; the target keeps the others
};
// With picture' = picture · opacity / 255: target = picture' + target · (255 − alpha') / 255, each
// rounded; alpha of the target stays 255. The picture is premultiplied and as large as
// `picture.size`.
void lay_over(const Canvas& picture, const Laying& how, codecs::BgraTarget target);

}  // namespace receiver
