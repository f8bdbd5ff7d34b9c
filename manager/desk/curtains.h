// Curtains: pictures over what people have blanked. A curtain is a window that people do not
// arrange (wall/decoration.h). Runs on the loop thread.
#pragma once

#include <functional>

#include "manager/wall/decoration.h"

namespace manager {

class Desk;

// Hides these curtains at once, and closes them. Not a step of the history.
void remove_curtains(Desk& desk,
                     const std::function<bool(const Decoration&, uint32_t window)>& which);
// Removes the curtains of what is no longer blank, except hidden ones, which an event keeps for
// later. Call it after changes.
void remove_needless_curtains(Desk& desk);

}  // namespace manager
