// DxtMode::kHigh: libsquish's cluster fit. Slow; frees all that it allocates before it returns.
#pragma once

#include "codecs/base/format.h"
#include "codecs/simd/kernels.h"

namespace codecs {

// Null if the codec is not DXT. DXT1 blocks may have three colours and black (colour0 <= colour1).
EncodeStrip squish_encoder(CodecId codec);

}  // namespace codecs
