// Bytes of a descriptor that are read once, as they come: standard input, a socket. Any thread, one
// at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "sail/base/result.h"

namespace sail {

// Waits for bytes and takes what is there, at most `room`; 0: the end. give_up is asked while
// nothing comes; true: kTimeout.
Result<size_t> read_some(int descriptor, std::span<uint8_t> room,
                         const std::function<bool()>& give_up);

}  // namespace sail
