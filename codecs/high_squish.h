// DxtMode::kHigh: libsquish's cluster fit. Slow, allocates nothing that outlives the call.
#pragma once

#include "codecs/format.h"
#include "codecs/kernels.h"

namespace codecs {

// The colours of DXT1 blocks may be three and black (colour0 <= colour1).
EncodeStrip high_encoder(CodecId codec);

}  // namespace codecs
