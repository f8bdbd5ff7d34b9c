// The two ways to control a display: the commands of its PowerControl, or its projector. Loop
// thread.
//
// Both functions call `done` once, later, unless the returned guard is destroyed first; that kills
// the command, or closes the connection. Neither has a time limit. `done` may destroy the guard.
#pragma once

#include <functional>
#include <memory>

#include "sail/core/loop/loop.h"
#include "sail/core/wall/power.h"
#include "sail/core/wire/power.h"

namespace receiver {

using PowerDone = std::function<void(const sail::Result<sail::PowerState>&)>;

// After kOn and kOff, both ask for the state, too.
std::shared_ptr<void> run_power_commands(sail::Loop& loop, const sail::PowerControl& control,
                                         sail::PowerOrder order, PowerDone done);
std::shared_ptr<void> ask_projector(sail::Loop& loop, const sail::PowerControl& control,
                                    sail::PowerOrder order, PowerDone done);

// Whether the text contains the word, not as a part of a longer word.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace receiver
