// The sums of all streams' counters since the manager started. Pure.
#pragma once

#include "sail/core/wire/stats.h"

namespace manager {

class StreamTotals {
 public:
  // before: the stream's previous report; null: none.
  void add(const sail::StreamStats* before, const sail::StreamStats& now);
  // Only the counters are valid.
  const sail::StreamStats& sums() const { return sums_; }

 private:
  sail::StreamStats sums_;
};

}  // namespace manager
