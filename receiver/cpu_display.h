// The display that the CPU paints: the visible part of each window, decoded from the blocks of its
// frame, straight into the presenter's canvases.
#pragma once

#include <memory>

#include "receiver/display.h"
#include "receiver/presenter.h"

namespace receiver {

// `threads` paint besides the one that calls paint().
std::unique_ptr<Display> make_cpu_display(std::unique_ptr<Presenter> presenter, int threads);

}  // namespace receiver
