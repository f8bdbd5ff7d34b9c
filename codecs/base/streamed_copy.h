// Copies that bypass the caches, for pixels that are not read soon: normal stores would load every
// line from memory before it is overwritten. Reentrant; alignment is not required.
#pragma once

#include <cstddef>
#include <cstdint>

namespace codecs {

void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to);
// Copies four-byte pixels and sets the fourth byte to 255.
void copy_streamed_opaque(const uint8_t* from, size_t pixels, uint8_t* to);
// Makes this thread's streamed data visible to other threads before its later writes.
void finish_streaming();

}  // namespace codecs
