// Blending of windows onto a canvas: composites premultiplied pixels over the pixels beneath them,
// optionally transposed. Pure.
#pragma once

#include "receiver/frame/canvas.h"
#include "receiver/frame/tile_layout.h"

namespace receiver {

// Converts straight to premultiplied alpha in place: each colour becomes colour · alpha / 255,
// rounded. Colours of transparent pixels then leave no fringes when the picture is scaled.
void premultiply(const Canvas& picture);

struct Laying {
  bool turned = false;  // transposed: the picture's rows become columns of the target
  int opacity = 255;
  Channels channels = Channels::kAll;  // channels to write; the target keeps the others
};
// Composites `picture` over `target`. With picture' = picture · opacity / 255: target = picture' +
// target · (255 − alpha') / 255, each step rounded. The target's alpha stays 255. The picture must
// be premultiplied; `picture.size` gives its size.
void lay_over(const Canvas& picture, const Laying& how, codecs::BgraTarget target);

}  // namespace receiver
