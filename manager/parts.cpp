// Builds the parts and connects them.
#include "manager/parts.h"

#include <memory>
#include <string_view>
#include <utility>
#include <variant>

#include "manager/commands/commands.h"
#include "manager/desk/curtains.h"
#include "manager/monitor/visible_drawings.h"
#include "sail/core/base/process_record.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/standby.h"

namespace manager {

FsManager::Parts::Parts(sail::Loop& its_loop, FsManagerOptions given, Users its_users,
                        const sail::Address& at, const sail::Log& its_log,
                        std::function<void()> on_ended)
    : loop(its_loop),
      listen(at),
      local(sail::address_for_this_host(at)),
      options(std::move(given)),
      log(its_log),
      changes([this] { state.publish_soon(); }),
      clocks(loop, options.clock, options.former_clock, log),
      users(std::move(its_users)),
      playlists(options.state_folder),
      object_rights(options.state_folder),
      peers(loop, options.wall, changes, peer_options(),
            control_verbs({clocks,         desk,         shutdown_sequence,
                           figures,        films,        groups,
                           guests,         launcher,     checkups,
                           node_logs,      openings,     peers,
                           players,        recorders,    restore,
                           snapshots,      sources,      state,
                           journal_server, thumbnails,   undo_steps,
                           users,          archive,      overlay,
                           journal,        scene,        power,
                           events,         scheduler,    tours,
                           object_rights,  webhooks,     playlists,
                           rights,         cameras,      drivers,
                           sound,          speaker_notes}),
            peer_handlers(), log),
      scheduled(loop, peers.service()),
      desk(loop, options.wall, clocks.wall(), peers, changes, options.times.close_ms,
           [this](const Touched& touched) { wall_changed(touched); }),
      drivers(
          desk, peers,
          {.idle_ms = options.times.driver_idle_ms, .return_ms = options.times.driver_return_ms}),
      journal(loop, options.state_folder, desk, log),
      sound(desk, peers),
      thumbnails(desk, peers),
      children(loop),
      node_logs(loop, options.state_folder.empty() ? "" : options.state_folder / "logs"),
      players(loop, children, node_logs, player_options()),
      guests(children, guest_options(), log),
      groups(desk, peers, log),
      archive(loop, options.state_folder, peers, desk, thumbnails, expected_windows, changes, log),
      exchange(desk, groups, players, changes, log),
      undo_steps(desk, archive, exchange,
                 [this](const auto& removed, auto done) { restore_source(removed, done); }),
      restore(loop, options.times.return_ms, peers, desk, players, archive, exchange,
              expected_windows, log),
      scene(loop, options.times.scene_ms, desk, players, archive, exchange, changes),
      events(desk, archive, exchange, restore, scene, changes,
             EventRulesFile(options.event_rules, options.state_folder), log),
      scheduler(
          events, options.state_folder,
          [this](const auto& verb, auto ran) { run_scheduled(verb, std::move(ran)); }, log),
      tours(
          options.times.scene_ms, desk, players, archive, exchange,
          [this] { return events.shows() || restore.in_progress(); }, log),
      journal_server(
          options.wall, peers, archive, [this](const std::string& name) { return kept(name); },
          options.state_folder, log),
      openings(desk, peers, players, restore, undo_steps, groups, object_rights, sources, log),
      lost(loop, desk, peers, players, log),
      figures(
          loop, desk, peers, changes, [this] { return troubles(); },
          [this] { overlay.windows_changed(); }),
      power(
          loop, peers, {.poll_ms = options.times.power_poll_ms, .obey_ms = options.times.power_ms},
          PendingPower(options.state_folder), [this] { figures.evaluate(); }, log),
      idle_power(desk, power,
                 static_cast<int64_t>(options.wall.power_idle_min * options.times.idle_minute_ms)),
      webhooks(options.wall, peers, [this] { figures.evaluate(); }),
      overlay(loop, options.wall, overlay_handlers()),
      recorders(desk, peers, sound, overlay),
      state(loop, changes, state_sources()),
      snapshots(loop),
      sources(loop, source_options(), log),
      cameras(loop, options.camera_program, log),
      speaker_notes(loop, options.poster_program),
      films(loop, options.film_servers, options.key),
      rights(peers.service(), sources, films, object_rights),
      gate({object_rights, desk, archive, sources}, players, tours, playlists, events, scheduler),
      checkups(loop, node_logs, options.wall, start_at(key_named(options.key, "viewer")),
               sail::find_program("vitrail")),
      launcher(loop, children, node_logs, launcher_options(), log),
      shutdown_sequence(shutdown_parts(), log, std::move(on_ended)),
      launch(loop),
      tick(loop) {
  users.watch([this] { journal_server.kept_changed(sail::kKeptPeople); });
  events.rules().watch([this] { journal_server.kept_changed(sail::kKeptEvents); });
  object_rights.watch([this] { journal_server.kept_changed(kKeptRights); });
  playlists.watch([this] {
    journal_server.kept_changed(kKeptPlaylists);
    changes.part_changed(StatePart::kPlaylists);
  });
  events.watch_verbs([this](const auto& verb, const auto& params, auto ran) {
    run_as("events", verb, params, std::move(ran));
  });
  scheduler.watch([this] { journal_server.kept_changed(sail::kKeptSchedule); });
  power.watch_pending([this] { journal_server.kept_changed(sail::kKeptPower); });
  sources.watch_urls([this] { journal_server.kept_changed(sail::kKeptUrls); });
  tick.start(Director::kTickMs, Director::kTickMs, [this] { tick_all(); });
}

// --- options of the parts

Peers::Options FsManager::Parts::peer_options() const {
  return {.key = options.key,
          .people = &users.people(),
          .people_closed = users.why_closed(),
          .clock = clocks.welcome(),
          .term = options.term,
          .hello_ms = options.times.hello_ms,
          .max_peers = options.max_peers,
          .max_unauthenticated = options.max_unauthenticated,
          .on_all_addresses = is_any_address(listen.host),
          .linked_pages = options.linked_pages};
}

Peers::Handlers FsManager::Parts::peer_handlers() {
  return {
      .on_silence = [this] { desk.peer_fell_silent(); },
      .on_receiver = [this](const ReceiverEntry& entry) { receiver_changed(entry); },
      .on_left = [this](const sail::ServicePeer& peer) { peer_left(peer); },
      .on_fenced = [this](uint64_t term) { fenced(term); },
      .page = [this](const sail::Ends& client) { return page_for(client); },
      .on_noted =
          [this](sail::ServicePeer& peer, const char* verb, const sail::Json& params) {
            idle_power.touched();
            return journal.note(peer, verb, params);
          },
      .on_admission = [this](sail::ServicePeer& peer, const char* verb,
                             const sail::Json& params) { return gate.admit(peer, verb, params); }};
}

Players::Options FsManager::Parts::player_options() {
  return {.starter = {.programs = {{kBplay, options.player_program},
                                   {kShow, options.show_program},
                                   {kWeb, options.web_program},
                                   {kVnc, options.vnc_program}},
                      .start = start_at(options.key),
                      .commands = options.commands,
                      .nodes = render_nodes(options.wall),
                      .at_end = options.at_end},
          .check_rights =
              [this](const PlayRequest& request, Players::Options::Checked checked) {
                rights.check(request, std::move(checked));
              },
          .report_after_ms = options.times.opening_ms,
          .place_for = [this](const PlayRequest& request) { return place_for(desk, request); },
          .on_openings = [this] { openings_changed(); },
          .on_ended = [this](const std::string& name, bool failed,
                             const std::string& why) { lost.program_ended(name, failed, why); }};
}

Guests::Options FsManager::Parts::guest_options() const {
  return {.program = options.guest_program,
          .start = start_at(options.key),
          .page_host = options.page ? options.page->host : "",
          .certificate = options.page_certificate ? std::optional(options.page_certificate->files())
                                                  : std::nullopt};
}

WallOverlay::Handlers FsManager::Parts::overlay_handlers() {
  return {
      .peer_of = [this](const std::string& name) -> sail::RpcPeer* {
        sail::ServicePeer* receiver = peers.receiver(name);
        return receiver == nullptr ? nullptr : &receiver->rpc();
      },
      .offer_pointers =
          [this](const std::string& line) {
            idle_power.touched();
            peers.offer(&Wants::pointers, sail::share(line));
          },
      .labels = [this](bool all) { return with_openings(figures.labels(all), players.openings()); },
      .drawings =
          [this] {
            return visible_drawings(desk.wall(), desk.arrangement(), events.uncovered_blanks());
          },
      .shows_clock = [this] { return figures.shows_clock(); },
      .on_switched = [this] { changes.switches_changed(); }};
}

StateFeed::Sources FsManager::Parts::state_sources() {
  return {.desk = desk,
          .peers = peers,
          .players = players,
          .health = figures.health(),
          .overlay = overlay,
          .recorders = recorders,
          .layouts = archive.saved(SavedKind::kLayout),
          .sessions = archive.saved(SavedKind::kSession),
          .playlists = playlists,
          .scene = scene,
          .events = events};
}

SourceLibrary::Options FsManager::Parts::source_options() const {
  return {.media = options.media,
          .uploads = options.uploads,
          .state = options.state_folder,
          .commands = options.commands,
          .poster_program = options.poster_program};
}

ReceiverLauncher::Options FsManager::Parts::launcher_options() {
  return {.record = options.launch || !options.wall.webhooks.empty()
                        ? sail::process_record_file(options.run_folder, sail::address_text(local),
                                                    sail::kReceiversRecord)
                        : "",
          .is_connected = [this](const std::string& name) { return is_connected(name); },
          .on_changed =
              [this](const std::string& name, const ReceiverRun& run) {
                if (name == Webhooks::kProgram) return webhooks.ran(run);
                peers.record(name, run);
              },
          .on_restart =
              [this](const std::string& name) {
                if (peers.receivers().find(name) == nullptr) journal_server.end_standby();
              }};
}

Shutdown::Parts FsManager::Parts::shutdown_parts() {
  return {.cameras = cameras,
          .children = children,
          .desk = desk,
          .guests = guests,
          .peers = peers,
          .players = players,
          .launcher = launcher,
          .archive = archive,
          .journal_server = journal_server,
          .webhooks = webhooks};
}

// --- notifications by the parts

void FsManager::Parts::wall_changed(const Touched& touched) {
  sound.changed(touched.fade_ms);
  if (!touched.streams.empty()) sound.tick();
  thumbnails.windows_changed(touched);
  const bool overlaid = !touched.windows.empty() || touched.layout || touched.drawing;
  if (overlaid) overlay.windows_changed();
  archive.wall_changed();
  journal.wall_changed(touched);
  groups.evaluate();
  if (touched.switches) figures.evaluate();
  if (touched.switches || touched.layout) remove_needless_curtains(desk);
}

void FsManager::Parts::openings_changed() {
  overlay.windows_changed();
  changes.part_changed(StatePart::kOpenings);
}

void FsManager::Parts::receiver_changed(const ReceiverEntry& receiver) {
  figures.evaluate();
  sound.changed();
  if (receiver.connected()) {
    overlay.receiver_joined(receiver.name);
  } else {
    overlay.receiver_left(receiver.name);
  }
  desk.receiver_changed(receiver);
  journal_server.receivers_changed();
  groups.evaluate();
}

void FsManager::Parts::peer_left(const sail::ServicePeer& peer) {
  drivers.client_left(peer.id());
  overlay.client_left(peer.id());
  thumbnails.client_left(peer.id());
  sound.client_left(peer.id());
  snapshots.client_left(peer.id());
  clocks.peer_left(peer.id());
  figures.peer_left(peer.id());
  journal_server.peer_left(peer.id());
  webhooks.peer_left(peer.id());
  openings.application_left(peer.id());
  players.cut_off(peer.key_name(), sail::steady_now_ns());
  lost.peer_left(peer);
  recorders.peer_left(peer);
  desk.owner_left(peer.id(), peer.fell_silent());
}

void FsManager::Parts::fenced(uint64_t term) {
  log.error(
      "another manager with term {} took over this wall (own term: {}). This manager exits; the "
      "programs that it started keep running",
      term, options.term);
  journal_server.outrun(desk.arrangement().history());
  if (options.on_fenced) options.on_fenced(term);
}

void FsManager::Parts::lost_quorum() {
  log.error(
      "neither the witness {} nor the standby has confirmed this manager for {:.1f} s: {}. This "
      "manager exits; the programs that it started keep running. A manager rules again when the "
      "witness answers",
      sail::witness_text(options.wall), Quorum::kPromiseNs / 1e9,
      ruling->trouble().empty()
          ? "the witness answered too late, or gave the lease to another manager"
          : ruling->trouble());
  journal_server.outrun(desk.arrangement().history());
  if (options.on_fenced) options.on_fenced(options.term);
}

void FsManager::Parts::tick_all() {
  openings.tick();
  scheduler.tick();
  events.tick();
  tours.tick();
  desk.tick();
  idle_power.tick();
  drivers.tick();
  sound.tick();
  groups.evaluate();
  thumbnails.tick();
  shutdown_sequence.tick();
}

// --- requests between the parts

void FsManager::Parts::restore_source(const RemovedSource& removed, UndoSteps::Restored done) {
  sources.restore(removed, [done = std::move(done)](const auto& source) {
    done(source.map([](const Source&) {}));
  });
}

void FsManager::Parts::run_scheduled(const sail::ScheduledVerb& verb, Scheduler::Ran ran) {
  run_as("schedule", verb.verb, verb.params, std::move(ran));
}

void FsManager::Parts::run_as(const std::string& name, const std::string& verb,
                              const sail::Json& params, Scheduler::Ran ran) {
  scheduled.call(
      {.ends = {local, local}, .key_name = "operator/" + name, .name = name}, verb, params,
      [ran = std::move(ran)](std::string_view line) {
        const auto message = sail::parse_rpc(line.substr(0, line.find_last_not_of('\n') + 1));
        const auto* response = message ? std::get_if<sail::RpcResponse>(&*message) : nullptr;
        if (response != nullptr) return ran(response->result);
        ran(sail::fail(sail::ErrorCode::kInternal, "the verb gave no readable answer"));
      });
}

PagePlace FsManager::Parts::page_for(const sail::Ends& client) const {
  if (!web) return {};
  PagePlace page{web->url(client.here), {}, web->key_pin()};
  if (sail::is_same_host(client)) page.elsewhere = web->urls_elsewhere();
  return page;
}

sail::Json FsManager::Parts::kept(const std::string& name) const {
  // If the file is damaged, the standby keeps its own copy of the people.
  if (name == sail::kKeptPeople && users.damage().empty()) return users.people().json();
  if (name == sail::kKeptUrls) return {{sail::kKeptUrls, sources.urls_json()}};
  if (name == sail::kKeptEvents) return events.rules().kept();
  if (name == sail::kKeptSchedule) return scheduler.kept();
  if (name == kKeptRights) return object_rights.kept();
  if (name == kKeptPlaylists) return playlists.kept();
  if (name == sail::kKeptPower) return to_json(power.pending());
  return nullptr;
}

Troubles FsManager::Parts::troubles() const {
  Troubles troubles{.disk = archive.disk_trouble(),
                    .journal = journal.trouble(),
                    .hanging = players.hanging(sail::steady_now_ns()),
                    .damaged = archive.damage()};
  for (const std::string& damage :
       {users.damage(), object_rights.damage(), playlists.damage(), sources.damage(),
        events.rules().damage(), scheduler.damage(), options.term_damage}) {
    if (!damage.empty()) troubles.damaged.push_back(damage);
  }
  troubles.scenes = events.troubles();
  if (auto missing = scheduler.trouble(); !missing.empty()) {
    troubles.scenes.push_back(std::move(missing));
  }
  troubles.opening = players.opening();
  troubles.tours = tours.troubles();
  troubles.webhooks = webhooks.troubles();
  if (ruling) troubles.witness = ruling->trouble();
  troubles.has_standby = !peers.standby().empty();
  return troubles;
}

bool FsManager::Parts::is_connected(const std::string& receiver) const {
  if (receiver == Webhooks::kProgram) return webhooks.is_served();
  const ReceiverEntry* entry = peers.receivers().find(receiver);
  return entry == nullptr ? !peers.standby().empty() : entry->connected();
}

}  // namespace manager
