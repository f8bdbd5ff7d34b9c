// Sequential reading from a descriptor: standard input or a socket. Any thread, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sail/core/base/result.h"

namespace sail {

// Waits for data and reads what is available, at most room.size() bytes; 0: the end. give_up:
// polled while waiting; true: kTimeout.
Result<size_t> read_some(int descriptor, std::span<uint8_t> room,
                         const std::function<bool()>& give_up);

}  // namespace sail
