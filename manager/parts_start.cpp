// What a manager does once its parts are connected.
#include <fmt/core.h>

#include <string>
#include <utility>

#include "manager/desk/window_file.h"
#include "manager/monitor/figures.h"
#include "manager/parts.h"
#include "manager/programs/node_command.h"
#include "sail/core/auth/wall_key.h"

namespace manager {

sail::Result<void> FsManager::Parts::start() {
  if (auto page = start_page(); !page) return page;
  announce();
  // Programs of the replaced manager get this time to connect again.
  constexpr int64_t kReconnectMs = 5000;
  if (options.lease) watch_quorum();
  if (options.former) watch_former(*options.former);
  if (options.took_over) {
    launch.start(kReconnectMs, 0, [this] { launch_all(); });
  } else {
    launch_all();
  }
  if (!options.restore.empty()) restore.restore_at_start(options.restore);
  journal_server.history_restored(desk.arrangement().history());
  if (options.restore == Autosave::kName) {
    (void)archive.saved(SavedKind::kSession).load(options.restore).map([&](const SavedWall& wall) {
      events.resume(wall.events);
      tours.resume(wall.tours);
    });
  }
  power.resume();
  figures.evaluate();
  return {};
}

sail::Result<void> FsManager::Parts::start_page() {
  if (!options.page) return {};
  std::optional<sail::TrustedProxy> proxy;
  if (const auto& place = options.wall.proxy) {
    proxy = {place->from, place->header, place->groups_header};
  }
  auto started = Web::start(
      loop,
      {.listen = *options.page,
       .certificate = options.page_certificate,
       .proxy = std::move(proxy),
       .max_sockets = options.max_unauthenticated + 2 * options.max_peers,
       .previews = {.program = options.poster_program,
                    .file_of = [this](uint32_t window) { return file_in(desk, peers, window); }}},
      sources, films, peers.service(),
      {.on_socket = [this](auto channel) { peers.service().accept(std::move(channel)); },
       .on_descriptors_exhausted =
           [this](const sail::Error& why) { peers.service().note_descriptors_exhausted(why); },
       .metrics =
           [this] {
             return metrics_text(figures.totals(), desk, peers, figures.health()) +
                    webhook_metrics_text(webhooks) + process_metrics_text();
           },
       .health = [this] { return figures.health().grade(); },
       .standby_page = [this] { return peers.standby_page(); }},
      log);
  if (started) {
    web = std::move(*started);
    return {};
  }
  return without_page(started.error());
}

sail::Result<void> FsManager::Parts::without_page(const sail::Error& why) const {
  if (why.code != sail::ErrorCode::kConflict) return why;
  if (options.page_is_optional) {
    log.warning(
        "cannot serve the page: {}; another manager may use its port, choose another one with "
        "--page",
        why.message);
    return {};
  }
  return sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format(
          "the page's port {} on {} is in use: choose another one with --page, or --page off",
          options.page->port, options.page->host));
}

// Announces nothing on loopback, which others cannot reach, or without a key, which identifies the
// wall.
void FsManager::Parts::announce() {
  if (!options.announce || options.key.secret.empty() || sail::is_loopback(listen.host)) return;
  announcement.emplace(options.wall.name, listen, log);
}

void FsManager::Parts::launch_receivers() {
  const ReceiverStart start{.program = options.receiver_program,
                            .display = options.display,
                            .node = start_at(key_named(options.key, "receiver"))};
  for (const sail::ReceiverPlace& place : options.wall.receivers) {
    launcher.launch(place.name, [place, start, power = node_power(options.wall, place.name)] {
      return node_command(receiver_program(place, start, power), start.node);
    });
  }
}

// The standby gets the whole key, because it may become the manager.
void FsManager::Parts::launch_standby() {
  if (!options.wall.standby) return;
  StandbyStart start{.program = options.standby_program,
                     .options = options.standby_options,
                     .page = {},
                     .certificate = {},
                     .node = start_at(options.key)};
  if (web) start.page = web->address();
  if (options.page_certificate) start.certificate = options.page_certificate->files();
  launcher.launch(sail::StandbyPlace::kName,
                  [place = *options.wall.standby, start] { return standby_command(place, start); });
}

void FsManager::Parts::launch_webhooks() {
  if (options.wall.webhooks.empty()) return;
  NodeProgram program;
  program.node = Webhooks::kProgram;
  program.words = {options.hooks_program};
  launcher.launch(Webhooks::kProgram,
                  [program, start = start_at(key_named(options.key, "admin/webhooks"))] {
                    return node_command(program, start);
                  });
}

void FsManager::Parts::launch_all() {
  if (options.launch) {
    launch_receivers();
    launch_standby();
  }
  launch_webhooks();
}

void FsManager::Parts::watch_quorum() {
  ruling.emplace(loop, options.lease, options.term, options.voted_ns, journal_server,
                 Ruling::Handlers{.on_trouble = [this] { figures.evaluate(); },
                                  .on_lost = [this] { lost_quorum(); },
                                  .on_outrun = [this](uint64_t term) { fenced(term); }});
}

void FsManager::Parts::watch_former(const sail::Address& at) {
  former.emplace(
      loop, at, options.term, [this](uint64_t term) { fenced(term); }, log);
}

}  // namespace manager
