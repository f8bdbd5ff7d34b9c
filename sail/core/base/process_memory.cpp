#include "sail/core/base/process_memory.h"

#include <malloc.h>

#include <fstream>
#include <sstream>
#include <string>

namespace sail {

ProcessMemory own_memory(const std::filesystem::path& proc) {
  ProcessMemory memory;
  std::ifstream rollup(proc / "self/smaps_rollup");
  std::string line;
  while (std::getline(rollup, line)) {
    std::istringstream words(line);
    std::string name;
    uint64_t kib = 0;
    if (!(words >> name >> kib)) continue;
    if (name == "Rss:") memory.resident = kib * 1024;
    if (name == "Pss:") memory.fair = kib * 1024;
    if (name == "AnonHugePages:" || name == "ShmemPmdMapped:" || name == "FilePmdMapped:") {
      memory.huge += kib * 1024;
    }
  }
  const struct mallinfo2 heap = mallinfo2();
  memory.allocated = heap.uordblks + heap.hblkhd;
  memory.kept = heap.fordblks;
  return memory;
}

}  // namespace sail
