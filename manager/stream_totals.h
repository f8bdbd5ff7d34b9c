// Counters of all streams that there were since the manager began. Pure.
#pragma once

#include "sail/wire/stats.h"

namespace manager {

class StreamTotals {
 public:
  // before: what the stream said last; null: it had said nothing.
  void add(const sail::StreamStats* before, const sail::StreamStats& now);
  // Of their counters; the other values stand for nothing.
  const sail::StreamStats& sums() const { return sums_; }

 private:
  sail::StreamStats sums_;
};

}  // namespace manager
