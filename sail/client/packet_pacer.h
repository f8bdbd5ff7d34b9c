// Spreads the packets of a link over time: a frame over its interval, in small batches, and never
// much faster than the stream's mean, however late a batch is; switches on the way have small
// buffers. Pure; times are steady ns, bytes are on the wire.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sail {

class PacketPacer {
 public:
  // A batch is what would go in this time; it goes at once. Two of them fit into a window.
  static constexpr int64_t kBatchNs = 600'000;
  // No kWindowNs carry more than kMostOfMean times the stream's mean, but for one packet. Above it
  // there is room for what timers and the network add.
  static constexpr int64_t kWindowNs = 1'000'000;
  static constexpr double kMostOfMean = 1.36;
  // Switches mind bytes, not time, and each batch wakes two threads: as long as batches have no
  // more bytes than that, they and windows are longer, so many times at most.
  static constexpr double kBatchBytes = 32'000;
  static constexpr double kMostStretch = 4;

  struct Need {
    double bytes = 0;              // that are still to go, as far as known or expected
    int64_t until_ns = 0;          // when they are to have gone
    double mean_bytes_per_s = 0;   // of the stream
    double limit_bytes_per_s = 0;  // of the link
  };
  // How many bytes may go now: packets may as long as it is above 0, the last one in full.
  double grant(int64_t now_ns, const Need& need);
  void sent(int64_t now_ns, double bytes);
  // When the next batch may go.
  int64_t next_ns() const { return next_ns_; }
  // Whether the limit of the link, and nothing else, held packets back since the last call.
  bool take_limited();

 private:
  struct Sent {
    int64_t at_ns = 0;
    double bytes = 0;
  };
  double sent_in_window(int64_t now_ns) const;

  int64_t batch_ns() const { return static_cast<int64_t>(kBatchNs * stretch_); }
  int64_t window_ns() const { return static_cast<int64_t>(kWindowNs * stretch_); }

  double stretch_ = 1;         // of batches and windows, by the stream's mean
  double bytes_per_s_ = 1;     // of the last grant
  int64_t paid_until_ns_ = 0;  // what went so far lasts till then at its rate
  int64_t next_ns_ = 0;
  bool limited_ = false;
  std::array<Sent, 8> sent_{};  // lately, newest last
};

}  // namespace sail
