// The implementations behind make_second_stage(). Internal to codecs/.
#pragma once

#include "codecs/picture/second_stage.h"

namespace codecs {

std::unique_ptr<SecondStage> make_lz4_stage();
std::unique_ptr<SecondStage> make_zstd_stage();

}  // namespace codecs
