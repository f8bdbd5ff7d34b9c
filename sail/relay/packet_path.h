// One direction of an impaired path: what becomes of each packet. Pure, and for the same packets
// at the same times and the same seed always the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

#include "sail/relay/impairment.h"

namespace sail {

class PacketPath {
 public:
  enum class Fate { kPasses, kLost, kQueueFull };
  struct Passage {
    Fate fate = Fate::kPasses;
    int64_t leaves_ns = 0;   // when it is at the far end
    bool twice = false;      // and comes once more right behind
    bool held_back = false;  // without a place in the order: others may overtake it
  };
  struct StreamPassage {
    int64_t leaves_ns = 0;
    bool sent_again = false;
  };

  explicit PacketPath(const Impairment& impairment) { set(impairment); }
  // For what comes from now on; what is on its way keeps its times, and the order is kept.
  void set(const Impairment& impairment);

  // A datagram of so many bytes comes to the near end. Times must not go back.
  Passage take(int64_t now_ns, size_t bytes);
  // Bytes of a TCP connection. None is lost or dropped: what is lost is sent again, as TCP would,
  // one round trip later, and when that is lost too, kRetransmitTimeoutMs after that. What comes
  // behind waits for it. `order_ns` is of the connection: when its bytes before these leave.
  StreamPassage take_stream(int64_t now_ns, size_t bytes, int64_t order_ns);
  static constexpr int64_t kRetransmitTimeoutMs = 200;

  // How long what comes now waits for the limited rate; and whether no more is to come.
  int64_t queued_ns(int64_t now_ns) const;
  bool queue_full(int64_t now_ns) const { return queued_ns(now_ns) > queue_ns_; }
  // What a stream may take at once, so that it goes in pieces of a few milliseconds.
  size_t piece_bytes() const;

 private:
  double draw();  // from [0, 1)
  bool draw_loss();
  void pass_bottleneck(int64_t now_ns, size_t bytes);
  int64_t delay_ns(int64_t now_ns);

  Impairment impairment_;
  int64_t queue_ns_ = 0;
  std::mt19937_64 random_;
  bool losing_ = false;     // in a burst
  int64_t idle_at_ns_ = 0;  // when the bottleneck will have sent all that came
  int64_t last_leaves_ns_ = 0;
  // The wandering part of the delay, from one drawn value to the next.
  int64_t turn_ = -1;
  double from_ = 0;
  double to_ = 0;
};

}  // namespace sail
