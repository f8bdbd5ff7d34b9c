#include "sail/client/sender/stream_sender.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kCheckMs = 100;
constexpr int64_t kTimeoutStepMs = 20;
constexpr int64_t kTimeoutStepNs = kTimeoutStepMs * kMillisecondNs;
// A timer this late means that this process was stalled.
constexpr int64_t kStoodStillNs = 4 * kCheckMs * kMillisecondNs;
// Frames in flight until a receiver has announced its limit.
constexpr int kDefaultFramesInFlight = 4;
// A trouble, or a receiver that reports no frame ready, is reported to users after this time.
constexpr int64_t kTroubleNs = kMillisecondNs * (kBarrierTimeoutMs + kStallTimeoutMs);
// After this time a receiver that left the map is no longer waited for.
constexpr int64_t kLeaveTimeoutNs = kMillisecondNs * (kTransactionTimeoutMs + kStallTimeoutMs);

bool leads_to(const ReceiverConnection& connection, const ReceiverPlan& plan) {
  return connection.receiver() == plan.receiver() && connection.address() == plan.address() &&
         !connection.closed();
}

}  // namespace

StreamSender::StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
                           const Options& options, SubmitQueue& submit_queue,
                           const WallClock& clock, const Log& log, Handlers handlers)
    : loop_(loop),
      codec_(codec),
      shape_(shape),
      mtu_(options.mtu),
      trace_(options.trace),
      submit_queue_(submit_queue),
      clock_(clock),
      log_(log),
      handlers_(std::move(handlers)),
      apart_(options.apart),
      part_(options.part),
      interval_ns_(options.fps > 0 ? 1e9 / options.fps : 0),
      plan_(new_plan()),
      pace_(options.fps, options.delay_ms),
      checks_(loop),
      timeout_(loop) {}

StreamSender::~StreamSender() = default;

// --- opening and closing ------------------------------------------------------------------------

void StreamSender::open(const StreamOpened& opened, std::function<void()> on_ready) {
  stream_ = opened.stream;
  stream_open_ = {.secret = opened.secret,
                  .codec = codec_,
                  .frame_size = shape_.frame_size,
                  .block_size = shape_.block_size};
  if (opened.transport == Transport::kUdp) {
    stream_open_.symbol_bytes =
        static_cast<uint16_t>(symbol_bytes_for(mtu_ != 0 ? mtu_ : opened.mtu));
  }
  routed_ = false;
  plan_ = new_plan();
  on_ready_ = std::move(on_ready);
  opened_at_ns_ = last_stats_ns_ = steady_now_ns();
  update_limit();
  submit_queue_.set_open(true);
  checks_.start(kCheckMs, kCheckMs, [this] { check(); });
}

void StreamSender::suspend() {
  routed_ = false;
  rolled_back_routes_.reset();
  group_.reset();
  plan_ = new_plan();
  next_map_.reset();
  on_ready_ = nullptr;
  submit_queue_.set_open(false);
  checks_.stop();
  timeout_.stop();
  timeout_runs_ = false;
  for (Link& link : links_) close_link(link);
  remove_gone();
  ledger_.abandon();
  publish();
}

void StreamSender::close(std::function<void()> on_gone) {
  suspend();
  newest_ = {};
  on_all_gone_ = std::move(on_gone);
  if (links_.empty()) loop_.post(std::exchange(on_all_gone_, nullptr));
}

void StreamSender::check_ready() {
  if (!on_ready_) return;
  const bool all_accepted =
      routed_ && std::all_of(links_.begin(), links_.end(), [](const Link& link) {
        return !link.counts() || link.connection->accepted();
      });
  const bool late = steady_now_ns() - opened_at_ns_ > kMillisecondNs * kStallTimeoutMs;
  if (all_accepted || late) loop_.post(std::exchange(on_ready_, nullptr));
}

// --- the routing map ----------------------------------------------------------------------------

Result<void> StreamSender::route(const Routes& routes) {
  auto map = make_route_plan(routes, shape_, extra_reductions());
  if (!map) return std::move(map.error());
  const RoutePlan& last = next_map_ ? *next_map_ : map_;
  if (routed_ && map->epoch <= last.epoch) {
    return fail(ErrorCode::kInvalidParams, "routes: the epoch must be greater than the last one");
  }
  const bool placed = last.epoch != 0;
  rolled_back_routes_.reset();
  const bool moved = map->wall_rect != last.wall_rect || map->picture != last.picture;
  // Tiles show the stream by the previous map until the layout takes effect.
  const bool leaves = routed_ && map->receivers.empty();
  update_submit_queue(*map, leaves ? map_ : *map);  // before on_window, whose handler may query it
  if (placed && moved) handlers_.on_window(map->wall_rect);
  routes_ = routes;
  if (leaves) {
    next_map_ = *std::move(map);
  } else if (routed_ && newest_ && !covers(*map, *newest_)) {
    await_frame_for(*std::move(map));
  } else {
    follow(*std::move(map));
  }
  return {};
}

void StreamSender::update_submit_queue(const RoutePlan& placed, const RoutePlan& shown) {
  submit_queue_.set_window(placed.wall_rect, placed.picture, !shown.receivers.empty(),
                           shown.wanted);
}

void StreamSender::ask_again() {
  submit_queue_.ask_for_one();
  handlers_.on_refresh();
}

void StreamSender::await_frame_for(RoutePlan map) {
  next_map_ = std::move(map);
  // Connect now, so that these receivers are ready when the frame comes.
  for (const auto& plan : next_map_->receivers) link_to(*plan);
  ask_again();
}

void StreamSender::follow(RoutePlan map) {
  map_ = std::move(map);
  next_map_.reset();
  routed_ = true;
  for (Link& link : links_) {
    if (link.plan != nullptr) link.left_at_ns = steady_now_ns();
    link.plan = nullptr;
  }
  std::vector<uint32_t> members;
  for (const auto& plan : map_.receivers) {
    Link& link = link_to(*plan);
    link.plan = plan;
    if (!link.recorder) members.push_back(link.connection->number());
  }
  if (map_.epoch != plan_.epoch()) plan_.route(map_.epoch, members, routes_.group_members);
  for (const Link& link : links_) {
    if (!link.counts() || !link.connection->away()) continue;
    plan_.lose(link.connection->number(), steady_now_ns());
  }
  const bool covered = !newest_ || covers_map(*newest_);
  ledger_.route(map_.epoch, static_cast<uint32_t>(members.size()), covered);
  update_limit();
  serve_all();
  publish();
  check_ready();
  const bool all_covered =
      !newest_ || std::ranges::all_of(map_.receivers, [this](const auto& plan) {
        return plan->covered_by(*newest_);
      });
  if (!all_covered) ask_again();
}

void StreamSender::take_effect(const TakeEffect& taken) {
  // The manager did not wait for this stream.
  if (awaits_layout() && next_map_->epoch == taken.epoch) {
    update_submit_queue(*next_map_, *next_map_);
    take_next_map();
  }
  plan_.take_effect(taken.epoch, taken.frame, clock_.to_steady_ns(taken.at_ns), steady_now_ns());
  if (plan_.epoch() == routes_.epoch) in_effect_ = routes_;
  if (plan_.epoch() == taken.epoch && taken.frame != 0) {
    send_to_all({.frame = taken.frame, .epoch = taken.epoch, .at_ns = taken.at_ns});
  }
  carry_out_plan();
  check_recorders();
}

void StreamSender::send_to_all(const FrameShow& show) {
  for (const Link& link : links_) {
    if (!link.recorder && link.connection->accepted()) link.connection->show(show);
  }
}

void StreamSender::restore_rolled_back_routes() {
  const Routes routes = *std::exchange(rolled_back_routes_, std::nullopt);
  // Receivers already show this frame; they show newer ones when all have them.
  const uint64_t shown = plan_.shown().gone();
  if (!route(routes)) return;
  take_effect({.stream = stream_, .epoch = routes.epoch, .frame = 0, .at_ns = 0});
  if (shown == 0) return;
  send_to_all({.frame = shown, .epoch = routes.epoch, .at_ns = clock_.wall_now_ns()});
}

void StreamSender::go_on_alone() {
  if (plan_.epoch() == 0) return suspend();
  if (!plan_.changing() && !awaits_layout()) return;
  if (plan_.changing()) {
    const uint64_t newest = newest_ ? newest_->number() : 0;
    // Receivers hold frames for that layout, which would leave no room for others. Release them.
    send_to_all({.frame = newest, .epoch = plan_.coming_epoch(), .at_ns = 0});
    plan_.revert(newest, steady_now_ns());
  }
  const Routes forgotten = std::exchange(routes_, in_effect_);
  if (auto map = make_route_plan(routes_, shape_, extra_reductions())) {
    update_submit_queue(*map, *map);
    follow(*std::move(map));
  }
  rolled_back_routes_ = forgotten;
  carry_out_plan();
  // Some frames were sent only by the other map.
  ask_again();
}

std::optional<Resume> StreamSender::resume() {
  rolled_back_routes_.reset();
  if (plan_.epoch() == 0) return std::nullopt;
  return Resume{.window = 0, .secret = stream_open_.secret, .routes = in_effect_};
}

void StreamSender::carry_out_plan() {
  for (const SwapPlan::Show& each : plan_.shows()) {
    const FrameShow show{.frame = each.frame,
                         .epoch = each.epoch,
                         .at_ns = each.at_ns == 0 ? 0 : clock_.to_wall_ns(each.at_ns)};
    for (const Link& link : links_) {
      if (is_told(link, each) && link.connection->accepted()) link.connection->show(show);
    }
  }
  plan_.clear_shows();
  for (const SwapPlan::Word& word : plan_.words()) {
    const int64_t at_ns = word.at_ns == 0 ? 0 : clock_.to_wall_ns(word.at_ns);
    Refresh refresh = word.refresh;
    if (refresh.period_ns != 0) refresh.at_ns = clock_.to_wall_ns(refresh.at_ns);
    if (group_) group_->say({word.name, at_ns, word.lead_ns, word.word, word.members, refresh});
  }
  plan_.clear_words();
  watch_timeout();
  if (const auto settled = plan_.take_settled()) {
    handlers_.on_epoch_ready({.stream = stream_,
                              .epoch = settled->epoch,
                              .frame = settled->frame,
                              .lead_ns = settled->lead_ns});
  }
}

// A recorder is sent decisions about frames up to the last one sent to it. If one of these was not
// sent to it, the wall is past that frame. Decisions about later frames follow.
bool StreamSender::is_told(const Link& link, const SwapPlan::Show& show) const {
  if (link.recorder) {
    return !show.only && link.plan != nullptr && show.frame <= link.sent_frame &&
           show.epoch == link.sent_epoch;
  }
  return plan_.is_for(show, link.connection->number());
}

void StreamSender::check_recorder(Link& link) {
  const bool alone = apart_ || plan_.shown().empty();
  const bool due = alone || link.held.frame <= plan_.shown().gone();
  if (link.held.frame == 0 || link.held.epoch != plan_.epoch() || !due) return;
  if (!link.connection->accepted()) return;
  link.connection->show(
      {.frame = link.held.frame, .epoch = link.held.epoch, .at_ns = clock_.wall_now_ns()});
  link.held = {};
}

void StreamSender::check_recorders() {
  for (Link& link : links_) {
    if (link.recorder && link.plan != nullptr) check_recorder(link);
  }
}

StreamSender::Link& StreamSender::link_to(const ReceiverPlan& plan) {
  const auto known = std::find_if(links_.begin(), links_.end(), [&](const Link& link) {
    return leads_to(*link.connection, plan);
  });
  if (known != links_.end()) return *known;
  Host& host = *this;
  StreamOpen open = stream_open_;
  if (plan.recorder() != 0) open.secret = plan.recorder();
  links_.push_back(
      {.connection = std::make_unique<ReceiverConnection>(
           loop_, host, clock_, log_, next_link_++, plan.receiver(), plan.address(), stream_, open),
       .plan = {},
       .step = PictureStep(shape_.max_reduction),
       .left_at_ns = steady_now_ns(),
       .recorder = plan.recorder() != 0});
  return links_.back();
}

bool StreamSender::is_of_next_map(const ReceiverConnection& connection) const {
  return next_map_ && std::any_of(next_map_->receivers.begin(), next_map_->receivers.end(),
                                  [&](const auto& plan) { return leads_to(connection, *plan); });
}

StreamSender::Link& StreamSender::link_of(const ReceiverConnection& connection) {
  return *std::find_if(links_.begin(), links_.end(),
                       [&](const Link& link) { return link.connection.get() == &connection; });
}

void StreamSender::update_limit() {
  // Reserve one place, so that a layout change need not wait for reports.
  const int of_pace = pace_.frames_in_flight() + 1;
  int limit = kDefaultFramesInFlight;
  bool first = true;
  for (const Link& link : links_) {
    link.connection->set_limit(of_pace);
    if (!link.counts() || !link.connection->accepted()) continue;
    const int accepted = std::min(link.connection->frames_in_flight(), of_pace);
    limit = first ? accepted : std::min(limit, accepted);
    first = false;
  }
  submit_queue_.set_limit(std::max(limit - 1, 1));
}

void StreamSender::adapt_pace() {
  std::optional<FrameTransport::Way> slowest;
  for (const Link& link : links_) {
    if (!link.counts() || !link.connection->accepted()) continue;
    const auto way = link.connection->way();
    if (!way) continue;
    if (!slowest) slowest.emplace();
    slowest->round_trip_ns = std::max(slowest->round_trip_ns, way->round_trip_ns);
    slowest->jitter_ns = std::max(slowest->jitter_ns, way->jitter_ns);
    slowest->sending_ns = std::max(slowest->sending_ns, way->sending_ns);
  }
  pace_.adapt(steady_now_ns(), slowest);
  update_limit();
}

// --- smaller pictures ---------------------------------------------------------------------------

void StreamSender::evaluate_links() {
  if (!newest_ || !routed_) return;
  const int64_t now_ns = steady_now_ns();
  bool changed = false;
  for (Link& link : links_) {
    if (!link.counts() || !link.connection->accepted() || is_passed_over(link)) continue;
    const bool missed = link.sent_frame != newest_->number() && link.connection->held_back();
    if (!link.step.add(now_ns, !missed)) continue;
    changed = true;
    log_.info("stream {}: frames for receiver '{}' are halved {} times because the link is slow",
              stream_, link.connection->receiver(), link.step.steps());
  }
  if (changed) plan_anew();
}

ExtraReductions StreamSender::extra_reductions() const {
  ExtraReductions extra;
  for (const Link& link : links_) {
    if (link.plan != nullptr) extra[link.connection->receiver()] = link.step.steps();
  }
  return extra;
}

void StreamSender::plan_anew() {
  auto map = make_route_plan(routes_, shape_, extra_reductions());
  if (!map || map->receivers.empty()) return;  // no receiver to send smaller pictures to
  update_submit_queue(*map, *map);
  next_map_ = *std::move(map);
}

void StreamSender::take_next_map() {
  if (awaits_layout()) return follow(*std::exchange(next_map_, std::nullopt));
  map_ = *std::exchange(next_map_, std::nullopt);
  for (Link& link : links_) {
    if (link.plan == nullptr) continue;
    link.plan = *std::find_if(map_.receivers.begin(), map_.receivers.end(), [&](const auto& plan) {
      return plan->receiver() == link.connection->receiver();
    });
    link.on_wall = false;
  }
}

// --- connections --------------------------------------------------------------------------------

void StreamSender::on_accepted(ReceiverConnection& connection) {
  Link& link = link_of(connection);
  link.sent_frame = link.sent_epoch = 0;
  link.on_wall = link.lost = false;
  link.held = {};
  update_limit();
  serve(link);
  check_ready();
}

void StreamSender::on_ready(ReceiverConnection& connection, const FrameReady& ready) {
  if (Link& link = link_of(connection); link.recorder) {
    link.held = {.frame = ready.frame, .epoch = ready.epoch};
    return check_recorder(link);
  }
  link_of(connection).behind_since_ns = 0;
  FrameReady told = ready;
  if (ready.refresh.period_ns != 0) told.refresh.at_ns = clock_.to_steady_ns(ready.refresh.at_ns);
  plan_.ready(connection.number(), told, steady_now_ns());
  carry_out_plan();
}

void StreamSender::on_report(ReceiverConnection& connection, const FrameReport& report) {
  Link& link = link_of(connection);
  const bool overruled =
      !link.recorder && report.cause == DropCause::kOldEpoch && report.epoch == plan_.epoch();
  if (!link.recorder) {
    ledger_.reported(connection.number(), report);
    plan_.reported(connection.number(), report, steady_now_ns());
    carry_out_plan();
  }
  if (report.frame == link.sent_frame && report.epoch == link.sent_epoch) {
    link.on_wall = report.outcome == FrameOutcome::kShown;
    link.lost = report.cause == DropCause::kLost;
  }
  serve_all();  // the other receivers may have waited for this one
  publish();
  if (overruled && rolled_back_routes_) restore_rolled_back_routes();
}

void StreamSender::on_sent(ReceiverConnection& /*connection*/) {
  serve_all();
  publish();
}

void StreamSender::on_lost(ReceiverConnection& connection) {
  ledger_.lost(connection.number());
  plan_.lose(connection.number(), steady_now_ns());
  carry_out_plan();
  update_limit();
  publish();
}

void StreamSender::on_gone(ReceiverConnection& connection) {
  const auto gone = std::find_if(links_.begin(), links_.end(), [&](const Link& link) {
    return link.connection.get() == &connection;
  });
  links_.erase(gone);
  if (links_.empty() && on_all_gone_) loop_.post(std::exchange(on_all_gone_, nullptr));
}

void StreamSender::close_link(Link& link) {
  if (link.connection->closed()) return;
  link.plan = nullptr;
  ledger_.lost(link.connection->number());
  plan_.lose(link.connection->number(), steady_now_ns());
  link.connection->close();
}

void StreamSender::remove_gone() {
  std::erase_if(links_, [](const Link& link) { return link.connection->gone(); });
}

void StreamSender::check() {
  const int64_t now_ns = steady_now_ns();
  // This process was stalled, and messages wait to be read. Do not leave receivers behind for that.
  if (now_ns - std::exchange(checked_ns_, now_ns) > kStoodStillNs) return;
  for (Link& link : links_) {
    link.connection->check(now_ns, pace_.delay_ns());
    if (link.plan == nullptr && now_ns - link.left_at_ns > kLeaveTimeoutNs) close_link(link);
  }
  remove_gone();
  check_group();
  check_silent();
  check_trouble(now_ns);
  check_ready();
  make_up_for_lost(now_ns);
}

void StreamSender::check_trouble(int64_t now_ns) {
  for (Link& link : links_) {
    if (!link.counts()) continue;
    const bool behind = is_passed_over(link) && link.connection->accepted();
    if (!behind) link.behind_since_ns = 0;
    if (behind && link.behind_since_ns == 0) link.behind_since_ns = now_ns;
    const ReceiverConnection::Trouble trouble = trouble_of(link, now_ns);
    const bool none = trouble.what == LinkTrouble::kNone;
    if (!none && now_ns - trouble.since_ns < kTroubleNs) continue;
    const bool instead = link.connection->instead_of_udp();
    // A receiver in trouble is reported once; its transport is, when frames reach it.
    const bool known =
        none ? !link.trouble_told && instead == link.instead_told : link.trouble_told;
    if (known) continue;
    link.trouble_told = !none;
    link.instead_told = instead;
    LinkStats told{.receiver = link.connection->receiver(),
                   .trouble = trouble.what,
                   .trouble_text = trouble.text};
    if (instead) told.instead_of = Transport::kUdp;
    handlers_.on_trouble(told);
  }
}

ReceiverConnection::Trouble StreamSender::trouble_of(const Link& link, int64_t now_ns) const {
  const ReceiverConnection::Trouble& known = link.connection->trouble();
  const int64_t since_ns = link.behind_since_ns;
  if (known.what != LinkTrouble::kNone || since_ns == 0 || now_ns - since_ns < kTroubleNs) {
    return known;
  }
  if (link.unreachable) {
    return {LinkTrouble::kNoAnswer, since_ns, "its host no longer responds"};
  }
  return {LinkTrouble::kNotReady, since_ns, "frames were accepted but none was reported ready"};
}

// Leave stalled or unreachable receivers behind in time, and not only at the next check().
void StreamSender::watch_timeout() {
  if (!plan_.waits_since_ns() || std::exchange(timeout_runs_, true)) return;
  timeout_.start(kTimeoutStepMs, 0, [this, due_ns = steady_now_ns() + kTimeoutStepNs] {
    timeout_runs_ = false;
    const int64_t now_ns = steady_now_ns();
    const bool stood_still = now_ns - due_ns > kStoodStillNs;
    const bool waits = now_ns - plan_.waits_since_ns().value_or(now_ns) >= kTimeoutStepNs / 2;
    waits && !stood_still ? check_silent() : watch_timeout();
  });
}

void StreamSender::check_silent() {
  const int64_t now_ns = steady_now_ns();
  plan_.tick(now_ns);
  check_unreachable(now_ns);
  carry_out_plan();
  // Unreported frames of this receiver must not hold up other frames.
  for (const Link& link : links_) {
    if (!is_passed_over(link)) continue;
    const auto since_ns = link.connection->owes_since_ns();
    const int64_t wait_timeout_ns = link.unreachable ? 0 : AdaptiveTimeout::kShortestNs;
    if (since_ns && now_ns - *since_ns >= wait_timeout_ns) ledger_.lost(link.connection->number());
  }
  serve_all();
  publish();
}

// If nothing reaches any receiver, this machine is cut off, and the receivers remain in step.
void StreamSender::check_unreachable(int64_t now_ns) {
  bool any_there = false;
  for (Link& link : links_) {
    link.unreachable = link.counts() && link.connection->is_unreachable(now_ns);
    const bool there = link.connection->accepted() && !link.unreachable;
    any_there |= link.counts() && there && !is_passed_over(link);
  }
  for (const Link& link : links_) {
    if (!any_there || !link.unreachable || is_passed_over(link)) continue;
    plan_.mark_unreachable(link.connection->number(), now_ns);
    if (!is_passed_over(link)) continue;
    log_.info("stream {}: receiver '{}' is unreachable: the other receivers continue without it",
              stream_, link.connection->receiver());
  }
}

bool StreamSender::is_passed_over(const Link& link) const {
  return link.counts() && plan_.goes_on_without(link.connection->number());
}

void StreamSender::make_up_for_lost(int64_t now_ns) {
  const uint64_t last = submit_queue_.status().frames_submitted;
  if (last != last_submitted_) {
    last_submitted_ = last;
    still_since_ns_ = now_ns;
  }
  if (!newest_ || now_ns - still_since_ns_ < kStillNs) return;
  // The newest frame was turned away. Report this once, like lost frames.
  bool lost = newest_->number() < last && std::exchange(made_up_for_, last) != last;
  for (Link& link : links_) {
    const bool of_newest = link.plan != nullptr && link.sent_frame == newest_->number();
    if (std::exchange(link.lost, false) && of_newest) lost = true;
  }
  if (lost) ask_again();
}

StreamStats StreamSender::stats(int64_t now_ns) {
  const SubmitQueue::Status status = submit_queue_.status();
  const FrameLedger::Recent recent = ledger_.take_recent();
  const double seconds = std::max(static_cast<double>(now_ns - last_stats_ns_) / 1e9, 1e-3);
  const auto bytes = static_cast<double>(bytes_sent_ - bytes_at_last_stats_);
  last_stats_ns_ = now_ns;
  bytes_at_last_stats_ = bytes_sent_;
  StreamStats stats{.stream = stream_,
                    .frames_submitted = status.frames_submitted,
                    .frames_sent = status.frames_sent,
                    .frames_shown = status.frames_shown,
                    .frames_dropped = status.frames_dropped,
                    .bytes_sent = bytes_sent_,
                    .fps_shown = static_cast<double>(recent.shown) / seconds,
                    .mbit_per_s = bytes * 8 / 1e6 / seconds,
                    .latency_ms_p50 = recent.latency_ms_p50,
                    .latency_ms_p99 = recent.latency_ms_p99,
                    .skew_us_p50 = recent.skew_us_p50,
                    .skew_us_p99 = recent.skew_us_p99,
                    .delay_ms = static_cast<double>(pace_.delay_ns()) / 1e6,
                    .dropped = ledger_.drops(),
                    .links = {}};
  // Frames unknown to the ledger were turned away at the gate.
  stats.dropped.unsent += status.frames_dropped - ledger_.counters().dropped;
  for (Link& link : links_) {
    if (!link.counts()) continue;
    LinkStats& told = stats.links.emplace_back(link.connection->stats(now_ns));
    told.reduction = link.step.steps();
    if (auto trouble = trouble_of(link, now_ns); trouble.what != LinkTrouble::kNone) {
      told.trouble = trouble.what;
      const double seconds_since = static_cast<double>(now_ns - trouble.since_ns) / 1e9;
      told.trouble_s = std::max(seconds_since, kTroubleSeconds.min);
      told.trouble_text = std::move(trouble.text);
    }
    const SwapBarrier::HeldUp held_up = plan_.shown().take_held_up(link.connection->number());
    told.held_up_ms = held_up.mean_ms;
    told.left_behind = held_up.left_behind;
  }
  plan_.shown().begin_held_up();
  return stats;
}

}  // namespace sail
