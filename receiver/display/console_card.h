// The graphics card of the console (KMS), which SDL opens for its windows. Main thread.
#pragma once

#include "sail/core/base/descriptor.h"

struct SDL_Window;

namespace receiver {

// Returns a descriptor of the open card that shows the window; none if the window is not on one.
sail::Descriptor console_card(SDL_Window* window);

// Call this after SDL has closed its last window: others, or this process again, may now take the
// card. SDL 2.26 forgets a cursor of each display that had two windows, and its memory keeps the
// card open, with the right to show pictures. No effect without a card.
void leave_console_card(const sail::Descriptor& card);

}  // namespace receiver
