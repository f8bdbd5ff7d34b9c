// Copies past the caches, for pixels that nobody reads soon: a cache would fetch every line from
// memory before it is overwritten. Internal to codecs/. Reentrant; no alignment is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace codecs {

void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to);
// What this thread has streamed is seen by other threads before anything it writes afterwards.
void finish_streaming();

}  // namespace codecs
