// One measured item of the codec benchmark.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "codecs/base/format.h"
#include "sail/core/base/worker_pool.h"

namespace bench {

// The same work run once: by the calling thread alone, or by all threads of a pool.
struct Work {
  std::function<void()> alone;
  std::function<void(sail::WorkerPool&)> together;
};

// Work that is divided into rows of texel blocks: body(first, last) does the rows [first, last).
inline Work by_rows(int rows, std::function<void(int first, int last)> body) {
  // Enough pieces that threads do not wait long for the last one.
  const int step = std::max(1, rows / 64);
  Work work;
  work.alone = [rows, body] { body(0, rows); };
  work.together = [rows, step, body = std::move(body)](sail::WorkerPool& pool) {
    pool.for_each(static_cast<size_t>((rows + step - 1) / step), [&](size_t piece) {
      const int first = static_cast<int>(piece) * step;
      body(first, std::min(first + step, rows));
    });
  };
  return work;
}

enum class Side { kEncode, kDecode };

constexpr const char* kMemoryLimit = "memory-limit";

struct Candidate {
  codecs::CodecId codec{};
  std::string mode;
  std::string kernel;  // a CPU level of ours, a reference's name, or kMemoryLimit
  Side side{};
  std::string content;
  int64_t pixels = 0;                                         // pixels of one run
  bool sampled = false;                                       // measured on a sample of the picture
  double psnr_db = std::numeric_limits<double>::quiet_NaN();  // NaN: does not apply
  double bits_per_pixel = 0;                                  // 0: that of the codec's texel blocks
  Work work;
};

}  // namespace bench
