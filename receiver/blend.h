// Windows with alpha: drawn "over" what lies beneath them. Pure.
#pragma once

#include "receiver/canvas.h"

namespace receiver {

// Straight alpha to premultiplied, in place: each colour times alpha / 255, rounded. So prepared, a
// picture can be scaled without fringes from the colours of transparent pixels.
void premultiply(const Canvas& picture);

// target = picture + target · (255 − alpha) / 255, rounded; alpha of the target stays 255. The
// picture is premultiplied and as large as `picture.size`.
void blend_over(const Canvas& picture, codecs::BgraTarget target);

}  // namespace receiver
