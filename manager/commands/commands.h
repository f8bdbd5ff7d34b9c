// The table of control verbs. Files in commands/ group the verbs by subject. A verb checks its
// arguments, calls the components that it needs, and replies. COMMANDS.md is normative; a test
// compares it with this table.
#pragma once

#include <tuple>
#include <vector>

#include "sail/core/rpc/rpc_service.h"

namespace manager {

class Cameras;
class Clocks;
class Desk;
class Drivers;
class EventScenes;
class Shutdown;
class Figures;
class FilmServers;
class Groups;
class Guests;
class NodeCheckups;
class NodeLogs;
class ObjectRights;
class StreamOpener;
class Peers;
class Players;
class Playlists;
class ReceiverLauncher;
class Recorders;
class Scheduler;
class SceneSwitch;
class SessionRestore;
class SnapshotQueue;
class Sound;
class SourceLibrary;
class SpeakerNotes;
class StateFeed;
class Journal;
class JournalServer;
class MediaRights;
class ThumbnailExchange;
class Tours;
class UndoSteps;
class Users;
class WallArchive;
class WallOverlay;
class WallPower;
class Webhooks;

// All components that verbs may use. A verb takes those that it needs as parameters.
using VerbParts =
    std::tuple<Clocks&, Desk&, Shutdown&, Figures&, FilmServers&, Groups&, Guests&,
               ReceiverLauncher&, NodeCheckups&, NodeLogs&, StreamOpener&, Peers&, Players&,
               Recorders&, SessionRestore&, SnapshotQueue&, SourceLibrary&, StateFeed&,
               JournalServer&, ThumbnailExchange&, UndoSteps&, Users&, WallArchive&, WallOverlay&,
               Journal&, SceneSwitch&, WallPower&, EventScenes&, Scheduler&, Tours&, ObjectRights&,
               Webhooks&, Playlists&, MediaRights&, Cameras&, Drivers&, Sound&, SpeakerNotes&>;

// Returns the verbs in alphabetical order. The components may still be under construction.
std::vector<sail::RpcVerb> control_verbs(const VerbParts& parts);

}  // namespace manager
