// Headroom checks before large allocations. Where memory is limited (by the address space or strict
// overcommit), large requests fail with a message and memory is left for small ones, which cannot
// handle failure. With overcommit the check always succeeds. Any thread.
#pragma once

#include <cstddef>

#include "sail/core/base/result.h"

namespace sail {

// Bytes that stay free for small allocations.
constexpr size_t kMemoryHeadroom = 16 << 20;

// Whether `bytes` more can be allocated. Each check costs two system calls.
bool has_memory_headroom(size_t bytes);
// As has_memory_headroom(); fails with kLimit and "not enough memory for …".
Result<void> ask_for_memory(size_t bytes, const char* what);
// Whether one more file descriptor can be opened.
bool has_descriptor_headroom();

}  // namespace sail
