// Parses the start times that users enter.
#pragma once

#include <cstdint>
#include <string>

#include "sail/core/base/result.h"

namespace sail {

// Returns the system's calendar clock in ns since 1970.
int64_t calendar_now_ns();

// Parses "+SECONDS" from now, "HH:MM[:SS]" today (tomorrow if that is past),
// "YYYY-MM-DDTHH:MM[:SS]", or "@SECONDS" since 1970. Times of day are local. Returns ns since 1970;
// kInvalidParams if more than a year ahead or more than a day in the past.
Result<int64_t> parse_start_time(const std::string& text, int64_t now_ns);

}  // namespace sail
