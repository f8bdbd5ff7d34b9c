#include "sail/client/encode/submit_meter.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

double mean_ms(int64_t ns, uint64_t frames, double before_ms) {
  return frames == 0 ? before_ms : static_cast<double>(ns) / 1e6 / static_cast<double>(frames);
}

}  // namespace

void SubmitMeter::handed_over(int64_t now_ns, int64_t waited_ns) {
  submitted_.fetch_add(1, std::memory_order_relaxed);
  if (done_at_ns_ == 0) return;
  const int64_t source_ns = now_ns - done_at_ns_ - (waited_ns - waited_ns_);
  source_ns_.fetch_add(std::max<int64_t>(source_ns, 0), std::memory_order_relaxed);
}

void SubmitMeter::encoded(int64_t encode_ns) {
  encoded_.fetch_add(1, std::memory_order_relaxed);
  encode_ns_.fetch_add(encode_ns, std::memory_order_relaxed);
}

void SubmitMeter::done(int64_t now_ns, int64_t waited_ns) {
  done_at_ns_ = now_ns;
  waited_ns_ = waited_ns;
}

SubmitMeter::Figures SubmitMeter::take(int64_t now_ns) {
  const Totals now{.submitted = submitted_.load(std::memory_order_relaxed),
                   .encoded = encoded_.load(std::memory_order_relaxed),
                   .skipped = skipped_.load(std::memory_order_relaxed),
                   .source_ns = source_ns_.load(std::memory_order_relaxed),
                   .encode_ns = encode_ns_.load(std::memory_order_relaxed)};
  const Totals before = std::exchange(before_, now);
  const int64_t began_ns = std::exchange(taken_at_ns_, now_ns);
  const uint64_t submitted = now.submitted - before.submitted;
  const uint64_t encoded = now.encoded - before.encoded;
  const uint64_t skipped = now.skipped - before.skipped;
  figures_.skipped = now.skipped;
  figures_.source_ms =
      mean_ms(now.source_ns - before.source_ns, submitted + skipped, figures_.source_ms);
  figures_.encode_ms = mean_ms(now.encode_ns - before.encode_ns, encoded, figures_.encode_ms);
  if (began_ns == 0 || now_ns <= began_ns) return figures_;
  const double seconds = static_cast<double>(now_ns - began_ns) / 1e9;
  figures_.fps_submitted = static_cast<double>(submitted) / seconds;
  figures_.fps_encoded = static_cast<double>(encoded) / seconds;
  figures_.fps_skipped = static_cast<double>(skipped) / seconds;
  return figures_;
}

}  // namespace sail
