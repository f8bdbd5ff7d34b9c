// This machine's steady clock, by which all that only this machine sees is timed. What the wall
// agrees on is wall time: see wall_clock.h.
#pragma once

#include <cstdint>
#include <string>

namespace sail {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMillisecondNs = 1'000'000;

// Never goes back. Any thread.
int64_t steady_now_ns();

// The same for all processes that have this clock, and another one on another machine or after the
// next start; empty when the system does not tell.
std::string steady_clock_name();

}  // namespace sail
