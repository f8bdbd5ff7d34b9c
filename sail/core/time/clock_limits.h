// Assumed limits of clock errors. All error bounds rest on them (PROTOCOL.md, clock).
#pragma once

#include <cstdint>

namespace sail {

// Largest rate difference of two clocks before it is measured: quartz on computer boards.
constexpr double kUnmeasuredDrift = 100e-6;
// Largest plausible rate difference, the most that NTP corrects. A larger one is taken for a jump.
constexpr double kMostDrift = 500e-6;
// How far the rate difference itself varies, by temperature and the age of the quartz.
constexpr double kWander = 2e-6;

// An error up to this is corrected by slewing instead of a jump.
constexpr int64_t kUnseenJumpNs = 1'000'000;
// The same limit for an error that is within the clock's error bound.
constexpr int64_t kMostSlewNs = 1'000'000'000;

// The error bound of an unknown clock; no bound is larger.
constexpr int64_t kUnknownErrorNs = 1'000'000'000'000'000;

}  // namespace sail
