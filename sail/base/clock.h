// This machine's steady clock, by which all that only this machine sees is timed. What the wall
// agrees on is wall time: see wall_clock.h.
#pragma once

#include <cstdint>

namespace sail {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMillisecondNs = 1'000'000;

// Never goes back. Any thread.
int64_t steady_now_ns();

}  // namespace sail
