// The best texel block of one colour. Between two endpoints lie colours that 5:6:5 does not have,
// so a flat block is drawn with index 2 throughout, (2 · colour0 + colour1) / 3, and endpoints
// chosen for every channel by table.
#pragma once

#include "codecs/dxt1_block.h"
#include "codecs/kernels.h"

namespace codecs {

// The block whose colour is nearest to halfway between `least` and `greatest`.
Dxt1Block solid_block(uint32_t least, uint32_t greatest, ChannelOrder order);

}  // namespace codecs
