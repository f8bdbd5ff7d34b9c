#pragma once

#include "codecs/second_stage.h"

namespace codecs {

std::unique_ptr<SecondStage> make_lz4_stage();

}  // namespace codecs
