// JSON of the manager's state for replies and notifications (COMMANDS.md, "Objects").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/peers/receiver_roster.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/json.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/wall/wall.h"

namespace manager {

class Peers;
struct Client;

sail::Json wall_object(const sail::Wall& wall);
// Returns {"volume", "muted"}.
sail::Json to_json(const WindowSound& sound);
// Leaves out statistics.
sail::Json window_state(const Window& window);
// Adds "blank", "blank_text" and "blank_areas".
void add_blanks(sail::Json& state, const WallSwitches& switches);
// Adds "label", unless it is empty.
void add_label(sail::Json& window, const WindowLabel& label);
// The values of "place" in a label.
constexpr sail::Choice<bool, 2> kLabelPlaces{{{false, "bottom"}, {true, "top"}}};
// Adds "blank" and "frozen", if the window has them.
void add_cover(sail::Json& window, const WindowCover& cover);
// Includes statistics, except those of the stream's links, which may be many.
sail::Json window_object(const Window& window);
// Returns the links of a window that has stats.
sail::Json links_json(const Window& window);
// Return the receiver without and with statistics. They contain the host at which the peer `to`
// reaches the receiver.
sail::Json receiver_state(const ReceiverEntry& receiver, const sail::Ends& to);
sail::Json receiver_object(const ReceiverEntry& receiver, const sail::Ends& to);
// Returns an announced client's entry.
sail::Json client_json(uint64_t id, const Client& client);
// Null: the wall file names no standby, and none is connected.
sail::Json standby_json(const Peers& peers, const sail::Ends& to);

// Returns "'a', 'b'"; long lists are cut.
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace manager
