// Copies past the caches, for pixels that nobody reads soon: a cache would fetch every line from
// memory before it is overwritten. Reentrant; no alignment is asked for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace codecs {

void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to);
// Pixels of four bytes, of which the fourth becomes 255.
void copy_streamed_opaque(const uint8_t* from, size_t pixels, uint8_t* to);
// What this thread has streamed is seen by other threads before anything it writes afterwards.
void finish_streaming();

}  // namespace codecs
