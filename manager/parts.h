// All parts of a manager, as members in the order of their dependencies: a part holds references to
// the parts above it, and reaches the others through the callbacks declared here. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/api/call_sessions.h"
#include "manager/commands/object_gate.h"
#include "manager/desk/clocks.h"
#include "manager/desk/desk.h"
#include "manager/desk/drivers.h"
#include "manager/desk/groups.h"
#include "manager/desk/idle_power.h"
#include "manager/desk/sound.h"
#include "manager/desk/thumbnails.h"
#include "manager/events/event_scenes.h"
#include "manager/events/scheduler.h"
#include "manager/failover/journal_server.h"
#include "manager/failover/other_manager.h"
#include "manager/failover/ruling.h"
#include "manager/failover/shutdown.h"
#include "manager/fs_manager.h"
#include "manager/journal/journal.h"
#include "manager/media/cameras.h"
#include "manager/media/film_servers.h"
#include "manager/media/media_rights.h"
#include "manager/media/play_request.h"
#include "manager/media/playlists.h"
#include "manager/media/source_library.h"
#include "manager/media/speaker_notes.h"
#include "manager/monitor/figures.h"
#include "manager/monitor/recorders.h"
#include "manager/monitor/state_feed.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/opening/opening_players.h"
#include "manager/opening/orphan_windows.h"
#include "manager/opening/stream_opener.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "manager/peers/snapshot_queue.h"
#include "manager/peers/users.h"
#include "manager/peers/wall_power.h"
#include "manager/peers/webhooks.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/guests.h"
#include "manager/programs/node_checkups.h"
#include "manager/programs/node_command.h"
#include "manager/programs/players.h"
#include "manager/programs/receiver_launcher.h"
#include "manager/rights/object_rights.h"
#include "manager/sessions/expected_windows.h"
#include "manager/sessions/scene_switch.h"
#include "manager/sessions/session_restore.h"
#include "manager/sessions/undo_steps.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"
#include "manager/tours/tours.h"
#include "manager/web.h"
#include "sail/core/discovery/mdns.h"

namespace manager {

struct FsManager::Parts {
  // at: the listening address.
  Parts(sail::Loop& its_loop, FsManagerOptions given, Users its_users, const sail::Address& at,
        const sail::Log& its_log, std::function<void()> on_ended);
  // The web server must outlive its connections, which are peers.
  ~Parts() { peers.service().clear(); }
  // Starts the page, the announcement, the programs and the restore.
  sail::Result<void> start();

  sail::Loop& loop;
  const sail::Address listen;
  const sail::Address local;  // Address of the manager for programs on this host.
  const FsManagerOptions options;
  const sail::Log log;
  ChangeFeed changes;
  Clocks clocks;
  Users users;
  Playlists playlists;
  ObjectRights object_rights;
  Peers peers;
  CallSessions scheduled;  // for the verbs of the schedule and of event rules
  Desk desk;
  Drivers drivers;
  Journal journal;
  Sound sound;
  ThumbnailExchange thumbnails;
  ChildPrograms children;
  NodeLogs node_logs;
  Players players;
  Guests guests;
  Groups groups;
  ExpectedWindows expected_windows;
  WallArchive archive;
  WindowExchange exchange;
  UndoSteps undo_steps;
  SessionRestore restore;
  SceneSwitch scene;
  EventScenes events;
  Scheduler scheduler;
  Tours tours;
  JournalServer journal_server;
  StreamOpener openings;
  OrphanWindows lost;
  Figures figures;
  WallPower power;
  IdlePower idle_power;
  Webhooks webhooks;
  WallOverlay overlay;
  Recorders recorders;
  StateFeed state;
  SnapshotQueue snapshots;
  SourceLibrary sources;
  Cameras cameras;
  SpeakerNotes speaker_notes;
  FilmServers films;
  MediaRights rights;
  ObjectGate gate;
  NodeCheckups checkups;
  ReceiverLauncher launcher;
  Shutdown shutdown_sequence;
  std::unique_ptr<Web> web;  // null: no page.
  std::optional<FencedPrimary> former;
  std::optional<Ruling> ruling;  // empty: the wall has no witness
  std::optional<sail::MdnsAnnouncement> announcement;
  sail::Timer launch;
  sail::Timer tick;

 private:
  // --- options of the parts
  NodeStart start_at(const sail::WallKey& key) const {
    return {.manager = local, .listen = listen, .key = key, .ssh = ssh_words()};
  }
  Peers::Options peer_options() const;
  Peers::Handlers peer_handlers();
  Players::Options player_options();
  Guests::Options guest_options() const;
  WallOverlay::Handlers overlay_handlers();
  StateFeed::Sources state_sources();
  SourceLibrary::Options source_options() const;
  ReceiverLauncher::Options launcher_options();
  Shutdown::Parts shutdown_parts();

  // --- notifications by the parts
  void wall_changed(const Touched& touched);
  void openings_changed();
  void receiver_changed(const ReceiverEntry& receiver);
  void peer_left(const sail::ServicePeer& peer);
  void fenced(uint64_t term);
  void lost_quorum();
  void tick_all();

  // --- requests between the parts
  // Runs the verb as a client with the right of an operator, so that the journal has it.
  void run_scheduled(const sail::ScheduledVerb& verb, Scheduler::Ran ran);
  // As run_scheduled(), for the client with this name.
  void run_as(const std::string& name, const std::string& verb, const sail::Json& params,
              Scheduler::Ran ran);
  void restore_source(const RemovedSource& removed, UndoSteps::Restored done);
  PagePlace page_for(const sail::Ends& client) const;
  // Returns a document for the standby (sail/core/wire/standby.h); null: there is none under this
  // name.
  sail::Json kept(const std::string& name) const;
  Troubles troubles() const;
  bool is_connected(const std::string& receiver) const;

  // --- start
  sail::Result<void> start_page();
  sail::Result<void> without_page(const sail::Error& why) const;
  void announce();
  void launch_receivers();
  void launch_standby();
  void launch_all();
  void launch_webhooks();
  void watch_former(const sail::Address& at);
  void watch_quorum();
};

}  // namespace manager
