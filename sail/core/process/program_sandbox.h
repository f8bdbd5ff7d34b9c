// The sandbox of programs of other projects that convert untrusted files. Unlike the sandbox of our
// own decoders (sandbox.h), this one lets them start programs and threads, and write in one folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

struct ProgramRights {
  std::vector<std::string> readable;  // files and folders to read and to start programs from
  std::string writable;               // the folder for all files that the program writes
  uint64_t most_memory_bytes = 0;     // of each process
  uint64_t most_file_bytes = 0;       // of each written file
  uint64_t most_cpu_s = 0;            // of each process
};

// Reduces the rights of the calling process permanently, also for programs that it starts: no
// network, no connection to other programs, no access to other files and processes. Paths that do
// not exist are skipped. Call while the process has one thread. kUnavailable: the kernel has no
// Landlock, so files cannot be protected. kInternal: other errors.
Result<void> confine(const ProgramRights& rights);

}  // namespace sail
