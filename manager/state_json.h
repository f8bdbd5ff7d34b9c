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
// Without the links of its stream: they may be many.
sail::Json window_object(const Window& window);
// The links of a window that has stats.
sail::Json links_json(const Window& window);
sail::Json receiver_object(const ReceiverEntry& receiver);

// What every accepted hello is answered with; more for receivers.
sail::Json welcome_json(const sail::Wall& wall);
// The reply of "list" and "subscribe".
sail::Json state_json(FsManager& manager);
// The parameters of "changed".
sail::Json changed_json(const FsManager& manager, const ChangeSet& set);

// "'a', 'b'"; of long lists the beginning.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace manager
