// Work on files and folders, which may take as long as a disk or a network likes, off the loop's
// thread: on one of libuv's. Never for codec work, which has workers of its own.
#pragma once

#include <functional>
#include <memory>

#include "sail/net/loop.h"

namespace sail {

// Runs `work` on another thread, then `done` on the loop's, unless the guard is destroyed before:
// that waits for nothing, and work under way is finished unheard. `work` must own what it touches:
// it may outlive everything but the loop. Tasks of one guard chain themselves; several run in any
// order.
std::shared_ptr<void> in_background(Loop& loop, std::function<void()> work,
                                    std::function<void()> done);

}  // namespace sail
