// What clocks are taken to be capable of. The bounds of all errors rest on it (PROTOCOL.md, clock).
#pragma once

#include <cstdint>

namespace sail {

// Two clocks whose rates nobody has compared differ by no more: quartz on computers' boards.
constexpr double kUnmeasuredDrift = 100e-6;
// Clocks that were found to differ by more are taken for a jump: what NTP corrects at most.
constexpr double kMostDrift = 500e-6;
// By how much the difference itself changes: temperature, and the age of the quartz.
constexpr double kWander = 2e-6;

// A clock that turns out to be off by no more than this is brought there without a jump.
constexpr int64_t kUnseenJumpNs = 1'000'000;
// Likewise one that is as far off as it may be.
constexpr int64_t kMostSlewNs = 1'000'000'000;

// The error of a clock of which nothing is known; no bound is larger.
constexpr int64_t kUnknownErrorNs = 1'000'000'000'000'000;

}  // namespace sail
