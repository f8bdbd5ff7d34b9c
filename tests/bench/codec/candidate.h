// One thing that the codec benchmark measures.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "codecs/base/format.h"
#include "sail/core/base/worker_pool.h"

namespace bench {

// The same work, once: by the calling thread alone, or by all threads of a pool.
struct Work {
  std::function<void()> alone;
  std::function<void(sail::WorkerPool&)> together;
};

// Work that falls apart into rows of texel blocks: body(first, last) does the rows [first, last).
Work by_rows(int rows, std::function<void(int first, int last)> body);

enum class Side { kEncode, kDecode };

constexpr const char* kMemoryLimit = "memory-limit";

struct Candidate {
  codecs::CodecId codec{};
  std::string mode;
  std::string kernel;  // a level of ours, a peer's name, or kMemoryLimit
  Side side{};
  std::string content;
  int64_t pixels = 0;                                         // that one run works on
  bool sampled = false;                                       // measured on a sample of the picture
  double psnr_db = std::numeric_limits<double>::quiet_NaN();  // not a number: does not apply
  double bits_per_pixel = 0;  // 0: what the codec's texel blocks have
  Work work;
};

}  // namespace bench
