// The CPU-painted display: decodes the visible part of each window from the blocks of its frame,
// straight into the presenter's canvases.
#pragma once

#include <memory>

#include "receiver/display/display.h"
#include "receiver/display/window_system.h"

namespace receiver {

// `threads`: number of painting threads in addition to the thread that calls paint().
std::unique_ptr<Display> make_cpu_display(std::unique_ptr<WindowSystem> window_system, int threads);

}  // namespace receiver
