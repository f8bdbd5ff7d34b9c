#include "manager/fs_manager.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "manager/saved_history.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/base/private_file.h"
#include "sail/base/token.h"
#include "sail/net/wall_token.h"
#include "sail/wire/limits.h"

namespace manager {

sail::Result<std::unique_ptr<FsManager>> FsManager::start(sail::Loop& loop,
                                                          FsManagerOptions options,
                                                          const sail::Log& log,
                                                          std::function<void()> on_ended) {
  if (options.token.size() + sail::kTokenMarkBytes > sail::kMaxTokenLength) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the token (VITRAIL_TOKEN) is longer than {} bytes",
                                  sail::kMaxTokenLength - sail::kTokenMarkBytes));
  }
  // What an older version left there was for everybody to read.
  if (std::filesystem::exists(options.state_folder)) {
    (void)sail::make_private_folder(options.state_folder);
  }
  std::unique_ptr<FsManager> manager(
      new FsManager(loop, std::move(options), log, std::move(on_ended)));
  const sail::Address& at = manager->options_.listen;
  auto listener = sail::TcpListener::listen(
      loop, at,
      [self = manager.get()](auto connection) {
        self->accept(sail::tcp_channel(std::move(connection)));
      },
      [self = manager.get()](const sail::Error& why) { self->note_starved(why); });
  if (!listener && listener.error().code == sail::ErrorCode::kConflict) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("port {} on {} is in use: another vitrail-manager may be running "
                                  "(see `vitrail ls`), or choose another with --listen",
                                  at.port, at.host));
  }
  if (!listener) return listener.error();
  if (auto page = manager->start_page(); !page) return page.error();
  manager->listening(std::move(*listener));
  return manager;
}

FsManager::FsManager(sail::Loop& loop, FsManagerOptions options, const sail::Log& log,
                     std::function<void()> on_ended)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      on_ended_(std::move(on_ended)),
      tile_gaps_(manager::tile_gaps(options_.wall)),
      arrangement_(options_.wall.size),
      roster_(options_.wall),
      director_(options_.wall, arrangement_.windows()),
      overlay_(loop, options_.wall, overlay_handlers()),
      tick_(loop),
      publish_(loop),
      figures_timer_(loop),
      identify_(loop),
      snapshots_(loop),
      children_(loop),
      sources_(std::make_unique<SourceLibrary>(
          loop,
          SourceLibrary::Options{.media = options_.media,
                                 .uploads = options_.uploads,
                                 .state = options_.state_folder,
                                 .commands = options_.commands,
                                 .poster_program = options_.poster_program},
          log_)),
      saved_layouts_(std::make_unique<SavedWalls>(options_.state_folder, SavedKind::kLayout,
                                                  options_.wall.size, log_)),
      saved_sessions_(std::make_unique<SavedWalls>(options_.state_folder, SavedKind::kSession,
                                                   options_.wall.size, log_)),
      return_(loop),
      rare_log_(log_),
      tokens_(options_.token),
      group_(loop, {.hello_ms = options_.times.hello_ms, .max_strangers = options_.max_strangers}) {
}

FsManager::~FsManager() = default;

sail::Result<void> FsManager::start_page() {
  if (!options_.page) return {};
  auto web = Web::start(loop_,
                        {.listen = *options_.page,
                         .max_sockets = options_.max_strangers + 2 * options_.max_peers,
                         .previews = {.program = options_.poster_program}},
                        *sources_, tokens_,
                        {.on_socket = [this](auto channel) { accept(std::move(channel)); },
                         .on_starved = [this](const sail::Error& why) { note_starved(why); }},
                        log_);
  if (web) {
    web_ = std::move(*web);
    return {};
  }
  if (web.error().code != sail::ErrorCode::kConflict) return web.error();
  if (options_.page_may_lack) {
    log_.warning("no page: {}; another manager may have it, choose another port with --page",
                 web.error().message);
    return {};
  }
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("port {} on {}, where the page is to be, is in use: choose another "
                                "with --page, or --page off",
                                options_.page->port, options_.page->host));
}

std::optional<sail::Address> FsManager::page_address() const {
  if (!web_) return std::nullopt;
  return web_->address();
}

void FsManager::listening(std::unique_ptr<sail::TcpListener> listener) {
  listener_ = std::move(listener);
  const std::string manager = sail::address_text(sail::address_for_this_host(listener_->address()));
  players_ = std::make_unique<Players>(loop_, children_,
                                       Players::Options{.program = options_.player_program,
                                                        .show_program = options_.show_program,
                                                        .manager = manager,
                                                        .token = options_.token,
                                                        .commands = options_.commands,
                                                        .film_servers = options_.film_servers,
                                                        .at_end = options_.at_end,
                                                        .patience_ms = options_.times.play_ms});
  relauncher_ = std::make_unique<Relauncher>(
      *players_,
      [this](const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order) {
        bring_back(saved, number, order);
        resume_playback(saved, number);
      });
  autosave_ = std::make_unique<Autosave>(
      loop_, *saved_sessions_,
      Autosave::Handlers{.wall =
                             [this] {
                               SavedWall wall = with_pictures(saved_now());
                               wall.history = to_json(arrangement_.history());
                               return wall;
                             },
                         .told = [this] { part_changed(StatePart::kSessions); },
                         .notice = [this](const std::string& sentence) { notice(sentence); }});
  tick_.start(Director::kTickMs, Director::kTickMs, [this] { on_tick(); });
  health_.look(wall(), windows(), roster_, "");
  figures_timer_.start(FigureFeed::kEveryMs, FigureFeed::kEveryMs, [this] {
    publish_figures();
    rare_log_.settle(sail::steady_now_ns());
  });
  if (options_.launch) launch_receivers(manager);
  if (!options_.restore.empty()) restore_at_start(options_.restore);
}

void FsManager::launch_receivers(const std::string& manager) {
  launcher_ = std::make_unique<ReceiverLauncher>(
      loop_, children_,
      ReceiverLauncher::Options{
          .program = options_.receiver_program,
          .manager = manager,
          .token = options_.token,
          .display = options_.display,
          .record = sail::process_record_file(options_.run_folder, manager, sail::kReceiversRecord),
          .is_connected =
              [this](const std::string& name) { return roster_.find(name)->connected(); }},
      log_);
  for (const ReceiverEntry& entry : roster_.all()) {
    if (entry.local) {
      launcher_->launch(entry.name);
    } else {
      log_.info(
          "receiver '{}' belongs on {}; run there: vitrail-receiver --manager HOST:{} "
          "--name {} (HOST: this machine's address)",
          entry.name, entry.place, listener_->address().port, entry.name);
    }
  }
}

void FsManager::accept(std::unique_ptr<sail::MessageChannel> channel) {
  const uint64_t id = next_session_++;
  sessions_.emplace(id, std::make_unique<Session>(*this, group_, id, std::move(channel)));
}

void FsManager::note_starved(const sail::Error& why) {
  rare_log_.warning("descriptors", "", sail::steady_now_ns(), "{}", why.message);
  group_.make_room();
}

sail::Result<void> FsManager::check_hello(const sail::Hello& hello) const {
  if (hello.protocol != sail::kControlProtocol) {
    return sail::fail(sail::ErrorCode::kUnsupportedProtocol,
                      fmt::format("this manager speaks control protocol {}, not {}",
                                  sail::kControlProtocol, hello.protocol));
  }
  // Receivers are as many as the wall has, however many others come.
  const auto others = std::count_if(sessions_.begin(), sessions_.end(), [&](const auto& session) {
    return session.second->role() == hello.role;
  });
  if (hello.role != sail::Role::kReceiver && static_cast<size_t>(others) >= options_.max_peers) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} peers with the role '{}' are connected, no more are let in",
                                  others, role_name(hello.role)));
  }
  return {};
}

void FsManager::admit(Session& session, const sail::Hello& hello,
                      const sail::RpcPeer::Reply& reply) {
  const auto token =
      tokens_.judge(hello.token, session.peer().peer_address().host, sail::steady_now_ns());
  if (token.wrong) {
    session.peer().refuse(reply, *token.wrong, token.delay_ms);
  } else if (auto checked = check_hello(hello); !checked) {
    session.peer().refuse(reply, checked.error());
  } else if (hello.role == sail::Role::kReceiver) {
    admit_receiver(session, hello, reply);
  } else if (hello.role == sail::Role::kUi) {  // a person with a bare connection sends no pings
    sail::Json welcome = welcome_json(options_.wall);
    welcome["client"] = session.id();
    welcome["colour"] = clients_.add(session.id(), hello.name, hello.colour).colour;
    welcome["page"] = web_ ? web_->url(session.peer().local_address().host) : "";
    session.welcome(reply, std::move(welcome));
  } else {
    session.welcome(reply, welcome_json(options_.wall));
    session.peer().keep_alive();
    log_.info("{} connected", session.text());
  }
}

void FsManager::admit_receiver(Session& session, const sail::Hello& hello,
                               const sail::RpcPeer::Reply& reply) {
  ReceiverEntry* entry = roster_.find(hello.name);
  if (entry == nullptr) {
    session.peer().refuse(reply, {sail::ErrorCode::kNotFound,
                                  fmt::format("the wall '{}' has no receiver '{}': it has {}",
                                              options_.wall.name, hello.name, roster_.names())});
  } else if (hello.data_port == 0) {
    session.peer().refuse(
        reply, {sail::ErrorCode::kInvalidParams, "hello: 'data_port' of a receiver is 1 to 65535"});
  } else if (!entry->connected()) {
    welcome_receiver(session, *entry, hello, reply);
  } else {
    session.peer().refuse(
        reply, {sail::ErrorCode::kConflict,
                fmt::format("a receiver named '{}' is connected already: end that one first, or "
                            "start this one with another --name",
                            entry->name)});
  }
}

void FsManager::welcome_receiver(Session& session, ReceiverEntry& entry, const sail::Hello& hello,
                                 const sail::RpcPeer::Reply& reply) {
  entry.session = session.id();
  entry.address = session.peer().peer_address().host;
  entry.data_port = hello.data_port;
  entry.codecs = hello.codecs;
  sail::Json welcome = welcome_json(options_.wall);
  welcome.update(to_json(receiver_welcome(options_.wall, entry.name)));
  session.welcome(reply, std::move(welcome));
  session.peer().keep_alive();
  log_.info("{} connected", session.text());
  receiver_changed(entry.name);
  overlay_.receiver_joined(entry.name);
  director_.receiver_joined(entry.name, entry.address, entry.data_port, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::receiver_gone(ReceiverEntry& entry) {
  entry.session = 0;
  entry.address.clear();
  entry.data_port = 0;
  entry.stats.reset();
  receiver_changed(entry.name);
  overlay_.receiver_left(entry.name);
  director_.receiver_left(entry.name, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::end_session(uint64_t id, std::string_view why) {
  const auto ended = sessions_.extract(id);
  if (ended.empty()) return;
  Session& session = *ended.mapped();
  if (!session.role()) {
    rare_log_.warning("not let in", sail::network_of(session.peer().peer_address().host),
                      sail::steady_now_ns(), "{} was not let in: {}", session.text(), why);
    return;
  }
  if (session.role() != sail::Role::kUi) log_.info("{} left: {}", session.text(), why);
  subscribers_.remove(id);
  if (clients_.remove(id)) part_changed(StatePart::kClients);
  overlay_.client_left(id);
  thumbnails_.client_left(id);
  snapshots_.client_left(id);
  ask_for_thumbnails();
  if (session.role() == sail::Role::kReceiver) receiver_gone(*roster_.find(session.name()));
  for (const uint32_t number : windows().owned_by(id)) remove_window(number);
}

Session* FsManager::find_session(uint64_t id) {
  const auto it = sessions_.find(id);
  return it == sessions_.end() ? nullptr : it->second.get();
}

void FsManager::on_tick() {
  director_.tick(sail::steady_now_ns());
  carry_out_orders();
  deliver_thumbnails();
  if (ending_since_ns_ != 0) continue_shutdown();
}

void FsManager::shut_down() {
  if (ending_since_ns_ != 0) return;
  log_.info("ending: closing {} windows", windows().bottom_to_top().size());
  ending_since_ns_ = sail::steady_now_ns();
  autosave_->write();
  autosave_->hold(true);
  if (launcher_) launcher_->stop();
  players_->stop();
  for (const Window& window : windows().bottom_to_top()) send_event(window, "close", 0);
}

void FsManager::end_programs(int signal) {
  children_.signal_all(signal);
  if (launcher_) launcher_->signal_former(signal);
}

// Each step waits for what it asked for, but not for ever.
void FsManager::continue_shutdown() {
  constexpr int64_t kApplicationsNs = 1'000'000'000;
  constexpr int64_t kChildrenNs = 3'000'000'000;
  const int64_t waited_ns = sail::steady_now_ns() - ending_since_ns_;
  if (!windows().bottom_to_top().empty() && waited_ns < kApplicationsNs) return;
  const bool programs_run = !children_.empty() || (launcher_ && launcher_->former_run());
  if ((programs_run || autosave_->writing()) && waited_ns < kChildrenNs) {
    if (!children_told_) end_programs(SIGTERM);
    children_told_ = true;
    return;
  }
  end_programs(SIGKILL);
  tick_.stop();
  const auto on_ended = std::move(on_ended_);  // which may destroy this
  on_ended();
}

}  // namespace manager
