// Measures how an application's time divides into making frames and having them encoded. The
// submitting thread reports, the loop thread queries.
#pragma once

#include <atomic>
#include <cstdint>

namespace sail {

class SubmitMeter {
 public:
  // --- the submitting thread; times are steady
  // A frame is submitted. waited_ns: total time the application has waited for events, which does
  // not count as making frames.
  void handed_over(int64_t now_ns, int64_t waited_ns);
  void encoded(int64_t encode_ns);
  // The library has finished with the frame, encoded or not.
  void done(int64_t now_ns, int64_t waited_ns);
  // The application skipped frames instead of submitting them. Callable from any thread.
  void skipped(uint64_t frames) { skipped_.fetch_add(frames, std::memory_order_relaxed); }

  // --- the loop thread
  struct Figures {
    uint64_t skipped = 0;  // since the start
    // Rates since the last take().
    double fps_submitted = 0;
    double fps_encoded = 0;
    double fps_skipped = 0;
    // Mean time per frame since the last take(); unchanged if there was no frame.
    double source_ms = 0;  // skipped frames are included in the count
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
  int64_t waited_ns_ = 0;   // waited_ns at done_at_ns_
  // Used only by the loop thread.
  Totals before_;
  Figures figures_;
  int64_t taken_at_ns_ = 0;
};

}  // namespace sail
