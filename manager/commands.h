// The table of verbs. Those of a theme share a file in commands/; each checks its arguments, asks
// the room that it needs, and answers. COMMANDS.md is the normative text; a test compares the two.
#pragma once

#include <span>
#include <string>
#include <tuple>

#include "sail/net/rpc_peer.h"
#include "sail/wire/json.h"

namespace manager {

class Desk;
class Ending;
class Figures;
class Openings;
class Peer;
class Peers;
class Players;
class Revival;
class SnapshotLine;
class SourceLibrary;
class StateFeed;
class ThumbnailExchange;
class WallOverlay;

// All that verbs may ask for. Each names those that it needs as its parameters.
using Rooms =
    std::tuple<Desk&, Ending&, Figures&, Openings&, Peers&, Players&, Revival&, SnapshotLine&,
               SourceLibrary&, StateFeed&, ThumbnailExchange&, WallOverlay&>;

// What a peer asks. Lasts only for the call of the verb, but for copies of the reply.
struct Call {
  Peer& peer;
  const char* verb;
  const sail::Json& params;
  const sail::RpcPeer::Reply& reply;  // once, at once or later

  sail::JsonFields fields() const { return {params, verb}; }
};

struct Command {
  const char* verb;
  // Whose verb it is.
  bool ui = false;
  bool application = false;
  bool receiver = false;
  bool bare = false;  // it has no arguments
  void (*run)(const Call& call, const Rooms& rooms);
};

// Alphabetical.
std::span<const Command> commands();

// Unknown verbs are answered with kUnknownMethod and the nearest known verb; verbs of another role
// with kInvalidRequest. The reply must not be empty.
void run_command(const Rooms& rooms, Peer& peer, const std::string& verb, const sail::Json& params,
                 const sail::RpcPeer::Reply& reply);

}  // namespace manager
