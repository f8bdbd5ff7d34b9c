// What vitrail-poster gives up before it looks at a file that may be anything: the wrapper of
// libseccomp.
#pragma once

#include "sail/base/result.h"

namespace sail {

// For good, and for all that this process starts: no network (a namespace of its own, empty, where
// the kernel lets this user make one), no other program, no other process, nothing that writes or
// changes a file; what is open already stays open. Called while the process has one thread. What is
// forbidden fails with EPERM, so that a library that only tries goes on without.
Result<void> give_up_rights();

}  // namespace sail
