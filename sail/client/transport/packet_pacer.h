// Spreads a link's packets over time, because switches on the path have small buffers. A frame is
// spread over its interval in small batches. The rate never exceeds the stream's mean by much, even
// if batches are late. Pure; times are steady ns, bytes are on the wire.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sail {

class PacketPacer {
 public:
  // Duration of a batch, which is sent at once. Two batches at the mean rate fit into a window.
  static constexpr int64_t kBatchNs = 600'000;
  // No window of kWindowNs carries more than kMostOfMean times the stream's mean, plus at most one
  // packet. The margin is for timer and network jitter.
  static constexpr int64_t kWindowNs = 1'000'000;
  static constexpr double kMostOfMean = 1.36;
  // Switch buffers are limited in bytes, and each batch wakes two threads. So at low rates batches
  // and windows are longer: up to kBatchBytes per batch, and at most kMostStretch times.
  static constexpr double kBatchBytes = 32'000;
  static constexpr double kMostStretch = 4;

  struct Need {
    double bytes = 0;              // still to be sent, known or expected
    int64_t until_ns = 0;          // deadline for these bytes
    double mean_bytes_per_s = 0;   // mean rate of the stream
    double limit_bytes_per_s = 0;  // limit of the link
  };
  // Returns how many bytes may be sent now. Above 0, a packet may be sent even if it is larger.
  double grant(int64_t now_ns, const Need& need);
  void sent(int64_t now_ns, double bytes);
  // Time of the next batch.
  int64_t next_ns() const { return next_ns_; }
  // Returns true if the link's limit alone held packets back since the last call.
  bool take_limited();

 private:
  struct Sent {
    int64_t at_ns = 0;
    double bytes = 0;
  };
  double sent_in_window(int64_t now_ns) const;

  int64_t batch_ns() const { return static_cast<int64_t>(kBatchNs * stretch_); }
  int64_t window_ns() const { return static_cast<int64_t>(kWindowNs * stretch_); }

  double stretch_ = 1;      // factor on batch and window length, from the stream's mean
  double bytes_per_s_ = 1;  // rate of the last grant
  // The bytes sent so far last until this time at their rate.
  int64_t paid_until_ns_ = 0;
  int64_t next_ns_ = 0;
  bool limited_ = false;
  std::array<Sent, 8> sent_{};  // most recent sends, newest last
};

}  // namespace sail
