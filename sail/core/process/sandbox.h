// The sandbox of our programs that decode untrusted bytes. Only this file and program_sandbox.h use
// libseccomp.
#pragma once

#include <cstdint>

#include "sail/core/base/result.h"

namespace sail {

enum class FileRights : uint8_t {
  kRead,  // opening files for reading
  kNone,  // no opening of files
};

// Drops rights permanently, also for threads started later: no network (by an empty network
// namespace if the kernel permits), no other program or process, no writing or changing of files.
// Open files stay open. Call while the process has one thread. Forbidden calls fail with EPERM, so
// that libraries can continue without them.
Result<void> give_up_rights(FileRights files);

}  // namespace sail
