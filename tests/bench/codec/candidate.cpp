#include "tests/bench/codec/candidate.h"

#include <algorithm>
#include <utility>

namespace bench {

Work by_rows(int rows, std::function<void(int first, int last)> body) {
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

}  // namespace bench
