// Times of day as people write them, for what is to start at an instant.
#pragma once

#include <cstdint>
#include <string>

#include "sail/base/result.h"

namespace sail {

// What the machine's calendar clock says: ns since 1970.
int64_t calendar_now_ns();

// "+SECONDS" from now, "HH:MM[:SS]" today, or tomorrow when that is over, "YYYY-MM-DDTHH:MM[:SS]",
// both of local time, or "@SECONDS" since 1970: ns since 1970. What is more than a year away, or
// over for more than a day, is kInvalidParams.
Result<int64_t> parse_start_time(const std::string& text, int64_t now_ns);

}  // namespace sail
