#include "receiver/receiver_controller.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sail/core/wire/data/thumbnail.h"
#include "sail/core/wire/hello_messages.h"
#include "sail/core/wire/memory.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/rpc.h"
#include "sail/core/wire/scene_change.h"

namespace receiver {
namespace {

// Longest delay between a request and its presentation, even with wrong clocks.
constexpr int64_t kMaxLeadNs = 1'000'000'000;
constexpr int64_t kConnectAgainMs = 1000;  // retry interval after the data port could not be opened

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
      jobs_([this, jobs = std::move(jobs)](Job job) {
        if (update_ && moves(job)) update_->active();
        jobs(std::move(job));
      }),
      log_(log),
      record_(options.record),
      sound_(loop, clock_, log, options.film_sound, options.on_sound,
             [this](const sail::SoundLevels& levels) {
               sail::RpcPeer* manager = this->manager();
               if (manager != nullptr) {
                 manager->notify(sail::SoundLevels::kMethod, sail::to_json(levels));
               }
             }),
      power_(loop, options.power),
      connect_again_(loop),
      presenter_(data_, jobs_, [this](int64_t wall_ns) { return to_steady_ns(wall_ns); }),
      gate_(presenter_),
      data_(loop,
            {.on_show = [this](uint32_t stream,
                               const sail::FrameShow& show) { gate_.show(stream, show); },
             .on_due =
                 [this](std::unique_ptr<Frame> frame) { presenter_.show_late(std::move(frame)); },
             .on_snapshot =
                 [this](uint64_t snapshot, int64_t at_ns) {
                   jobs_(TakeSnapshot{snapshot, to_steady_ns(at_ns)});
                 },
             .on_sound =
                 [this](uint32_t stream, const sail::Sound& sound) {
                   if (update_) update_->active();
                   sound_.play(stream, sound);
                 },
             .on_group_absent =
                 [this](const sail::GroupAbsent& absent) {
                   if (sail::RpcPeer* manager = this->manager()) {
                     manager->notify(sail::GroupAbsent::kMethod, sail::to_json(absent));
                   }
                 },
             .on_group_ready =
                 [this] {
                   if (update_) update_->active();
                 },
             .on_thumbnail =
                 [this](const sail::Thumbnail& thumbnail) {
                   // Dropped if it cannot be sent now: the next one is as good.
                   if (sail::RpcPeer* manager = this->manager()) {
                     manager->offer_line(sail::notification_line(sail::Thumbnail::kMethod,
                                                                 sail::to_json(thumbnail)));
                   }
                 },
             .to_wall_ns = [this](int64_t steady_ns) { return to_wall_ns(steady_ns); }},
            log,
            {.on_whole = options.on_whole,
             .decode_workers = options.decode_workers,
             .memory_bytes = options.memory_bytes,
             .trace = options.trace}) {
  if (options.update_after_s) watch_program(*options.update_after_s);
  if (options.decoder_program.empty()) {
    connect();
    return;
  }
  decoders_.emplace(
      loop, options.decoder_program,
      [this](const sail::Result<std::vector<std::string>>& carried) { on_carried_codecs(carried); },
      kLongestListMs, options.decoder_cache);
}

void ReceiverController::watch_program(int64_t quiet_s) {
  // While the manager is away, no sender can reach a new receiver.
  const auto sends_again = [this](uint32_t stream) {
    return manager() != nullptr && data_.has_sender(stream);
  };
  const auto keeps = [this, sends_again] {
    return presenter_.layout() != nullptr &&
           keeps_picture(*presenter_.layout(), tiles_, sends_again);
  };
  const auto misfits = [this] {
    return data_.counters().other_versions + data_.frames().counters().decoders_lost;
  };
  update_.emplace(
      loop_, quiet_s,
      ProgramUpdate::Handlers{
          .keeps_picture = keeps, .misfits = misfits, .on_end = [this] { jobs_(Stop{}); }},
      log_);
}

// --- the manager --------------------------------------------------------------------------------

// Hello names the codecs, so that a film that opens as soon as the receiver is connected can be
// carried.
void ReceiverController::on_carried_codecs(const sail::Result<std::vector<std::string>>& carried) {
  if (carried) {
    codecs_.insert(codecs_.end(), carried->begin(), carried->end());
  } else if (!options_.on_whole) {
    log_.warning(
        "films are not decoded here (--codec carried), because {}; install the program of this "
        "version, then restart the receiver",
        carried.error().message);
  }
  connect();
}

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
      log_, sail::ManagerLinkTimes{.key = options_.key});
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
      log_.error("{}; retrying", trouble);
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
                    .codecs = codecs_,
                    .multicast = true};
  const sail::Scene* shown = presenter_.layout();
  if (shown == nullptr) return hello;
  // Senders may still complete a layout of the previous manager, so its epoch counts as used.
  hello.epoch = std::max(shown->epoch, gate_.announced().epoch);
  if (shown->windows.size() > sail::kMaxHelloStreams) return hello;
  for (const sail::SceneWindow& window : shown->windows) hello.streams.push_back(window.window);
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
  gate_.manager_connected();
  data_.frames().forget_thumbnail_requests();
  const auto reach = sail::message_from_json<sail::WelcomeReach>(result);
  if (reach && reach->everywhere) listen_everywhere();
  if (reach && !reach->multicast_test.empty()) {
    const bool only_here = !everywhere_ && sail::is_loopback(link_->peer()->local_address().host);
    data_.listen_to_tests({reach->multicast_test, sail::kMulticastPort}, only_here);
  }
  const auto welcome = sail::message_from_json<sail::WelcomeDisplay>(result);
  if (!welcome) return jobs_(Stop{welcome.error()});
  data_.frames().set_display(welcome->display);
  if (record_) {
    request_record_region();
  } else {
    on_welcome(result);
  }
}

void ReceiverController::request_record_region() {
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
  const std::string tiles = options_.on_whole ? "whole windows"
                            : welcome->tiles.size() == 1
                                ? "1 tile"
                                : fmt::format("{} tiles", welcome->tiles.size());
  log_.info("connected to the manager at {} as '{}': {} of wall '{}'",
            sail::address_text(link_->peer()->peer_address()), options_.name, tiles, welcome->wall);
  if (record_) {
    const auto recorded = sail::message_from_json<sail::RecordSound>(result);
    const bool sounds = recorded && recorded->sound;
    if (sounds) sound_.promise();
    if (!sounds && options_.on_sound) {
      log_.info("wall '{}' plays no sound ('audio' in its wall file): no sound is passed on",
                welcome->wall);
    }
  }
  if (tiles_ != welcome->tiles || wall_size_ != welcome->wall_size) {
    tiles_ = std::move(welcome->tiles);
    wall_size_ = welcome->wall_size;
    data_.frames().set_tiles(tiles_);
    presenter_.set_tiles(tiles_);
    jobs_(SetTiles{.tiles = tiles_, .node = options_.name, .wall_size = wall_size_});
  }
  if (record_ && !record_->whole && !tiles_.empty()) {
    record_ = sail::Record{.wall_rect = tiles_.front().wall_rect,
                           .size = tiles_.front().resolution,
                           .secret = record_->secret};
  }
}

// The windows stay on screen; drawings, pointers and labels are removed.
void ReceiverController::on_manager_lost() {
  sail::Overlay nothing;
  nothing.drawings.emplace();
  nothing.labels.emplace();
  nothing.pointers.emplace();
  jobs_(ShowOverlay{std::make_shared<const sail::Overlay>(std::move(nothing))});
  gate_.manager_lost();
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
  if (method == sail::MemoryUse::kMethod && reply) {
    const MemoryBudget& streams = data_.memory();
    return reply(sail::to_json(sail::MemoryUse{.pid = static_cast<uint64_t>(getpid()),
                                               .process = sail::own_memory(),
                                               .reserved = streams.bytes() - streams.left(),
                                               .limit = streams.bytes()}));
  }
  if (method == sail::PowerRequest::kMethod && reply) return on_power(params, reply);
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
    return sail::message_from_json<sail::Go>(params).map(
        [this](const sail::Go& go) { gate_.go(go); });
  }
  if (method == "scene") {
    return sail::message_from_json<sail::Scene>(params).map(
        [this](sail::Scene scene) { on_scene(std::move(scene)); });
  }
  if (method == "scene_change") {
    return sail::message_from_json<sail::SceneChange>(params)
        .and_then([this](const sail::SceneChange& change) {
          return sail::changed_scene(gate_.announced(), change);
        })
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
    return sail::message_from_json<sail::CoordinatedGroups>(params).map(
        [this](const sail::CoordinatedGroups& groups) { data_.set_groups(groups); });
  }
  if (method == "snapshot") {
    return sail::message_from_json<sail::SnapshotPermit>(params).map(
        [this](const sail::SnapshotPermit& permit) {
          data_.permit_snapshot(permit.secret, permit.at_ns);
        });
  }
  if (method == sail::ThumbnailRequest::kMethod) {
    return sail::message_from_json<sail::ThumbnailRequest>(params).map(
        [this](const sail::ThumbnailRequest& request) {
          data_.frames().request_thumbnails(request);
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

void ReceiverController::on_power(const sail::Json& params, const sail::RpcPeer::Reply& reply) {
  const auto request = sail::message_from_json<sail::PowerRequest>(params);
  if (!request) return reply(request.error());
  std::vector<std::string> names;
  for (const sail::TileInfo& tile : tiles_) names.push_back(tile.name);
  const auto begun = power_.run(
      *request, names, [reply](const sail::PowerAnswer& answer) { reply(sail::to_json(answer)); });
  if (!begun) reply(begun.error());
}

void ReceiverController::on_sound_mix(const sail::SoundMix& mix) {
  sound_.set(mix);
  std::map<uint32_t, uint64_t> secrets;
  for (const sail::SoundMix::Stream& stream : mix.streams) {
    secrets.emplace(stream.stream, stream.secret);
  }
  data_.set_sounds(secrets);
}

// --- scenes and frames --------------------------------------------------------------------------

void ReceiverController::on_scene(sail::Scene scene) {
  if (options_.on_scene) options_.on_scene(scene);
  data_.prepare(scene);
  gate_.announce(std::move(scene));
}

// Frames of dark windows change nothing, as long as all windows are dark.
bool ReceiverController::moves(const Job& job) const {
  if (std::holds_alternative<ShowOverlay>(job)) return true;
  const sail::Scene* layout = presenter_.layout();
  return std::holds_alternative<Swap>(job) &&
         (layout == nullptr || !std::ranges::all_of(layout->windows, &sail::SceneWindow::dark));
}

void ReceiverController::on_swapped(Swapped swapped) {
  statistics_.swapped(swapped);
  presenter_.on_swapped(std::move(swapped));
}

void ReceiverController::on_snapshot(SnapshotTaken taken) {
  for (TileImage& picture : taken.pictures) picture.begin.taken_ns = to_wall_ns(taken.taken_ns);
  data_.send_pictures(taken.snapshot, std::move(taken.pictures));
}

void ReceiverController::on_refreshes(const std::vector<TileRefresh>& refreshes) {
  if (!clock_.known() || refreshes.size() != tiles_.size()) return statistics_.forget_refreshes();
  data_.frames().set_refresh(
      statistics_.set_refreshes(tiles_, refreshes, sail::steady_now_ns(),
                                [this](int64_t steady_ns) { return to_wall_ns(steady_ns); }));
}

// Decoded frames may still arrive afterwards.
void ReceiverController::shut_down() {
  update_.reset();
  decoders_.reset();
  link_.reset();
  data_.shut_down();
}

sail::RpcPeer* ReceiverController::manager() const {
  return link_ ? link_->peer() : nullptr;
}

// --- time ---------------------------------------------------------------------------------------

void ReceiverController::on_heartbeat() {
  StreamFrames& frames = data_.frames();
  frames.make_owed_thumbnails();
  sail::ReceiverStats stats =
      statistics_.take(frames.counters(), frames.take_longest_decode_ns(), sail::steady_now_ns());
  stats.fades = presenter_.fades();
  stats.sound = sound_.stats();
  stats.display = display_;
  if (update_) stats.update = update_->text();
  sail::RpcPeer* manager = this->manager();
  if (manager == nullptr || record_) return;
  stats.bytes_received = data_.counters().bytes_received;
  stats.sessions_refused = data_.counters().sessions_refused;
  stats.packets_refused = data_.packets_refused();
  stats.packets_refused_from = data_.refused_senders();
  stats.clock_error_us = static_cast<double>(clock_.error_ns()) / 1e3;
  manager->notify(sail::ReceiverStats::kMethod, sail::to_json(stats));
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
