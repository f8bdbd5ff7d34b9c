// The table of verbs. Those of a theme share a file in commands/; each checks its arguments, asks
// the room that it needs, and answers. COMMANDS.md is the normative text; a test compares the two.
#pragma once

#include <tuple>
#include <vector>

#include "sail/net/rpc_service.h"

namespace manager {

class Clocks;
class Desk;
class Ending;
class Figures;
class FilmServers;
class Groups;
class Guests;
class NodeCheckups;
class NodeLogs;
class Openings;
class Peers;
class Players;
class ReceiverLauncher;
class Recorders;
class Revival;
class SnapshotLine;
class SourceLibrary;
class StateFeed;
class Successor;
class ThumbnailExchange;
class Users;
class WallOverlay;

// All that verbs may ask for. Each names those that it needs as its parameters.
using Rooms = std::tuple<Clocks&, Desk&, Ending&, Figures&, FilmServers&, Groups&, Guests&,
                         ReceiverLauncher&, NodeCheckups&, NodeLogs&, Openings&, Peers&, Players&,
                         Recorders&, Revival&, SnapshotLine&, SourceLibrary&, StateFeed&,
                         Successor&, ThumbnailExchange&, Users&, WallOverlay&>;

// Alphabetical. The rooms may still have to be built.
std::vector<sail::RpcVerb> control_verbs(const Rooms& rooms);

}  // namespace manager
