#include "receiver/receiver_controller.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/routing/cadence.h"
#include "sail/core/wire/control_messages.h"
#include "sail/core/wire/data/data_place.h"
#include "sail/core/wire/scene_change.h"

namespace receiver {
namespace {

// Longest delay between a request and its presentation, even with wrong clocks.
constexpr int64_t kMaxLeadNs = 1'000'000'000;
constexpr int64_t kConnectAgainMs = 1000;  // retry interval after the data port could not be opened

double mean_ms(int64_t total_ns, uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(total_ns) / 1e6 / static_cast<double>(count);
}

// Capped at 100: work that began before the interval counts as a whole.
double percent(int64_t part_ns, int64_t whole_ns) {
  if (whole_ns <= 0) return 0;
  return std::min(100 * static_cast<double>(part_ns) / static_cast<double>(whole_ns), 100.0);
}

std::string advice(sail::ErrorCode code, const std::string& name) {
  switch (code) {
    case sail::ErrorCode::kUnauthorized:
      return "set VITRAIL_KEY_FILE to a file with the wall's key";
    case sail::ErrorCode::kNotFound:
      return fmt::format("set --name to a receiver of the wall file instead of '{}'", name);
    case sail::ErrorCode::kConflict:
      return fmt::format("stop the other receiver named '{}' first", name);
    case sail::ErrorCode::kUnsupportedProtocol:
      return "install the same version of Vitrail on both hosts";
    default:
      return "check the manager's log";
  }
}

}  // namespace

ReceiverController::ReceiverController(sail::Loop& loop, const ReceiverOptions& options,
                                       std::function<void(Job)> jobs, const sail::Log& log)
    : options_(options),
      loop_(loop),
      jobs_(std::move(jobs)),
      log_(log),
      record_(options.record),
      sound_(loop, clock_, log),
      connect_again_(loop),
      data_(loop,
            {.on_show = [this](uint32_t stream,
                               const sail::FrameShow& show) { on_show(stream, show); },
             .on_due = [this](std::unique_ptr<Frame> frame) { on_due(std::move(frame)); },
             .on_snapshot =
                 [this](uint64_t snapshot, int64_t at_ns) {
                   jobs_(TakeSnapshot{snapshot, to_steady_ns(at_ns)});
                 },
             .on_sound = [this](uint32_t stream,
                                const sail::Sound& sound) { on_sound(stream, sound); },
             .on_group_absent =
                 [this](const sail::GroupAbsent& absent) {
                   if (sail::RpcPeer* manager = this->manager()) {
                     manager->notify(sail::GroupAbsent::kMethod, sail::to_json(absent));
                   }
                 },
             .to_wall_ns = [this](int64_t steady_ns) { return to_wall_ns(steady_ns); }},
            log,
            {.decode_workers = options.decode_workers,
             .memory_bytes = options.memory_bytes,
             .trace = options.trace}) {
  connect();
}

// --- the manager --------------------------------------------------------------------------------

void ReceiverController::connect() {
  link_ = std::make_unique<sail::ManagerLink>(
      loop_, options_.manager, [this](const sail::Address& local) { return hello(local); },
      sail::ManagerLink::Handlers{
          .on_connected = [this](const sail::Json& result) { on_connected(result); },
          .on_request =
              [this](const std::string& method, const sail::Json& params,
                     const sail::RpcPeer::Reply& reply) { on_request(method, params, reply); },
          .on_lost = [this](const sail::Error&) { on_manager_lost(); },
          .on_refused = [this](const sail::Error& error) { on_refused(error); },
          .on_clock = [this](const sail::ClockLine& line, bool) { clock_.set(line); },
          .on_heartbeat = [this] { on_heartbeat(); }},
      log_);
}

// Listens on the address that reached the manager; applications in that network can reach it.
sail::Result<uint16_t> ReceiverController::listen(const sail::Address& local) {
  if (!everywhere_) return data_.listen({local.host, options_.data_port});
  // "::" includes IPv4, unless the host has no IPv6.
  const auto port = data_.listen({"::", options_.data_port});
  return port || port.error().code == sail::ErrorCode::kConflict
             ? port
             : data_.listen({"0.0.0.0", options_.data_port});
}

sail::Hello ReceiverController::hello(const sail::Address& local) {
  const auto port = listen(local);
  if (!port) {
    const std::string trouble =
        fmt::format("cannot open a data port on {}: {}", local.host, port.error().message);
    link_.reset();
    if (port.error().code == sail::ErrorCode::kConflict) {
      jobs_(Stop{sail::Error{
          port.error().code,
          trouble + "; choose another port with --data-port, or stop the program that uses it"}});
      return {};
    }
    if (std::exchange(data_trouble_, trouble) != trouble) {
      log_.error("{}; trying again", trouble);
    }
    connect_again_.start(kConnectAgainMs, 0, [this] { connect(); });
    return {};
  }
  data_trouble_.clear();
  if (options_.on_listening) options_.on_listening({local.host, *port});
  const bool elsewhere = options_.announce_port != 0;
  sail::Hello hello{.role = record_ ? sail::Role::kRecorder : sail::Role::kReceiver,
                    .name = options_.name,
                    .data_port = elsewhere ? options_.announce_port : *port,
                    .certificate = data_.certificate(),
                    .codecs = sail::all_codec_names()};
  if (!current_) return hello;
  // Senders may still complete a layout of the previous manager, so its epoch counts as used.
  hello.epoch = std::max(current_->epoch, told_.epoch);
  if (current_->windows.size() > sail::kMaxHelloStreams) return hello;
  for (const sail::SceneWindow& window : current_->windows) hello.streams.push_back(window.window);
  return hello;
}

// The manager is on this host, but players on other hosts cannot reach our loopback address.
void ReceiverController::listen_everywhere() {
  if (std::exchange(everywhere_, true)) return;
  const sail::Address local = link_->peer()->local_address();
  const auto port = listen(local);
  if (!port) {
    log_.error("applications on other hosts cannot send frames to this receiver: {}",
               port.error().message);
    everywhere_ = false;
    (void)listen(local);
    return;
  }
  if (options_.on_listening) options_.on_listening({local.host, *port});
  const uint16_t known = options_.announce_port != 0 ? options_.announce_port : *port;
  manager()->notify(sail::DataPort::kMethod, to_json(sail::DataPort{known}));
}

void ReceiverController::on_connected(const sail::Json& result) {
  from_former_manager_ = true;
  early_.clear();
  const auto reach = sail::message_from_json<sail::WelcomeReach>(result);
  if (reach && reach->everywhere) listen_everywhere();
  if (record_) {
    ask_what_to_record();
  } else {
    on_welcome(result);
  }
}

void ReceiverController::ask_what_to_record() {
  manager()->call(sail::Record::kMethod, to_json(*record_),
                  [this](const sail::Result<sail::Json>& answer) {
                    if (answer) return on_welcome(*answer);
                    // The request is repeated after reconnecting.
                    const sail::ErrorCode code = answer.error().code;
                    if (code == sail::ErrorCode::kUnavailable) return;
                    jobs_(Stop{answer.error()});
                  });
}

void ReceiverController::on_welcome(const sail::Json& result) {
  auto welcome = sail::message_from_json<sail::ReceiverWelcome>(result);
  if (!welcome) {
    jobs_(Stop{welcome.error()});
    return;
  }
  log_.info("connected to the manager at {} as '{}': {} of wall '{}'",
            sail::address_text(link_->peer()->peer_address()), options_.name,
            welcome->tiles.size() == 1 ? "1 tile" : fmt::format("{} tiles", welcome->tiles.size()),
            welcome->wall);
  if (options_.film_sound != nullptr) {
    const auto recorded = sail::message_from_json<sail::RecordSound>(result);
    if (recorded && recorded->sound) options_.film_sound->promise();
  }
  if (tiles_ != welcome->tiles) {
    tiles_ = std::move(welcome->tiles);
    data_.set_tiles(tiles_);
    jobs_(SetTiles{tiles_});
  }
  if (record_ && !tiles_.empty()) {
    record_ = sail::Record{.wall_rect = tiles_.front().wall_rect,
                           .size = tiles_.front().resolution,
                           .secret = record_->secret};
  }
}

// The windows stay on screen; pointers and labels are removed.
void ReceiverController::on_manager_lost() {
  sail::Overlay nothing;
  nothing.labels.emplace();
  nothing.pointers.emplace();
  jobs_(ShowOverlay{std::make_shared<const sail::Overlay>(std::move(nothing))});
  // If the lost manager had decided on a layout, these frames carry the decision.
  show_early_frames();
}

void ReceiverController::on_refused(const sail::Error& error) {
  jobs_(
      Stop{sail::Error{error.code, fmt::format("the manager at {} refused this receiver: {}; {}",
                                               sail::address_text(options_.manager), error.message,
                                               advice(error.code, options_.name))}});
}

void ReceiverController::on_request(const std::string& method, const sail::Json& params,
                                    const sail::RpcPeer::Reply& reply) {
  if (method == "trace_read" && reply) {
    return reply(trace_.read(params, [this] { return stamps(); }));
  }
  const auto handled = handle(method, params);
  if (!handled)
    log_.warning("request '{}' from the manager failed: {}", method, handled.error().message);
  if (!reply) return;
  if (handled) {
    reply(sail::Json::object());
  } else {
    reply(handled.error());
  }
}

sail::Result<void> ReceiverController::handle(const std::string& method, const sail::Json& params) {
  if (method == "go") {
    return sail::message_from_json<sail::Go>(params).map([this](const sail::Go& go) { on_go(go); });
  }
  if (method == "scene") {
    return sail::message_from_json<sail::Scene>(params).map(
        [this](sail::Scene scene) { on_scene(std::move(scene)); });
  }
  if (method == "scene_change") {
    return sail::message_from_json<sail::SceneChange>(params)
        .and_then(
            [this](const sail::SceneChange& change) { return sail::changed_scene(told_, change); })
        .map([this](sail::Scene scene) { on_scene(std::move(scene)); });
  }
  if (method == "overlay") {
    return sail::message_from_json<sail::Overlay>(params).map([this](sail::Overlay overlay) {
      jobs_(ShowOverlay{std::make_shared<const sail::Overlay>(std::move(overlay))});
    });
  }
  if (method == "end") {
    if (options_.launched || record_) jobs_(Stop{});
    return {};
  }
  if (method == "group_tables") {
    return sail::message_from_json<sail::GroupTables>(params).map(
        [this](const sail::GroupTables& told) { data_.set_groups(told); });
  }
  if (method == "snapshot") {
    return sail::message_from_json<sail::SnapshotPermit>(params).map(
        [this](const sail::SnapshotPermit& permit) {
          data_.permit_snapshot(permit.secret, permit.at_ns);
        });
  }
  if (method == "sound_mix") {
    return sail::message_from_json<sail::SoundMix>(params).map(
        [this](const sail::SoundMix& mix) { on_sound_mix(mix); });
  }
  if (method == "trace" && options_.trace != nullptr) {
    return sail::trace_duration_ms(params).map([this](int64_t for_ms) {
      options_.trace->begin(sail::steady_now_ns() + for_ms * 1'000'000);
    });
  }
  return sail::fail(sail::ErrorCode::kUnknownMethod, fmt::format("unknown method '{}'", method));
}

std::vector<sail::TraceStamp> ReceiverController::stamps() const {
  if (options_.trace == nullptr) return {};
  std::vector<sail::TraceStamp> stamps = options_.trace->take();
  for (sail::TraceStamp& stamp : stamps) {
    stamp.begin_ns = to_wall_ns(stamp.begin_ns);
    stamp.end_ns = to_wall_ns(stamp.end_ns);
  }
  return stamps;
}

void ReceiverController::on_sound_mix(const sail::SoundMix& mix) {
  options_.film_sound == nullptr ? sound_.set(mix) : options_.film_sound->set(mix);
  std::map<uint32_t, uint64_t> secrets;
  for (const sail::SoundMix::Stream& stream : mix.streams) {
    secrets.emplace(stream.stream, stream.secret);
  }
  data_.set_sounds(secrets);
}

// Recorded pictures use steady time, so the sound must too.
void ReceiverController::on_sound(uint32_t stream, const sail::Sound& sound) {
  if (options_.film_sound == nullptr) return sound_.play(stream, sound);
  sail::Sound heard = sound;
  heard.at_ns = clock_.to_steady_ns(sound.at_ns);
  options_.film_sound->add(stream, heard);
}

// --- scenes and frames --------------------------------------------------------------------------

void ReceiverController::on_scene(sail::Scene scene) {
  data_.prepare(scene);
  told_ = std::move(scene);
  pending_ = true;
  from_former_manager_ = false;
}

void ReceiverController::on_go(const sail::Go& go) {
  if (!pending_ || from_former_manager_ || told_.epoch != go.scene_epoch) return;
  show_scene(go.at_ns, go.frames);
  show_early_frames();
}

void ReceiverController::show_scene(int64_t at_ns, const std::vector<sail::Go::Frame>& frames) {
  pending_ = false;
  current_ = std::make_shared<const sail::Scene>(told_);
  data_.commit(*current_);
  layout_at_ns_ = at_ns;
  scene_lost_ = false;
  Swap swap{.at_ns = to_steady_ns(at_ns),
            .arrived_ns = sail::steady_now_ns(),
            .scene = current_,
            .frames = {}};
  for (const sail::Go::Frame& named : frames) {
    if (auto frame = data_.take(named.stream, {named.epoch, named.frame})) {
      swap.frames.push_back(std::move(frame));
    }
  }
  jobs_(std::move(swap));
}

// A frame of a layout that is not shown yet waits for the layout's `go`, which takes another path.
// Without a manager, or with one that has announced no scene yet, the sender's request proves that
// the layout was decided, and replaces the `go`. A frame of the previous layout is shown only if
// its presentation time is before the layout's, as it would be if it had arrived before the `go`.
void ReceiverController::on_show(uint32_t stream, const sail::FrameShow& show) {
  const auto shown_epoch = data_.epoch_of(stream);
  if (!shown_epoch) return;
  const bool before_layout = show.epoch < *shown_epoch && show.at_ns < layout_at_ns_;
  if (before_layout || show.epoch == *shown_epoch) return show_frame(stream, show);
  if (show.epoch < *shown_epoch) return;
  if (!pending_ || show.epoch > told_.epoch) return;
  if (manager() != nullptr && !from_former_manager_) {
    std::deque<sail::FrameShow>& shows = early_[stream];
    if (shows.size() == sail::kMaxFramesInFlight) shows.pop_front();
    shows.push_back(show);
  } else if (show.at_ns == 0) {
    data_.leave_out_frames(stream, {show.epoch, show.frame});
  } else {
    show_scene(show.at_ns, {{stream, show.frame, show.epoch}});
  }
}

void ReceiverController::show_early_frames() {
  for (const auto& [stream, shows] : std::exchange(early_, {})) {
    for (const sail::FrameShow& show : shows) on_show(stream, show);
  }
}

void ReceiverController::show_frame(uint32_t stream, const sail::FrameShow& show) {
  if (show.at_ns == 0) return data_.drop_frames(stream, {show.epoch, show.frame});
  Swap swap{.at_ns = to_steady_ns(show.at_ns),
            .arrived_ns = sail::steady_now_ns(),
            .scene = {},
            .frames = {}};
  if (auto frame = data_.take(stream, {show.epoch, show.frame})) {
    swap.frames.push_back(std::move(frame));
  }
  if (std::exchange(scene_lost_, false)) swap.scene = current_;
  if (swap.scene || !swap.frames.empty()) jobs_(std::move(swap));
}

void ReceiverController::on_due(std::unique_ptr<Frame> frame) {
  const int64_t now_ns = sail::steady_now_ns();
  Swap swap{.at_ns = now_ns, .arrived_ns = now_ns, .scene = {}, .frames = {}};
  swap.frames.push_back(std::move(frame));
  jobs_(std::move(swap));
}

void ReceiverController::on_swapped(Swapped swapped) {
  render_ns_ = swapped.render_ns;
  data_.set_render_ns(render_ns_);
  paint_ns_ += swapped.paint_ns;
  ++swaps_;
  if (current_ && swapped.scene_epoch == current_->epoch) data_.end_former_epochs();
  // Release the buffers first, because the reports let the sender send new frames.
  for (auto& frame : swapped.released) data_.give_back(std::move(frame));
  for (const EndedFrame& ended : swapped.ended) data_.report(ended);
}

void ReceiverController::on_lost(Swap swap) {
  if (swap.scene) scene_lost_ = true;
  for (auto& frame : swap.frames) {
    data_.report({.stream = frame->stream(),
                  .session = frame->session(),
                  .key = frame->key(),
                  .assembled_ns = frame->assembled_ns(),
                  .cause = sail::DropCause::kSuperseded});
    data_.give_back(std::move(frame));
  }
}

void ReceiverController::on_snapshot(SnapshotTaken taken) {
  for (TileImage& picture : taken.pictures) picture.begin.taken_ns = to_wall_ns(taken.taken_ns);
  data_.send_pictures(taken.snapshot, std::move(taken.pictures));
}

void ReceiverController::on_refreshes(const std::vector<TileRefresh>& refreshes) {
  refreshes_.clear();
  if (!clock_.known() || refreshes.size() != tiles_.size()) return;
  std::vector<sail::Refresh> in_wall_time;
  for (size_t i = 0; i < tiles_.size(); ++i) {
    sail::Refresh refresh = refreshes[i].refresh;
    if (refresh.period_ns == 0) continue;
    // If the phase is unknown, all nodes report the same one.
    const int64_t now_ns = to_wall_ns(sail::steady_now_ns());
    refresh.at_ns = refreshes[i].phase_known() ? to_wall_ns(refresh.at_ns)
                                               : now_ns - now_ns % refresh.period_ns;
    in_wall_time.push_back(refresh);
    refreshes_.push_back({.tile = tiles_[i].name,
                          .source = refreshes[i].source,
                          .period_ns = refresh.period_ns,
                          .at_ns = refreshes[i].phase_known() ? refresh.at_ns : 0});
  }
  data_.set_refresh(sail::together(in_wall_time));
}

// Decoded frames may still arrive afterwards.
void ReceiverController::shut_down() {
  link_.reset();
  data_.shut_down();
}

sail::RpcPeer* ReceiverController::manager() const {
  return link_ ? link_->peer() : nullptr;
}

// --- time ---------------------------------------------------------------------------------------

void ReceiverController::on_heartbeat() {
  const DataPlane::Counters& counters = data_.counters();
  const uint64_t swaps = std::exchange(swaps_, 0);
  const int64_t paint_ns = std::exchange(paint_ns_, 0);
  const int64_t now_ns = sail::steady_now_ns();
  const int64_t passed_ns = now_ns - std::exchange(heartbeat_at_ns_, now_ns);
  const uint64_t decoded =
      counters.frames_decoded - std::exchange(frames_decoded_, counters.frames_decoded);
  const int64_t decode_ns = counters.decode_ns - std::exchange(decode_ns_, counters.decode_ns);
  auto sound = sound_.stats();
  if (sail::RpcPeer* manager = this->manager(); manager != nullptr && !record_) {
    manager->notify("receiver_stats",
                    sail::to_json(sail::ReceiverStats{
                        .frames_shown = counters.frames_shown,
                        .frames_dropped = counters.frames_dropped,
                        .bytes_received = counters.bytes_received,
                        .sessions_refused = counters.sessions_refused,
                        .packets_refused = data_.packets_refused(),
                        .packets_refused_from = data_.refused_senders(),
                        .blocks_concealed = counters.blocks_concealed,
                        .render_ms = mean_ms(paint_ns, swaps),
                        .render_peak_ms = mean_ms(render_ns_, 1),
                        .paint_pct = percent(paint_ns, passed_ns),
                        .decode_ms = mean_ms(decode_ns, decoded),
                        .decode_pct = percent(decode_ns, passed_ns),
                        .clock_error_us = static_cast<double>(clock_.error_ns()) / 1e3,
                        .sound = std::move(sound),
                        .refresh = refreshes_}));
  }
}

int64_t ReceiverController::to_wall_ns(int64_t steady_ns) const {
  return std::clamp<int64_t>(clock_.to_wall_ns(steady_ns), 0, sail::kMaxTimeNs);
}

int64_t ReceiverController::to_steady_ns(int64_t wall_ns) const {
  const int64_t now_ns = sail::steady_now_ns();
  if (!clock_.known()) return now_ns;
  return std::min(clock_.to_steady_ns(wall_ns), now_ns + kMaxLeadNs);
}

}  // namespace receiver
