// The manager's state as the replies and notifications show it (COMMANDS.md, "Objects").
#pragma once

#include <string>
#include <vector>

#include "manager/change_feed.h"
#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wall/wall.h"
#include "sail/wire/json.h"

namespace manager {

class FsManager;

sail::Json wall_object(const sail::Wall& wall);
// Without what is measured all the time.
sail::Json window_state(const Window& window);
// With it, but for the links of its stream: they may be many.
sail::Json window_object(const Window& window);
// The links of a window that has stats.
sail::Json links_json(const Window& window);
// The health of the whole wall, with what the figures say of its windows at present.
sail::Json health_json(const FsManager& manager);
// A receiver, without and with its figures, as of windows.
sail::Json receiver_state(const ReceiverEntry& receiver);
sail::Json receiver_object(const ReceiverEntry& receiver);

// What every accepted hello is answered with; more for receivers.
sail::Json welcome_json(const sail::Wall& wall);
// The state, with kMostInOne windows at most: from the number `skip` on, bottom to top.
sail::Json state_json(FsManager& manager, size_t skip);
// The parameters of "changed" that tell the windows which state_json(manager, 0) has left out.
std::vector<sail::Json> rest_of_state_json(const FsManager& manager);
// The parameters of "changed".
sail::Json changed_json(const FsManager& manager, const ChangeSet& set);

// "'a', 'b'"; of long lists the beginning.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace manager
