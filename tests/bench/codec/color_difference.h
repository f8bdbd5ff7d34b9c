// The visible difference of two colours.
#pragma once

#include "codecs/color/color_transform.h"

namespace bench {

// CIEDE2000 (ISO/CIE 11664-6) of two sRGB colours, R'G'B' of 0 … 1.
double delta_e(const codecs::Rgb& a, const codecs::Rgb& b);

}  // namespace bench
