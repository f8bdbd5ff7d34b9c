#include "receiver/intake/memory_trim.h"

#include <malloc.h>

#include <utility>

namespace receiver {
namespace {

constexpr size_t kWorthIt = size_t{32} << 20;
constexpr int64_t kTrimEveryNs = 60'000'000'000;

}  // namespace

// The last frames of a stream are freed some time after it has ended.
void MemoryTrim::on_second(int64_t now_ns) {
  const bool all_free = !std::exchange(freed_lately_, false);
  const bool worth_it = all_free && freed_bytes_ >= kWorthIt;
  if (!worth_it && now_ns - trimmed_ns_ < kTrimEveryNs) return;
  freed_bytes_ = 0;
  trimmed_ns_ = now_ns;
  malloc_trim(0);
}

}  // namespace receiver
