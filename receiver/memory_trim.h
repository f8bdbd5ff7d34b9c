// Gives the system back what the allocator keeps of memory that was freed: frames and layouts leave
// pieces between others that nothing new fits into. After large ones, once all of it is free, and
// now and then. Any thread may take memory meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace receiver {

class MemoryTrim {
 public:
  // So many bytes, or less, are free now or soon.
  void freed(size_t bytes) {
    freed_bytes_ += bytes;
    freed_lately_ |= bytes > 0;
  }
  // To be called once a second.
  void on_second(int64_t now_ns);

 private:
  size_t freed_bytes_ = 0;  // since the last time
  bool freed_lately_ = false;
  int64_t trimmed_ns_ = 0;
};

}  // namespace receiver
