// Returns freed memory from the allocator to the system, which fragmentation of frames and layouts
// would otherwise keep. Trims after much memory was freed, once freeing has stopped, and at a
// regular interval. Other threads may allocate meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace receiver {

class MemoryTrim {
 public:
  // Call when up to this many bytes are freed, now or soon.
  void freed(size_t bytes) {
    freed_bytes_ += bytes;
    freed_lately_ |= bytes > 0;
  }
  // Must be called once a second.
  void on_second(int64_t now_ns);

 private:
  size_t freed_bytes_ = 0;  // since the last trim
  bool freed_lately_ = false;
  int64_t trimmed_ns_ = 0;
};

}  // namespace receiver
