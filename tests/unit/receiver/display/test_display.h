// The display that a program of tests is about.
#pragma once

#include "receiver/display/display.h"

namespace receiver {

// Good until the next call. `threads` paint besides the calling one where the CPU paints.
Display& test_display(int threads);

}  // namespace receiver
