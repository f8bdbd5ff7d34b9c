// Memory of this process, as the kernel and the allocator count it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace sail {

// Bytes.
struct ProcessMemory {
  uint64_t resident = 0;   // in memory
  uint64_t fair = 0;       // resident, but a page that n processes share counts as 1/n (PSS)
  uint64_t huge = 0;       // resident, in huge pages
  uint64_t allocated = 0;  // in use, by malloc
  uint64_t kept = 0;       // freed, but not returned to the system; pages of them may be absent

  bool operator==(const ProcessMemory&) const = default;
};

// The kernel walks through the pages of the process: about 1 ms for 100 MB in small pages. Members
// that the system does not report are 0. proc: tests pass a folder with such files.
ProcessMemory own_memory(const std::filesystem::path& proc = "/proc");

}  // namespace sail
