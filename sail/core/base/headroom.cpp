#include "sail/core/base/headroom.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

namespace sail {

bool has_memory_headroom(size_t bytes) {
  const size_t all = bytes + kMemoryHeadroom;
  void* tried = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return tried != MAP_FAILED && munmap(tried, all) == 0;
}

Result<void> ask_for_memory(size_t bytes, const char* what) {
  if (has_memory_headroom(bytes)) return {};
  return fail(ErrorCode::kLimit, fmt::format("not enough memory for {}", what));
}

bool has_descriptor_headroom() {
  const int one = open("/dev/null", O_RDONLY | O_CLOEXEC);
  return one >= 0 && close(one) == 0;
}

}  // namespace sail
