#include "manager/fs_manager.h"

#include <fmt/core.h>

#include <csignal>

#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/base/private_file.h"
#include "sail/net/wall_token.h"
#include "sail/wire/limits.h"
#include "sail/wire/marked_token.h"

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
  auto listener = sail::TcpListener::listen(loop, at, [self = manager.get()](auto connection) {
    self->accept(sail::tcp_channel(std::move(connection)));
  });
  if (!listener && listener.error().code == sail::ErrorCode::kConflict) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("port {} on {} is in use: another vitrail-manager may be running "
                                  "(see `vitrail ls`), or choose another with --listen",
                                  at.port, at.host));
  }
  if (!listener) return tl::make_unexpected(listener.error());
  if (auto page = manager->start_page(); !page) return tl::make_unexpected(page.error());
  manager->listening(std::move(*listener));
  return manager;
}

FsManager::FsManager(sail::Loop& loop, FsManagerOptions options, const sail::Log& log,
                     std::function<void()> on_ended)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      on_ended_(std::move(on_ended)),
      arrangement_(options_.wall.size),
      roster_(options_.wall),
      director_(options_.wall, arrangement_.windows()),
      overlay_(loop, options_.wall, overlay_handlers()),
      tick_(loop),
      publish_(loop),
      figures_timer_(loop),
      identify_(loop),
      children_(loop),
      sources_(
          std::make_unique<SourceLibrary>(loop,
                                          SourceLibrary::Options{.media = options_.media,
                                                                 .uploads = options_.uploads.folder,
                                                                 .state = options_.state_folder,
                                                                 .commands = options_.commands},
                                          log_)),
      saved_layouts_(std::make_unique<SavedWalls>(options_.state_folder, SavedKind::kLayout,
                                                  options_.wall.size, log_)),
      saved_sessions_(std::make_unique<SavedWalls>(options_.state_folder, SavedKind::kSession,
                                                   options_.wall.size, log_)),
      return_(loop) {}

FsManager::~FsManager() = default;

sail::Result<void> FsManager::start_page() {
  if (!options_.page) return {};
  auto web = Web::start(loop_,
                        {.listen = *options_.page,
                         .token = options_.token,
                         .max_sockets = options_.max_peers,
                         .uploads = options_.uploads,
                         .previews = {.program = options_.poster_program}},
                        *sources_,
                        {.on_socket = [this](auto channel) { accept(std::move(channel)); },
                         .on_upload =
                             [this](const std::string& name) {
                               sources_->changed_on_disk();
                               return SourceLibrary::upload_id(name);
                             }},
                        log_);
  if (web) {
    web_ = std::move(*web);
    return {};
  }
  if (web.error().code != sail::ErrorCode::kConflict) return tl::make_unexpected(web.error());
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
                                                        .patience_ms = options_.times.play_ms});
  relauncher_ = std::make_unique<Relauncher>(
      *players_,
      [this](const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order) {
        bring_back(saved, number, order);
        resume_playback(saved, number);
      });
  autosave_ = std::make_unique<Autosave>(
      loop_, *saved_sessions_,
      Autosave::Handlers{.wall = [this] { return with_pictures(saved_now()); },
                         .told = [this] { part_changed(StatePart::kSessions); },
                         .notice = [this](const std::string& sentence) { notice(sentence); }});
  tick_.start(Director::kTickMs, Director::kTickMs, [this] { on_tick(); });
  figures_timer_.start(FigureFeed::kEveryMs, FigureFeed::kEveryMs, [this] { publish_figures(); });
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
  if (sessions_.size() >= options_.max_peers) {
    if (!full_logged_) {
      log_.warning("{} peers are connected: more are turned away", options_.max_peers);
    }
    full_logged_ = true;
    return;
  }
  const uint64_t id = next_session_++;
  sessions_.emplace(id, std::make_unique<Session>(*this, loop_, id, std::move(channel)));
}

sail::Result<void> FsManager::check_hello(const sail::Hello& hello) const {
  if (hello.protocol != sail::kControlProtocol) {
    return sail::fail(sail::ErrorCode::kUnsupportedProtocol,
                      fmt::format("this manager speaks control protocol {}, not {}",
                                  sail::kControlProtocol, hello.protocol));
  }
  if (!options_.token.empty() && !sail::is_token_or_marked(hello.token, options_.token)) {
    return sail::fail(sail::ErrorCode::kUnauthorized,
                      "the token is missing or wrong: set VITRAIL_TOKEN to the manager's");
  }
  return {};
}

void FsManager::admit(Session& session, const sail::Hello& hello,
                      const sail::RpcPeer::Reply& reply) {
  if (auto checked = check_hello(hello); !checked) {
    session.answer_hello(reply, tl::make_unexpected(checked.error()));
  } else if (hello.role == sail::Role::kReceiver) {
    admit_receiver(session, hello, reply);
  } else if (hello.role == sail::Role::kUi) {  // a person with a bare connection sends no pings
    sail::Json welcome = welcome_json(options_.wall);
    welcome["client"] = session.id();
    welcome["colour"] = clients_.add(session.id(), hello.name, hello.colour).colour;
    welcome["page"] = web_ ? web_->url(session.peer().local_address().host) : "";
    session.answer_hello(reply, std::move(welcome));
  } else {
    session.answer_hello(reply, welcome_json(options_.wall));
    session.peer().keep_alive();
    log_.info("{} connected", session.text());
  }
}

void FsManager::admit_receiver(Session& session, const sail::Hello& hello,
                               const sail::RpcPeer::Reply& reply) {
  ReceiverEntry* entry = roster_.find(hello.name);
  if (entry == nullptr) {
    session.answer_hello(reply,
                         sail::fail(sail::ErrorCode::kNotFound,
                                    fmt::format("the wall '{}' has no receiver '{}': it has {}",
                                                options_.wall.name, hello.name, roster_.names())));
  } else if (hello.data_port == 0) {
    session.answer_hello(reply, sail::fail(sail::ErrorCode::kInvalidParams,
                                           "hello: 'data_port' of a receiver is 1 to 65535"));
  } else if (!entry->connected()) {
    welcome_receiver(session, *entry, hello, reply);
  } else {
    session.answer_hello(
        reply,
        sail::fail(sail::ErrorCode::kConflict,
                   fmt::format("a receiver named '{}' is connected already: end that one first, or "
                               "start this one with another --name",
                               entry->name)));
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
  session.answer_hello(reply, std::move(welcome));
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
  const Session& session = *ended.mapped();
  if (session.role() != sail::Role::kUi) log_.info("{} left: {}", session.text(), why);
  subscribers_.remove(id);
  if (clients_.remove(id)) part_changed(StatePart::kClients);
  overlay_.client_left(id);
  thumbnails_.client_left(id);
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
