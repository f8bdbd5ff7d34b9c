// Wall time for all threads of a process: maps our steady clock to the wall's common clock, which
// is the manager's or the system's. One thread, an event loop's, sets the mapping; any thread reads
// it without blocking.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sail/core/time/clock.h"
#include "sail/core/time/clock_line.h"

namespace sail {

class WallClock {
 public:
  WallClock() { set({}); }

  int64_t wall_now_ns() const { return to_wall_ns(steady_now_ns()); }
  int64_t to_wall_ns(int64_t steady_ns) const { return line().to_wall_ns(steady_ns); }
  int64_t to_steady_ns(int64_t wall_ns) const { return line().to_steady_ns(wall_ns); }
  // Error bound of wall_now_ns().
  int64_t error_ns() const { return line().error_at_ns(steady_now_ns()); }
  // False before the first set(): wall time then equals our steady clock.
  bool known() const { return line().known; }

  ClockLine line() const {
    std::array<uint64_t, kWords> words;
    for (;;) {
      const uint32_t before = version_.load(std::memory_order_acquire);
      for (size_t i = 0; i < kWords; ++i) words[i] = words_[i].load(std::memory_order_acquire);
      if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) break;
    }
    return std::bit_cast<Packed>(words).line();
  }

  // One thread. Readers that overlap a write retry (a sequence lock: each word is stored with
  // release order after the odd version, so a reader that sees a new word also sees that version).
  void set(const ClockLine& line) {
    const auto words = std::bit_cast<std::array<uint64_t, kWords>>(Packed(line));
    const uint32_t before = version_.load(std::memory_order_relaxed);
    version_.store(before + 1, std::memory_order_relaxed);
    for (size_t i = 0; i < kWords; ++i) words_[i].store(words[i], std::memory_order_release);
    version_.store(before + 2, std::memory_order_release);
  }

 private:
  // ClockLine without padding bytes, whose value is undefined.
  struct Packed {
    explicit Packed(const ClockLine& from)
        : known(from.known ? 1 : 0),
          steady_ns(from.steady_ns),
          offset_ns(from.offset_ns),
          error_ns(from.error_ns),
          drift(from.drift),
          doubt(from.doubt),
          ahead_ns(from.ahead_ns),
          slew_ns(from.slew_ns) {}
    ClockLine line() const {
      return {.known = known != 0,
              .steady_ns = steady_ns,
              .offset_ns = offset_ns,
              .error_ns = error_ns,
              .drift = drift,
              .doubt = doubt,
              .ahead_ns = ahead_ns,
              .slew_ns = slew_ns};
    }
    int64_t known;
    int64_t steady_ns;
    int64_t offset_ns;
    int64_t error_ns;
    double drift;
    double doubt;
    double ahead_ns;
    double slew_ns;
  };
  static constexpr size_t kWords = sizeof(Packed) / sizeof(uint64_t);

  std::atomic<uint32_t> version_{0};
  std::array<std::atomic<uint64_t>, kWords> words_{};
};

}  // namespace sail
