// Builds the components and connects them.
#include "manager/fs_manager.h"

#include <fmt/core.h>

#include <utility>

#include "manager/commands/commands.h"
#include "manager/desk/clocks.h"
#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/desk/sound.h"
#include "manager/desk/thumbnail_exchange.h"
#include "manager/failover/fenced_primary.h"
#include "manager/failover/journal_server.h"
#include "manager/failover/shutdown.h"
#include "manager/media/film_servers.h"
#include "manager/media/media_rights.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/monitor/figures.h"
#include "manager/monitor/metrics.h"
#include "manager/monitor/recorders.h"
#include "manager/monitor/state_feed.h"
#include "manager/monitor/wall_overlay.h"
#include "manager/opening/opening_players.h"
#include "manager/opening/orphan_windows.h"
#include "manager/opening/stream_opener.h"
#include "manager/peers/change_feed.h"
#include "manager/peers/peers.h"
#include "manager/peers/snapshot_line.h"
#include "manager/peers/users.h"
#include "manager/programs/child_programs.h"
#include "manager/programs/guests.h"
#include "manager/programs/node_checkups.h"
#include "manager/programs/players.h"
#include "manager/programs/receiver_launcher.h"
#include "manager/programs/render_nodes.h"
#include "manager/programs/standby_command.h"
#include "manager/sessions/revival.h"
#include "manager/web.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/private_file.h"
#include "sail/core/base/process_record.h"
#include "sail/core/discovery/mdns.h"
#include "sail/core/wire/standby.h"

namespace manager {

// Components hold references to those above them.
struct FsManager::House {
  // at: the listening address.
  House(sail::Loop& its_loop, FsManagerOptions given, Users its_users, const sail::Address& at,
        const sail::Log& its_log, std::function<void()> on_ended);
  // The web server must outlive its connections, which are peers.
  ~House() { peers.service().clear(); }
  sail::Result<void> start_page();

  // at: the manager's listening address.
  NodeStart start_at(const sail::Address& at, const sail::WallKey& key) const {
    return {.manager = local, .listen = at, .key = key, .ssh = ssh_words()};
  }
  void announce();
  void launch_receivers();
  void launch_standby();
  void launch_all();
  void watch_former(const sail::Address& at);
  void fenced(uint64_t term);
  // Returns a document for the standby (sail/core/wire/standby.h); null: there is none under this
  // name.
  sail::Json kept(const std::string& name) const;
  Troubles troubles() const;
  void receiver_changed(const ReceiverEntry& receiver);
  void peer_left(const sail::ServicePeer& peer);

  sail::Loop& loop;
  const sail::Address listen;
  const sail::Address local;  // Address of the manager for programs on this host.
  const FsManagerOptions options;
  const sail::Log log;
  ChangeFeed changes;
  Clocks clocks;
  Users users;
  Peers peers;
  Desk desk;
  Sound sound;
  ThumbnailExchange thumbnails;
  ChildPrograms children;
  NodeLogs node_logs;
  Players players;
  Guests guests;
  Groups groups;
  Revival revival;
  JournalServer journal_server;
  StreamOpener openings;
  OrphanWindows lost;
  Figures figures;
  WallOverlay overlay;
  Recorders recorders;
  StateFeed state;
  SnapshotLine snapshots;
  SourceLibrary sources;
  FilmServers films;
  MediaRights rights;
  NodeCheckups checkups;
  ReceiverLauncher launcher;
  Shutdown shutdown_sequence;
  std::unique_ptr<Web> web;  // null: no page.
  std::optional<FencedPrimary> former;
  std::optional<sail::MdnsAnnouncement> announcement;
  sail::Timer launch;
  sail::Timer tick;
};

FsManager::House::House(sail::Loop& its_loop, FsManagerOptions given, Users its_users,
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
      peers(loop, options.wall, changes,
            {.key = options.key,
             .people = &users.people(),
             .people_closed = users.why_closed(),
             .clock = clocks.welcome(),
             .term = options.term,
             .hello_ms = options.times.hello_ms,
             .max_peers = options.max_peers,
             .max_unauthenticated = options.max_unauthenticated,
             .on_all_addresses = is_any_address(at.host)},
            control_verbs({clocks,         desk,       shutdown_sequence,
                           figures,        films,      groups,
                           guests,         launcher,   checkups,
                           node_logs,      openings,   peers,
                           players,        recorders,  revival,
                           snapshots,      sources,    state,
                           journal_server, thumbnails, users,
                           overlay}),
            {.on_silence = [this] { desk.peer_fell_silent(); },
             .on_receiver = [this](const ReceiverEntry& entry) { receiver_changed(entry); },
             .on_left = [this](const sail::ServicePeer& peer) { peer_left(peer); },
             .on_fenced = [this](uint64_t term) { fenced(term); },
             .page =
                 [this](const sail::Ends& client) {
                   if (!web) return PagePlace();
                   PagePlace page{web->url(client.here), {}, web->key_pin()};
                   if (sail::is_same_host(client)) page.elsewhere = web->urls_elsewhere();
                   return page;
                 }},
            log),
      desk(loop, options.wall, clocks.wall(), peers, changes, options.times.close_ms,
           [this](const Touched& touched) {
             sound.changed();
             if (!touched.streams.empty()) sound.tick();
             thumbnails.windows_changed(touched);
             if (!touched.windows.empty() || touched.layout) overlay.windows_changed();
             revival.wall_changed();
             groups.evaluate();
             if (touched.switches) figures.evaluate();
           }),
      sound(desk, peers),
      thumbnails(desk, peers),
      children(loop),
      node_logs(loop, options.state_folder.empty() ? "" : options.state_folder / "logs"),
      players(loop, children, node_logs,
              {.programs = {{kBplay, options.player_program},
                            {kShow, options.show_program},
                            {kWeb, options.web_program},
                            {kVnc, options.vnc_program}},
               .start = start_at(at, options.key),
               .commands = options.commands,
               .nodes = render_nodes(options.wall),
               .at_end = options.at_end,
               .judge =
                   [this](const PlayRequest& request, Players::Options::Judged judged) {
                     rights.check(request, std::move(judged));
                   },
               .report_after_ms = options.times.opening_ms,
               .place_for = [this](const PlayRequest& request) { return place_for(desk, request); },
               .on_openings =
                   [this] {
                     overlay.windows_changed();
                     changes.part_changed(StatePart::kOpenings);
                   },
               .on_node_ended =
                   [this](const std::string& name, bool failed, const std::string& why) {
                     lost.program_ended(name, failed, why);
                   }}),
      guests(children,
             {.program = options.guest_program,
              .start = start_at(at, options.key),
              .page_host = options.page ? options.page->host : "",
              .certificate = options.page_certificate
                                 ? std::optional(options.page_certificate->files())
                                 : std::nullopt},
             log),
      groups(desk, peers, log),
      revival(loop,
              {.state_folder = options.state_folder,
               .return_ms = options.times.return_ms,
               .restore_source =
                   [this](const RemovedSource& removed, Revival::Options::Brought done) {
                     sources.restore(removed, [done = std::move(done)](const auto& source) {
                       done(source.map([](const Source&) {}));
                     });
                   }},
              peers, desk, groups, players, thumbnails, changes, log),
      journal_server(
          options.wall, peers, revival, [this](const std::string& name) { return kept(name); },
          options.state_folder, log),
      openings(desk, peers, players, revival, groups, log),
      lost(loop, desk, peers, players, log),
      figures(
          loop, desk, peers, changes, [this] { return troubles(); },
          [this] { overlay.windows_changed(); }),
      overlay(
          loop, options.wall,
          {.peer_of =
               [this](const std::string& name) {
                 sail::ServicePeer* receiver = peers.receiver(name);
                 return receiver == nullptr ? nullptr : &receiver->rpc();
               },
           .offer_pointers =
               [this](const std::string& line) { peers.offer(&Wants::pointers, line); },
           .labels =
               [this](bool all) { return with_openings(figures.labels(all), players.openings()); },
           .on_switched = [this] { changes.state_changed(); }}),
      recorders(desk, peers, sound, overlay),
      state(loop, changes,
            {.desk = desk,
             .peers = peers,
             .players = players,
             .health = figures.health(),
             .overlay = overlay,
             .recorders = recorders,
             .layouts = revival.saved(SavedKind::kLayout),
             .sessions = revival.saved(SavedKind::kSession)}),
      snapshots(loop),
      sources(loop,
              {.media = options.media,
               .uploads = options.uploads,
               .state = options.state_folder,
               .commands = options.commands,
               .poster_program = options.poster_program},
              log),
      films(loop, options.film_servers, options.key),
      rights(peers.service(), sources, films),
      checkups(loop, node_logs, options.wall, start_at(at, key_named(options.key, "viewer")),
               sail::find_program("vitrail")),
      launcher(loop, children, node_logs,
               {.record = options.launch ? sail::process_record_file(options.run_folder,
                                                                     sail::address_text(local),
                                                                     sail::kReceiversRecord)
                                         : "",
                .is_connected =
                    [this](const std::string& name) {
                      const ReceiverEntry* receiver = peers.receivers().find(name);
                      return receiver == nullptr ? !peers.standby().empty() : receiver->connected();
                    },
                .on_changed = [this](const std::string& name,
                                     const ReceiverRun& run) { peers.record(name, run); },
                .on_restart =
                    [this](const std::string& name) {
                      if (peers.receivers().find(name) == nullptr) journal_server.end_standby();
                    }},
               log),
      shutdown_sequence({.children = children,
                         .desk = desk,
                         .guests = guests,
                         .peers = peers,
                         .players = players,
                         .launcher = launcher,
                         .revival = revival,
                         .journal_server = journal_server},
                        log, std::move(on_ended)),
      launch(loop),
      tick(loop) {
  users.watch([this] { journal_server.kept_changed(sail::kKeptPeople); });
  sources.watch_urls([this] { journal_server.kept_changed(sail::kKeptUrls); });
  tick.start(Director::kTickMs, Director::kTickMs, [this] {
    openings.tick();
    desk.tick();
    sound.tick();
    groups.evaluate();
    thumbnails.deliver();
    shutdown_sequence.tick();
  });
}

sail::Json FsManager::House::kept(const std::string& name) const {
  // If the file is damaged, the standby keeps its own copy of the people.
  if (name == sail::kKeptPeople && users.damage().empty()) return users.people().json();
  if (name == sail::kKeptUrls) return {{sail::kKeptUrls, sources.urls_json()}};
  return nullptr;
}

Troubles FsManager::House::troubles() const {
  Troubles troubles{
      .disk = revival.disk_trouble(), .hanging = players.hanging(), .damaged = revival.damage()};
  for (const std::string& damage : {users.damage(), sources.damage(), options.term_damage}) {
    if (!damage.empty()) troubles.damaged.push_back(damage);
  }
  troubles.opening = players.opening();
  return troubles;
}

void FsManager::House::receiver_changed(const ReceiverEntry& receiver) {
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

void FsManager::House::fenced(uint64_t term) {
  log.error(
      "another manager with term {} took over this wall (own term: {}). This manager exits; the "
      "programs that it started keep running",
      term, options.term);
  if (options.on_fenced) options.on_fenced(term);
}

void FsManager::House::peer_left(const sail::ServicePeer& peer) {
  overlay.client_left(peer.id());
  thumbnails.client_left(peer.id());
  snapshots.client_left(peer.id());
  clocks.peer_left(peer.id());
  figures.peer_left(peer.id());
  journal_server.peer_left(peer.id());
  openings.application_left(peer.id());
  players.cut_off(peer.key_name());
  lost.peer_left(peer);
  recorders.peer_left(peer);
  desk.owner_left(peer.id(), peer.fell_silent());
}

sail::Result<void> FsManager::House::start_page() {
  if (!options.page) return {};
  std::optional<sail::TrustedProxy> proxy;
  if (const auto& place = options.wall.proxy) proxy = {place->from, place->header};
  auto started = Web::start(
      loop,
      {.listen = *options.page,
       .certificate = options.page_certificate,
       .proxy = std::move(proxy),
       .max_sockets = options.max_unauthenticated + 2 * options.max_peers,
       .previews = {.program = options.poster_program}},
      sources, films, peers.service(),
      {.on_socket = [this](auto channel) { peers.service().accept(std::move(channel)); },
       .on_descriptors_exhausted =
           [this](const sail::Error& why) { peers.service().note_descriptors_exhausted(why); },
       .metrics =
           [this] {
             return metrics_text(figures.totals(), desk, peers, figures.health()) +
                    process_metrics_text();
           },
       .health = [this] { return figures.health().grade(); },
       .standby_page = [this] { return peers.standby_page(); }},
      log);
  if (started) {
    web = std::move(*started);
    return {};
  }
  if (started.error().code != sail::ErrorCode::kConflict) return started.error();
  if (options.page_may_lack) {
    log.warning(
        "cannot serve the page: {}; another manager may use its port, choose another one with "
        "--page",
        started.error().message);
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format(
          "the page's port {} on {} is in use: choose another one with --page, or --page off",
          options.page->port, options.page->host));
}

// Not on loopback, which others cannot reach, and not without a key, which identifies the wall.
void FsManager::House::announce() {
  if (!options.announce || options.key.secret.empty() || sail::is_loopback(listen.host)) return;
  announcement.emplace(options.wall.name, listen, log);
}

void FsManager::House::launch_receivers() {
  const ReceiverStart start{.program = options.receiver_program,
                            .display = options.display,
                            .node = start_at(listen, key_named(options.key, "receiver"))};
  for (const sail::ReceiverPlace& place : options.wall.receivers) {
    launcher.launch(place.name, [place, start] {
      return node_command(receiver_program(place, start), start.node);
    });
  }
}

// The standby gets the whole key, because it will be the manager.
void FsManager::House::launch_standby() {
  if (!options.wall.standby) return;
  StandbyStart start{.program = options.standby_program,
                     .options = options.standby_options,
                     .page = {},
                     .certificate = {},
                     .node = start_at(listen, options.key)};
  if (web) start.page = web->address();
  if (options.page_certificate) start.certificate = options.page_certificate->files();
  launcher.launch(sail::StandbyPlace::kName,
                  [place = *options.wall.standby, start] { return standby_command(place, start); });
}

void FsManager::House::launch_all() {
  launch_receivers();
  launch_standby();
}

void FsManager::House::watch_former(const sail::Address& at) {
  former.emplace(
      loop, at, options.term, [this](uint64_t term) { fenced(term); }, log);
}

FsManager::~FsManager() = default;

sail::Result<std::unique_ptr<FsManager>> FsManager::start(sail::Loop& loop,
                                                          FsManagerOptions options,
                                                          const sail::Log& log,
                                                          std::function<void()> on_ended) {
  std::unique_ptr<FsManager> manager(new FsManager());
  auto listener = sail::RpcService::listen(
      loop, options.listen,
      {.server = "manager",
       .when_in_use = "another vitrail-manager may be running (see `vitrail ls`)",
       .key = options.key,
       .tls = options.tls},
      [&manager = *manager]() -> sail::RpcService& { return manager.house_->peers.service(); });
  if (!listener) return listener.error();
  if (auto added = add_app_commands(options.wall, options.commands); !added) return added.error();
  Users users =
      Users::load(options.state_folder.empty() ? "" : options.state_folder / "people.json");
  if (!users.damage().empty()) log.error("{}", users.damage());
  manager->listener_ = std::move(*listener);
  // An older version made this folder readable for everyone.
  if (std::filesystem::exists(options.state_folder)) {
    (void)sail::make_private_folder(options.state_folder);
  }
  manager->house_ = std::make_unique<House>(loop, std::move(options), std::move(users),
                                            manager->address(), log, std::move(on_ended));
  House& house = *manager->house_;
  if (auto page = house.start_page(); !page) return page.error();
  house.announce();
  if (house.options.former) house.watch_former(*house.options.former);
  constexpr int64_t kTheirWayMs = 5000;
  if (house.options.launch && house.options.took_over) {
    house.launch.start(kTheirWayMs, 0, [&house] { house.launch_all(); });
  } else if (house.options.launch) {
    house.launch_all();
  }
  if (!house.options.restore.empty()) house.revival.restore_at_start(house.options.restore);
  house.figures.evaluate();
  return manager;
}

std::optional<sail::Address> FsManager::page_address() const {
  if (!house_->web) return std::nullopt;
  return house_->web->address();
}

std::vector<std::string> FsManager::page_urls() const {
  if (!house_->web) return {};
  std::vector<std::string> urls = house_->web->urls_elsewhere();
  if (urls.empty()) urls.push_back(house_->web->url("localhost"));
  return urls;
}

const Desk& FsManager::desk() const {
  return house_->desk;
}

const Peers& FsManager::peers() const {
  return house_->peers;
}

const WallOverlay& FsManager::overlay() const {
  return house_->overlay;
}

void FsManager::shut_down() {
  house_->shutdown_sequence.begin();
}

}  // namespace manager
