// The display under test.
#pragma once

#include "receiver/display/display.h"

namespace receiver {

// Valid until the next call. threads: painting threads of the CPU display besides the caller.
Display& test_display(int threads);

}  // namespace receiver
