// The rates of a stream in the last measuring interval. Pure.
#pragma once

#include <sail/sail.h>

#include <cstdint>

#include "sail/core/time/clock.h"

namespace server {

class StreamRates {
 public:
  // Call regularly, with the stream's statistics until now.
  void measure(const sail_stream_stats& stats, int64_t now_ns) {
    const double seconds = static_cast<double>(now_ns - measured_ns_) / sail::kSecondNs;
    if (measured_ns_ > 0 && seconds > 0) {
      fps_shown_ = static_cast<double>(stats.frames_shown - measured_.frames_shown) / seconds;
      mbit_per_s_ =
          static_cast<double>(stats.bytes_sent - measured_.bytes_sent) * 8 / 1e6 / seconds;
    }
    measured_ns_ = now_ns;
    measured_ = stats;
  }
  double fps_shown() const { return fps_shown_; }
  double mbit_per_s() const { return mbit_per_s_; }

 private:
  int64_t measured_ns_ = 0;
  sail_stream_stats measured_{};
  double fps_shown_ = 0;
  double mbit_per_s_ = 0;
};

}  // namespace server
