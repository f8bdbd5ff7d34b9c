#include "manager/fs_manager.h"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>

#include "manager/arrange.h"
#include "manager/secrets.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/wire/limits.h"
#include "sail/wire/rpc.h"

namespace manager {
namespace {

// How long an application has to close its stream.
constexpr int64_t kClosePatienceMs = 2000;
// What the receivers of this release decode.
constexpr const char* kCodec = "dxt1";

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
      identify_(loop),
      children_(loop) {}

FsManager::~FsManager() = default;

void FsManager::listening(std::unique_ptr<sail::TcpListener> listener) {
  listener_ = std::move(listener);
  const std::string manager = sail::address_text(for_this_host(listener_->address()));
  players_ = std::make_unique<Players>(loop_, children_, options_.player_program, manager);
  tick_.start(Director::kTickMs, Director::kTickMs, [this] { on_tick(); });
  if (options_.launch) launch_receivers(manager);
}

void FsManager::launch_receivers(const std::string& manager) {
  launcher_ = std::make_unique<ReceiverLauncher>(
      loop_, children_,
      ReceiverLauncher::Options{
          .program = options_.receiver_program, .manager = manager, .display = options_.display},
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

// --- sessions

void FsManager::accept(std::unique_ptr<sail::TcpConnection> connection) {
  if (sessions_.size() >= sail::kMaxPeers) {
    if (!full_logged_) {
      log_.warning("{} peers are connected: more are turned away", sail::kMaxPeers);
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
  if (!options_.token.empty() && !same_token(hello.token, options_.token) &&
      !players_->knows(hello.token)) {
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
  sail::Json welcome = welcome_json(options_.wall);
  welcome.update(to_json(receiver_welcome(options_.wall, entry.name)));
  session.answer_hello(reply, std::move(welcome));
  session.peer().keep_alive();
  log_.info("{} connected", session.text());
  changes_.receiver_changed(entry.name);
  director_.receiver_joined(entry.name, entry.address, entry.data_port, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::receiver_gone(ReceiverEntry& entry) {
  entry.session = 0;
  entry.address.clear();
  entry.data_port = 0;
  entry.stats.reset();
  changes_.receiver_changed(entry.name);
  director_.receiver_left(entry.name, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::end_session(uint64_t id, std::string_view why) {
  const auto ended = sessions_.extract(id);
  if (ended.empty()) return;
  const Session& session = *ended.mapped();
  if (session.role() != sail::Role::kUi) log_.info("{} left: {}", session.text(), why);
  subscribers_.erase(id);
  if (session.role() == sail::Role::kReceiver) receiver_gone(*roster_.find(session.name()));
  for (const uint32_t number : windows_.owned_by(id)) remove_window(number);
}

Session* FsManager::find_session(uint64_t id) {
  const auto it = sessions_.find(id);
  return it == sessions_.end() ? nullptr : it->second.get();
}

// --- windows

void FsManager::open_window(const Session& application, const sail::OpenStream& open,
                            const sail::RpcPeer::Reply& reply) {
  if (std::find(open.codecs.begin(), open.codecs.end(), kCodec) == open.codecs.end()) {
    reply(sail::fail(sail::ErrorCode::kInvalidParams,
                     fmt::format("open_stream: no codec in common: the receivers know '{}', "
                                 "offered: {}",
                                 kCodec, quoted_list(open.codecs))));
    return;
  }
  Window window;
  window.title = open.title;
  window.owner = application.id();
  window.owner_name = application.name();
  window.codec = kCodec;
  window.frame_size = open.frame_size;
  window.block_size = open.block_size;
  window.secret = random_secret();
  window.wall_rect = first_place(application, open);
  const auto opened = windows_.open(std::move(window));
  if (!opened) {
    reply(tl::make_unexpected(opened.error()));
    return;
  }
  const Window& added = **opened;
  const uint32_t number = added.number;
  log_.info("window {} '{}' opened by {}", number, added.title, application.text());
  // The application must know the stream's number when its routes come.
  reply(
      to_json(sail::StreamOpened{.stream = number, .secret = added.secret, .codec = added.codec}));
  window_changed(number);
  changes_.order_changed();
  layout_changed();
  players_->window_opened(application.token(), number);
}

sail::Rect FsManager::first_place(const Session& application, const sail::OpenStream& open) {
  if (const auto place = players_->take_place(application.token())) return *place;
  if (open.has_place) return open.place;
  std::vector<sail::Rect> others;
  for (const Window& window : windows_.bottom_to_top()) others.push_back(window.wall_rect);
  return place_new(options_.wall.size, others, open.frame_size);
}

void FsManager::remove_window(uint32_t number) {
  if (!windows_.remove(number)) return;
  changes_.window_removed(number);
  changes_pending();
  layout_changed();
  auto closing = closings_.extract(number);
  if (closing.empty()) return;
  for (const auto& done : closing.mapped().done) done(closing.mapped().forced);
}

sail::Result<void> FsManager::place_window(uint32_t number, const WideRect& place) {
  const auto wall_rect = window_place(place);
  if (!wall_rect) return tl::make_unexpected(wall_rect.error());
  Window* window = windows_.find(number);
  if (window->wall_rect == *wall_rect) return {};
  window->wall_rect = *wall_rect;
  window_changed(number);
  layout_changed();
  return {};
}

void FsManager::raise_window(uint32_t number) {
  if (windows_.raise(number)) restacked();
}

void FsManager::lower_window(uint32_t number) {
  if (windows_.lower(number)) restacked();
}

void FsManager::restacked() {
  changes_.order_changed();
  changes_pending();
  layout_changed();
}

void FsManager::arrange_windows() {
  std::vector<sail::Size> contents;
  for (const Window& window : windows_.bottom_to_top()) contents.push_back(window.frame_size);
  const std::vector<sail::Rect> places = arrange_grid(options_.wall.size, contents);
  for (size_t i = 0; i < places.size(); ++i) {
    const uint32_t number = windows_.bottom_to_top()[i].number;
    windows_.find(number)->wall_rect = places[i];
    window_changed(number);
  }
  layout_changed();
}

void FsManager::close_window(uint32_t number, std::function<void(bool forced)> done) {
  const auto [it, first] = closings_.try_emplace(number);
  it->second.done.push_back(std::move(done));
  if (!first) return;
  send_event(*windows_.find(number), "close", 0);
  it->second.patience = std::make_unique<sail::Timer>(loop_);
  it->second.patience->start(kClosePatienceMs, 0, [this, number] {
    closings_.at(number).forced = true;
    const uint64_t owner = windows_.find(number)->owner;
    remove_window(number);
    end_session(owner, fmt::format("it did not close window {} when asked", number));
  });
}

void FsManager::send_event(const Window& window, const std::string& type, double value) {
  if (Session* owner = find_session(window.owner)) {
    owner->peer().notify(
        "event", to_json(sail::AppEvent{.stream = window.number, .type = type, .value = value}));
  }
}

void FsManager::record_stats(uint32_t window, const sail::StreamStats& stats) {
  windows_.find(window)->stats = stats;
  window_changed(window);
}

void FsManager::record_stats(const Session& receiver, const sail::ReceiverStats& stats) {
  roster_.find(receiver.name())->stats = stats;
  changes_.receiver_changed(receiver.name());
  changes_pending();
}

// --- the layout and its subscribers

void FsManager::frame_ready(const Session& receiver, const sail::Ready& ready) {
  director_.ready(receiver.name(), ready, sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::identify(bool on, double seconds) {
  identify_.stop();
  director_.set_identify(on, sail::steady_now_ns());
  changes_.state_changed();
  changes_pending();
  carry_out_orders();
  if (!on || seconds <= 0) return;
  identify_.start(static_cast<int64_t>(seconds * 1000), 0, [this] { identify(false, 0); });
}

void FsManager::layout_changed() {
  director_.layout_changed(sail::steady_now_ns());
  carry_out_orders();
}

void FsManager::carry_out_orders() {
  for (const Order& order : director_.take_orders()) {
    std::visit([this](const auto& one) { carry_out(one); }, order);
  }
}

void FsManager::carry_out(const SendScene& order) {
  send_line(order.receivers, sail::notification_line("scene", to_json(order.scene)));
}

void FsManager::carry_out(const SendRoutes& order) {
  if (Session* owner = find_session(order.owner)) {
    owner->peer().notify("routes", to_json(order.routes));
  }
}

void FsManager::carry_out(const SendGo& order) {
  send_line(order.receivers, sail::notification_line("go", to_json(order.go)));
}

void FsManager::send_line(const std::vector<std::string>& receivers, const std::string& line) {
  for (const std::string& name : receivers) {
    if (Session* session = find_session(roster_.find(name)->session)) {
      session->peer().send_line(line);
    }
  }
}

void FsManager::window_changed(uint32_t number) {
  changes_.window_changed(number);
  changes_pending();
}

// Changes of one turn of the loop are told together.
void FsManager::changes_pending() {
  publish_.start(0, 0, [this] { publish_changes(); });
}

uint64_t FsManager::publish_changes() {
  for (const ChangeSet& set : changes_.take()) {
    if (subscribers_.empty()) continue;
    const std::string line = sail::notification_line("changed", changed_json(*this, set));
    for (const uint64_t id : subscribers_) find_session(id)->peer().send_line(line);
  }
  return changes_.revision();
}

void FsManager::on_tick() {
  director_.tick(sail::steady_now_ns());
  carry_out_orders();
  if (ending_since_ns_ != 0) continue_shutdown();
}

// --- the end

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
  on_ended_();
}

}  // namespace manager
