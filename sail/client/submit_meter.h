// What a stream's application takes its time for: making frames, or having them encoded. The
// application's thread reports, the loop's thread asks.
#pragma once

#include <atomic>
#include <cstdint>

namespace sail {

class SubmitMeter {
 public:
  // --- the submitting thread; times are steady
  // A frame is handed over. waited_ns: how long the application has waited for events so far, which
  // is no work.
  void handed_over(int64_t now_ns, int64_t waited_ns);
  void encoded(int64_t encode_ns);
  // The library is done with it, encoded or not.
  void done(int64_t now_ns, int64_t waited_ns);
  // The application let so many go before handing them over. Any thread.
  void skipped(uint64_t frames) { skipped_.fetch_add(frames, std::memory_order_relaxed); }

  // --- the loop thread
  struct Figures {
    uint64_t skipped = 0;  // since the start
    // Since the last take().
    double fps_submitted = 0;
    double fps_encoded = 0;
    double fps_skipped = 0;
    // Means of a frame since the last take(); as before when there was none.
    double source_ms = 0;  // those skipped count, too
    double encode_ms = 0;
  };
  Figures take(int64_t now_ns);

 private:
  struct Totals {
    uint64_t submitted = 0;
    uint64_t encoded = 0;
    uint64_t skipped = 0;
    int64_t source_ns = 0;
    int64_t encode_ns = 0;
  };

  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> encoded_{0};
  std::atomic<uint64_t> skipped_{0};
  std::atomic<int64_t> source_ns_{0};
  std::atomic<int64_t> encode_ns_{0};
  int64_t done_at_ns_ = 0;  // 0: no frame yet
  int64_t waited_ns_ = 0;   // by then
  Totals before_;           // the loop thread's
  Figures figures_;
  int64_t taken_at_ns_ = 0;
};

}  // namespace sail
