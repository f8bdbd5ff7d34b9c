// The parts of the manager's state as the replies and notifications show it (COMMANDS.md,
// "Objects").
#pragma once

#include <string>
#include <vector>

#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wall/wall.h"
#include "sail/wire/json.h"

namespace manager {

class Peers;

sail::Json wall_object(const sail::Wall& wall);
// Without what is measured all the time.
// {"volume", "muted"}.
sail::Json to_json(const WindowSound& sound);
sail::Json window_state(const Window& window);
// With it, but for the links of its stream: they may be many.
sail::Json window_object(const Window& window);
// The links of a window that has stats.
sail::Json links_json(const Window& window);
// A receiver, without and with its figures, as of windows; `to` reaches it at the host that is
// named.
sail::Json receiver_state(const ReceiverEntry& receiver, const sail::Ends& to);
sail::Json receiver_object(const ReceiverEntry& receiver, const sail::Ends& to);
// Null: the wall file names none, and nobody stands by.
sail::Json standby_json(const Peers& peers, const sail::Ends& to);

// "'a', 'b'"; of long lists the beginning.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace manager
