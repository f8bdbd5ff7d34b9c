// OpenJPH (0.9 and later) behind the interface of our coders. It ends the process on some broken
// codestreams, and transforms single samples and, in lossy mode, two rows wrongly: pictures here
// have more rows.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "codecs/j2k/j2k.h"

namespace codecs::test {

// The defaults are those of our own codestreams.
struct OpenJphCoding {
  int levels = kJ2kLevels;
  int block_width = kJ2kCodeBlockSide;
  int block_height = kJ2kCodeBlockSide;
  const char* order = "RPCL";
  int tile_width = 0;  // 0: the whole picture
  int tile_height = 0;
  std::vector<std::pair<int, int>> precincts{};  // highest resolution first; empty: no precincts
};

std::unique_ptr<J2kEncoder> make_openjph_encoder(OpenJphCoding coding = {});
std::unique_ptr<J2kDecoder> make_openjph_decoder();

}  // namespace codecs::test
