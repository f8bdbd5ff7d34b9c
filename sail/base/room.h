// Whether this process may have more. Whoever takes much memory at once asks before: where there is
// no more (a limit of its address space, a system that promises only what it has), the large is
// refused in words, and the small, which nobody can refuse, still finds room. A system that
// promises more than it has says yes. Any thread.
#pragma once

#include <cstddef>

#include "sail/base/result.h"

namespace sail {

// What stays free for the small.
constexpr size_t kSparedMemory = 16 << 20;

// Costs two system calls, as the others do.
bool memory_has_room(size_t bytes);
// The same in words: kLimit, "there is not enough memory for …".
Result<void> ask_for_memory(size_t bytes, const char* what);
// For one more.
bool descriptors_have_room();

}  // namespace sail
