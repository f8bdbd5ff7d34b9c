#include "manager/fs_manager.h"

#include <fmt/core.h>

#include <csignal>

#include "manager/secrets.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/wire/limits.h"

namespace manager {
namespace {

// The address by which programs of this host reach a manager that listens there.
sail::Address for_this_host(sail::Address address) {
  if (address.host == "0.0.0.0") address.host = "127.0.0.1";
  if (address.host == "::") address.host = "::1";
  return address;
}

}  // namespace

sail::Result<std::unique_ptr<FsManager>> FsManager::start(sail::Loop& loop,
                                                          FsManagerOptions options,
                                                          const sail::Log& log,
                                                          std::function<void()> on_ended) {
  if (options.token.size() + kTokenMarkBytes > sail::kMaxTokenLength) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the token (VITRAIL_TOKEN) is longer than {} bytes",
                                  sail::kMaxTokenLength - kTokenMarkBytes));
  }
  std::unique_ptr<FsManager> manager(
      new FsManager(loop, std::move(options), log, std::move(on_ended)));
  const sail::Address& at = manager->options_.listen;
  auto listener = sail::TcpListener::listen(
      loop, at, [self = manager.get()](auto connection) { self->accept(std::move(connection)); });
  if (!listener && listener.error().code == sail::ErrorCode::kConflict) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("port {} on {} is in use: another vitrail-manager may be running "
                                  "(see `vitrail ls`), or choose another with --listen",
                                  at.port, at.host));
  }
  if (!listener) return tl::make_unexpected(listener.error());
  manager->listening(std::move(*listener));
  return manager;
}

FsManager::FsManager(sail::Loop& loop, FsManagerOptions options, const sail::Log& log,
                     std::function<void()> on_ended)
    : loop_(loop),
      options_(std::move(options)),
      log_(log),
      on_ended_(std::move(on_ended)),
      roster_(options_.wall),
      director_(options_.wall, windows_),
      tick_(loop),
      publish_(loop),
      figures_timer_(loop),
      identify_(loop),
      children_(loop) {}

FsManager::~FsManager() = default;

void FsManager::listening(std::unique_ptr<sail::TcpListener> listener) {
  listener_ = std::move(listener);
  const std::string manager = sail::address_text(for_this_host(listener_->address()));
  players_ = std::make_unique<Players>(loop_, children_,
                                       Players::Options{.program = options_.player_program,
                                                        .manager = manager,
                                                        .token = options_.token,
                                                        .patience_ms = options_.times.play_ms});
  tick_.start(Director::kTickMs, Director::kTickMs, [this] { on_tick(); });
  figures_timer_.start(FigureFeed::kEveryMs, FigureFeed::kEveryMs, [this] { publish_figures(); });
  if (options_.launch) launch_receivers(manager);
}

void FsManager::launch_receivers(const std::string& manager) {
  launcher_ = std::make_unique<ReceiverLauncher>(
      loop_, children_,
      ReceiverLauncher::Options{
          .program = options_.receiver_program,
          .manager = manager,
          .token = options_.token,
          .display = options_.display,
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

void FsManager::accept(std::unique_ptr<sail::TcpConnection> connection) {
  if (sessions_.size() >= options_.max_peers) {
    if (!full_logged_) {
      log_.warning("{} peers are connected: more are turned away", options_.max_peers);
    }
    full_logged_ = true;
    return;
  }
  const uint64_t id = next_session_++;
  sessions_.emplace(id, std::make_unique<Session>(*this, loop_, id, std::move(connection)));
}

sail::Result<void> FsManager::check_hello(const sail::Hello& hello) const {
  if (hello.protocol != sail::kControlProtocol) {
    return sail::fail(sail::ErrorCode::kUnsupportedProtocol,
                      fmt::format("this manager speaks control protocol {}, not {}",
                                  sail::kControlProtocol, hello.protocol));
  }
  if (!options_.token.empty() && !is_token_or_marked(hello.token, options_.token)) {
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
  } else {
    session.answer_hello(reply, welcome_json(options_.wall));
    if (hello.role == sail::Role::kUi) return;  // a person with a bare connection sends no pings
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
  director_.receiver_joined(entry.name, entry.address, entry.data_port, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::receiver_gone(ReceiverEntry& entry) {
  entry.session = 0;
  entry.address.clear();
  entry.data_port = 0;
  entry.stats.reset();
  receiver_changed(entry.name);
  director_.receiver_left(entry.name, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::end_session(uint64_t id, std::string_view why) {
  const auto ended = sessions_.extract(id);
  if (ended.empty()) return;
  const Session& session = *ended.mapped();
  if (session.role() != sail::Role::kUi) log_.info("{} left: {}", session.text(), why);
  subscribers_.remove(id);
  thumbnails_.client_left(id);
  ask_for_thumbnails();
  if (session.role() == sail::Role::kReceiver) receiver_gone(*roster_.find(session.name()));
  for (const uint32_t number : windows_.owned_by(id)) remove_window(number);
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
  log_.info("ending: closing {} windows", windows_.bottom_to_top().size());
  ending_since_ns_ = sail::steady_now_ns();
  if (launcher_) launcher_->stop();
  players_->stop();
  for (const Window& window : windows_.bottom_to_top()) send_event(window, "close", 0);
}

// Each step waits for what it asked for, but not for ever.
void FsManager::continue_shutdown() {
  constexpr int64_t kApplicationsNs = 1'000'000'000;
  constexpr int64_t kChildrenNs = 3'000'000'000;
  const int64_t waited_ns = sail::steady_now_ns() - ending_since_ns_;
  if (!windows_.bottom_to_top().empty() && waited_ns < kApplicationsNs) return;
  if (!children_.empty() && waited_ns < kChildrenNs) {
    if (!children_told_) children_.signal_all(SIGTERM);
    children_told_ = true;
    return;
  }
  children_.signal_all(SIGKILL);
  tick_.stop();
  const auto on_ended = std::move(on_ended_);  // which may destroy this
  on_ended();
}

}  // namespace manager
