// This machine's clocks, for times that stay on this machine. Times that machines exchange are wall
// time: see wall_clock.h.
#pragma once

#include <cstdint>
#include <string>

namespace sail {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr int64_t kMillisecondNs = 1'000'000;

// Never goes backwards. Any thread.
int64_t steady_now_ns();

// Returns the system's calendar clock in ns since 1970.
int64_t calendar_now_ns();

// Identifies this clock: equal for all processes that share it, different on other machines, after
// a reboot and in other time namespaces. Empty if the system provides no boot identifier.
std::string steady_clock_name();

}  // namespace sail
