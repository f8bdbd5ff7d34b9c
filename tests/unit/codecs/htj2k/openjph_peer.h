// OpenJPH (0.9 and what came later) behind the interface of our coders. It ends the process over
// some broken codestreams, transforms one sample to one sample wrongly, and two rows in its lossy
// transform: pictures here have more of them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "codecs/j2k/j2k.h"
#include "codecs/j2k/j2k_coders.h"

namespace codecs::test {

// Those of our own codestreams, if nothing else is said.
struct OpenJphCoding {
  int levels = kJ2kLevels;
  int block_width = kJ2kCodeBlockSide;
  int block_height = kJ2kCodeBlockSide;
  const char* order = "RPCL";
  int tile_width = 0;  // 0: all of the picture
  int tile_height = 0;
  std::vector<std::pair<int, int>> precincts{};  // the highest resolution's first; none: all of it
};

std::unique_ptr<J2kEncoder> make_openjph_encoder(OpenJphCoding coding = {});
std::unique_ptr<J2kDecoder> make_openjph_decoder();

}  // namespace codecs::test
