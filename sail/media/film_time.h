// Film times for people. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace sail {

// "1:02:03.4", "2:03.4", "0:03.4".
std::string format_time(int64_t time_ns);

}  // namespace sail
