// The FsManager's windows and layout.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "manager/fs_manager.h"
#include "manager/placing.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/base/token.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/rpc.h"
#include "sail/wire/url_secret.h"

namespace manager {
sail::Result<std::string> FsManager::agreed_codec(const sail::OpenStream& open) const {
  const std::string codec = roster_.common_codec(open.codecs);
  if (codec.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("open_stream: no codec in common: the receivers know {}, "
                                  "offered: {}",
                                  quoted_list(roster_.common_codecs()), quoted_list(open.codecs)));
  }
  const bool scalable =
      sail::scaling_of(sail::parse_codec_name(codec)->id) == sail::Scaling::kBlock;
  if (scalable && (open.block_size.width % sail::kScalableBlockStep != 0 ||
                   open.block_size.height % sail::kScalableBlockStep != 0)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("open_stream: sides of blocks of {} are multiples of {}", codec,
                                  sail::kScalableBlockStep));
  }
  return codec;
}

// All but its numbers, its place and its content.
Window FsManager::window_for(const Session& application, const sail::OpenStream& open,
                             const std::string& codec) const {
  const codecs::CodecId id = sail::parse_codec_name(codec)->id;
  Window window;
  // What people and their logs are told: those who play it again have the content.
  window.title = sail::without_passwords(open.title);
  window.owner = application.id();
  window.owner_name = application.name();
  window.codec = codec;
  window.alpha = id == codecs::CodecId::kDxt5;
  window.scaling = sail::scaling_of(id);
  window.max_reduction = open.max_reduction;
  window.frame_size = open.frame_size;
  window.block_size = open.block_size;
  window.transport = open.transport.value_or(options_.wall.transport);
  window.secret = sail::random_secret();
  window.takes_input = open.takes_input;
  if (open.content) {
    std::ranges::transform(open.content->media, std::back_inserter(window.media),
                           sail::without_passwords);
  }
  return window;
}

void FsManager::open_stream(const Session& application, const sail::OpenStream& open,
                            const sail::RpcPeer::Reply& reply) {
  const auto codec = agreed_codec(open);
  if (!codec) {
    reply(codec.error());
    return;
  }
  const Window* former = windows().find_stream(open.replaces);
  if (former != nullptr && former->owner != application.id()) former = nullptr;
  if (open.replaces != 0 && former == nullptr) {
    reply(sail::fail(sail::ErrorCode::kNotFound,
                     fmt::format("open_stream: this application has no stream {} to be replaced",
                                 open.replaces)));
    return;
  }
  Window window = window_for(application, open, *codec);
  const std::string player = players_->player_for(application.token(), open.content);
  window.content = content_of(player, open, former);
  if (former != nullptr) {
    window.wall_rect = open.place.value_or(former->wall_rect);
    replace_stream(former->number, std::move(window), reply);
  } else {
    open_window(application, player, open, std::move(window), reply);
  }
}

// The application must know the stream's number when its routes come.
void FsManager::answer_opened(const Window& window, const sail::RpcPeer::Reply& reply) const {
  reply(to_json(sail::StreamOpened{.stream = window.stream,
                                   .window = window.number,
                                   .secret = window.secret,
                                   .codec = window.codec,
                                   .transport = window.transport,
                                   .mtu = options_.wall.mtu}));
}

// In one transaction: the tiles go from one to the other in one swap.
void FsManager::replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply) {
  const Window& now = *arrangement_.replace(number, std::move(window));
  log_.info("window {} '{}' shows another stream, {}", number, now.title, now.stream);
  answer_opened(now, reply);
  window_changed(number);
  layout_changed();
  thumbnails_.window_opened(number);
  ask_for_thumbnails();
  // The application may not have heard yet that it is to close.
  if (closings_.contains(number)) send_event(now, "close", 0);
}

void FsManager::open_window(const Session& application, const std::string& player,
                            const sail::OpenStream& open, Window window,
                            const sail::RpcPeer::Reply& reply) {
  LayoutChange room;
  std::tie(window.wall_rect, room) = first_place(player, open);
  const std::optional<SavedWindow> awaited = expected_.take(
      sail::mark_of(application.token(), options_.token), open.title, application.name());
  if (awaited) {
    window.wall_rect = awaited->standing.wall_rect;
    if (!window.content) window.content = awaited->content;
  }
  const auto opened = arrangement_.open(std::move(window));
  if (!opened) {
    reply(opened.error());
    return;
  }
  const Window& added = **opened;
  const uint32_t number = added.number;
  log_.info("window {} '{}' opened by {}", number, added.title, application.text());
  answer_opened(added, reply);
  window_changed(number);
  changes_.order_changed();
  if (!room.empty()) room_for_.emplace(number, std::move(room));
  if (awaited) {
    expected_.opened(awaited->number, number);
    bring_back(*awaited, number, expected_.order());
  }
  players_->window_opened(player, number);
  room_for_.erase(number);
  layout_changed();
  thumbnails_.window_opened(number);
  ask_for_thumbnails();
}

// How what the application shows there can be started again.
std::optional<PlayRequest> FsManager::content_of(const std::string& player,
                                                 const sail::OpenStream& open,
                                                 const Window* former) const {
  if (const PlayRequest* request = players_->request(player)) return *request;
  if (former != nullptr && former->content && !former->content->command.empty()) {
    return former->content;
  }
  if (players_->started(player) || !open.content) return std::nullopt;
  return play_request_for(*open.content);
}

std::pair<sail::Rect, LayoutChange> FsManager::first_place(const std::string& player,
                                                           const sail::OpenStream& open) {
  const Players::Wish wish = players_->take_wish(player);
  if (wish.place) return {*wish.place, {}};
  if (wish.within) return {fit_clear(open.frame_size, *wish.within, tile_gaps_), {}};
  if (open.place && !wish.centre) return {*open.place, {}};
  // What moves is a step of who asked for this window; nobody asked for an application's own.
  const bool asked_for = players_->request(player) != nullptr;
  const auto others = asked_for ? Others::kMakeRoom : Others::kStay;
  Placing placing =
      place_windows(arrangement_, tile_gaps_, {&open.frame_size, 1}, wish.centre, others);
  return {placing.rects.front(), std::move(placing.others)};
}

void FsManager::remove_window(uint32_t number) {
  const Window* window = windows().find(number);
  if (window == nullptr) return;
  if (!closings_.contains(number) && ending_since_ns_ == 0) forget_window(*window);
  arrangement_.remove(number);
  changes_.window_removed(number);
  thumbnails_.window_removed(number);
  changes_pending();
  layout_changed();
  auto closing = closings_.extract(number);
  if (closing.empty()) return;
  for (const auto& done : closing.mapped().done) done(closing.mapped().forced);
}

void FsManager::close_window(uint32_t number, std::function<void(bool forced)> done) {
  const auto [it, first] = closings_.try_emplace(number);
  it->second.done.push_back(std::move(done));
  if (!first) return;
  send_event(*windows().find(number), "close", 0);
  it->second.patience = std::make_unique<sail::Timer>(loop_);
  it->second.patience->start(options_.times.close_ms, 0, [this, number] {
    closings_.at(number).forced = true;
    const uint64_t owner = windows().find(number)->owner;
    remove_window(number);
    end_session(owner, fmt::format("it did not close window {} when asked", number));
  });
}

void FsManager::send_event(const Window& window, const std::string& type, double value,
                           const std::string& codec) {
  if (Session* owner = find_session(window.owner)) {
    owner->peer().notify(
        "event", to_json(sail::AppEvent{
                     .stream = window.stream, .type = type, .value = value, .codec = codec}));
  }
}

void FsManager::record_stats(uint32_t window, const sail::StreamStats& stats) {
  Window& known = *arrangement_.find(window);
  // The first report has not a whole second behind it.
  if (known.stats) {
    known.health.report(
        diagnose(flow_of(known, stats, wall(), roster_, director_.take_held_up(known.stream))));
  }
  known.stats = stats;
  figures_.window_reported(window);
}

void FsManager::record_stats(const Session& receiver, const sail::ReceiverStats& stats) {
  roster_.find(receiver.name())->stats = stats;
  figures_.receiver_reported(receiver.name());
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
  publish_soon();
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
  if (!order.know_the_last.empty()) {
    send_line(order.know_the_last, sail::notification_line("scene_change", to_json(order.change)));
  }
  std::vector<std::string> others;
  std::set_difference(order.receivers.begin(), order.receivers.end(), order.know_the_last.begin(),
                      order.know_the_last.end(), std::back_inserter(others));
  if (!others.empty()) {
    send_line(others, sail::notification_line("scene", to_json(order.scene)));
  }
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

void FsManager::receiver_changed(const std::string& name) {
  changes_.receiver_changed(name);
  look_at_health();
  publish_soon();
}

void FsManager::look_at_health() {
  const std::string disk_trouble = autosave_ ? autosave_->trouble() : "";
  if (!health_.look(wall(), windows(), roster_, disk_trouble)) return;
  changes_.part_changed(StatePart::kHealth);
  publish_soon();
}

void FsManager::changes_pending() {
  autosave_->wall_changed();
  publish_soon();
}

void FsManager::notice(const std::string& sentence) {
  log_.warning("{}", sentence);
  subscribers_.tell(sail::notification_line("notice", {{"message", sentence}}));
}

// Changes of one turn of the loop are told together.
void FsManager::publish_soon() {
  publish_.start(0, 0, [this] { publish_changes(); });
}

uint64_t FsManager::publish_changes() {
  for (const ChangeSet& set : changes_.take()) {
    if (subscribers_.empty()) continue;
    subscribers_.tell(sail::notification_line("changed", changed_json(*this, set)));
  }
  arrangement_.history().mark_told();
  return changes_.revision();
}

void FsManager::publish_figures() {
  look_at_health();
  const std::vector<sail::Json> portions = figures_.take(windows(), roster_, sail::steady_now_ns());
  if (!subscribers_.anybody_wants(&Subscribers::Wants::figures)) return;
  for (const sail::Json& figures : portions) {
    subscribers_.offer(&Subscribers::Wants::figures, sail::notification_line("figures", figures));
  }
}

}  // namespace manager
