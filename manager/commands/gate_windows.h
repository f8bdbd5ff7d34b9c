// What verbs about windows touch.
#pragma once

#include <string>

#include "manager/commands/gate_request.h"

namespace manager::gate {

template <Act kAct>
void windows(const Asked& asked) {
  for (const uint32_t number : windows_in(asked.params)) asked.touched.window(kAct, number);
}

template <Act kAct>
void whole_wall(const Asked& asked) {
  asked.touched.wall(kAct);
}

// The named windows, and the other windows of their groups.
void control(const Asked& asked);
// The windows that the request names; without "windows", the whole wall.
void windows_or_wall(const Asked& asked);
void move(const Asked& asked);
void resize(const Asked& asked);
void place(const Asked& asked);
// Each window is fitted into the other's place, which may be larger than the other's rectangle.
void swap(const Asked& asked);
void fit(const Asked& asked);
void maximise(const Asked& asked);
void annotate(const Asked& asked);
// Without "windows", the eraser also removes the client's strokes on the windows below.
void annotate_erase(const Asked& asked);
// The windows that follow changes of the partition.
void windows_in_partition(const Asked& asked, const std::string& name);

}  // namespace manager::gate
