#include "sail/client/sender/stream_sender.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// After this time a receiver that left the map is no longer waited for.
constexpr int64_t kLeaveTimeoutNs = kMillisecondNs * (kTransactionTimeoutMs + kStallTimeoutMs);

}  // namespace

StreamSender::StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
                           const Options& options, SubmitQueue& submit_queue,
                           const WallClock& clock, const Log& log, Handlers handlers)
    : loop_(loop),
      codec_(codec),
      shape_(shape),
      mtu_(options.mtu),
      submit_queue_(submit_queue),
      clock_(clock),
      handlers_(std::move(handlers)),
      links_(loop, *this, clock, log, shape.max_reduction),
      swaps_(
          loop,
          {.apart = options.apart,
           .part = options.part,
           .interval_ns = options.fps > 0 ? 1e9 / options.fps : 0},
          links_, submit_queue, clock, log,
          {.on_waiting = [this] { checks_.watch_waiting(); },
           .on_epoch_ready = [this](const EpochReady& ready) { handlers_.on_epoch_ready(ready); }}),
      pace_(options.fps, options.delay_ms),
      feed_({.links = links_,
             .routes = routes_,
             .swaps = swaps_,
             .ledger = ledger_,
             .pace = pace_,
             .clock = clock,
             .log = log,
             .trace = options.trace}),
      checks_(loop, {.check = [this] { check(); },
                     .check_waiting = [this] { check_silent(); },
                     .waits_since_ns = [this] { return swaps_.waits_since_ns(); }}) {}

// --- opening and closing ------------------------------------------------------------------------

void StreamSender::open(const StreamOpened& opened, std::function<void()> on_ready) {
  StreamOpen open{.secret = opened.secret,
                  .codec = codec_,
                  .frame_size = shape_.frame_size,
                  .block_size = shape_.block_size};
  if (opened.transport == Transport::kUdp) {
    open.symbol_bytes = static_cast<uint16_t>(symbol_bytes_for(mtu_ != 0 ? mtu_ : opened.mtu));
  }
  links_.open(opened.stream, open);
  routes_.clear();
  swaps_.reset();
  on_ready_ = std::move(on_ready);
  opened_at_ns_ = last_stats_ns_ = steady_now_ns();
  update_limit();
  submit_queue_.set_open(true);
  checks_.start();
}

void StreamSender::suspend() {
  routes_.clear();
  swaps_.reset();
  on_ready_ = nullptr;
  submit_queue_.set_open(false);
  checks_.stop();
  for (StreamLink& link : links_) feed_.close(link);
  links_.remove_gone();
  ledger_.abandon();
  publish();
}

void StreamSender::close(std::function<void()> on_gone) {
  suspend();
  feed_.set_newest({});
  links_.await_none(std::move(on_gone));
}

void StreamSender::check_ready() {
  if (!on_ready_) return;
  const bool all_accept = routes_.routed() && links_.all_accept();
  const bool late = steady_now_ns() - opened_at_ns_ > kMillisecondNs * kStallTimeoutMs;
  if (all_accept || late) loop_.post(std::exchange(on_ready_, nullptr));
}

// --- routes -------------------------------------------------------------------------------------

Result<RoutePlan> StreamSender::plan_of(const Routes& routes) const {
  return make_route_plan(routes, shape_, links_.extra_reductions());
}

Result<void> StreamSender::route(const Routes& routes) {
  auto map = plan_of(routes);
  if (!map) return std::move(map.error());
  const auto added = routes_.add(routes, *std::move(map), feed_.newest().get());
  if (!added) return added.error();
  // Tiles show the stream by the previous map until the layout takes effect.
  const bool leaves = added->change == RouteHistory::Change::kLeave;
  const RoutePlan& newest = routes_.newest();
  // Before on_window, whose handler may query it.
  update_submit_queue(newest, leaves ? routes_.map() : newest);
  if (added->moved) handlers_.on_window(newest.wall_rect);
  if (added->change == RouteHistory::Change::kAtOnce) {
    follow_map();
  } else if (added->change == RouteHistory::Change::kNextFrame) {
    links_.prepare(newest);
    ask_again();
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

void StreamSender::follow_map() {
  const RoutePlan& map = routes_.map();
  const FrameRef& newest = feed_.newest();
  const std::vector<uint32_t> members = links_.follow(map);
  swaps_.follow(map.epoch, members, routes_.newest_routes().group_members);
  const bool covered = !newest || routes_.covers(*newest);
  ledger_.route(map.epoch, static_cast<uint32_t>(members.size()), covered);
  update_limit();
  serve_all();
  publish();
  check_ready();
  const bool all_covered = !newest || std::ranges::all_of(map.receivers, [&](const auto& plan) {
    return plan->covered_by(*newest);
  });
  if (!all_covered) ask_again();
}

void StreamSender::take_next_map() {
  if (routes_.take_next()) return follow_map();
  links_.follow_sizes(routes_.map());
}

void StreamSender::take_effect(const TakeEffect& taken) {
  // The manager did not wait for this stream.
  if (routes_.awaits_layout() && routes_.next()->epoch == taken.epoch) {
    update_submit_queue(*routes_.next(), *routes_.next());
    take_next_map();
  }
  swaps_.take_effect(taken);
  routes_.take_effect(swaps_.epoch());
  swaps_.carry_out();
  swaps_.check_recorders();
}

void StreamSender::restore_rolled_back_routes() {
  const auto routes = routes_.take_rolled_back();
  if (!routes) return;
  // Receivers already show this frame; they show newer ones when all have them.
  const uint64_t shown = swaps_.shown().gone();
  if (!route(*routes)) return;
  take_effect({.stream = links_.stream(), .epoch = routes->epoch, .frame = 0, .at_ns = 0});
  if (shown == 0) return;
  links_.show({.frame = shown, .epoch = routes->epoch, .at_ns = clock_.wall_now_ns()});
}

void StreamSender::go_on_alone() {
  if (swaps_.epoch() == 0) return suspend();
  if (!swaps_.changing() && !routes_.awaits_layout()) return;
  if (swaps_.changing()) swaps_.revert(feed_.newest_number());
  routes_.roll_back();
  if (auto map = plan_of(routes_.newest_routes())) {
    update_submit_queue(*map, *map);
    routes_.follow(*std::move(map));
    follow_map();
  }
  swaps_.carry_out();
  // Some frames were sent only by the other map.
  ask_again();
}

std::optional<Resume> StreamSender::resume() {
  routes_.take_rolled_back();
  if (swaps_.epoch() == 0) return std::nullopt;
  return Resume{.window = 0, .secret = links_.secret(), .routes = routes_.in_effect()};
}

// --- frames -------------------------------------------------------------------------------------

void StreamSender::begin(FrameRef frame) {
  // Capturing two plain pointers needs no allocation in std::function. A running loop never loses a
  // task, so the reference is not lost either.
  loop_.post([this, plain = frame.release()] { handle_frame(FrameRef::adopt(plain)); });
}

void StreamSender::rows_ready() {
  if (rows_posted_.exchange(true, std::memory_order_acq_rel)) return;
  loop_.post([this] { handle_rows(); });
}

void StreamSender::handle_rows() {
  // Clear the flag first: rows finished later post another task.
  rows_posted_.exchange(false, std::memory_order_acq_rel);
  serve_all();
}

void StreamSender::handle_frame(FrameRef frame) {
  serve_all();  // the previous frame is complete by now
  if (routes_.next() && frame->is_for(*routes_.next()->wanted)) take_next_map();
  if (feed_.adapt_sizes()) {
    auto map = plan_of(routes_.newest_routes());
    // Without a receiver there is nobody to send smaller pictures to.
    if (map && !map->receivers.empty()) {
      update_submit_queue(*map, *map);
      routes_.plan_again(*std::move(map));
    }
  }
  if (!routes_.covers(*frame)) {
    // The map changed while the frame was encoded.
    submit_queue_.turn_away();
    handlers_.on_fate({.number = frame->number(), .submitted_ns = frame->submitted_ns()});
    ask_again();
    return;
  }
  feed_.set_newest(std::move(frame));
  const EncodedFrame& newest = *feed_.newest();
  pace_.add_frame(newest.number(), newest.submitted_ns());
  swaps_.add(newest);
  pace_.adapt(steady_now_ns(), links_.slowest_way());
  update_limit();
  ledger_.add(newest.number(), newest.submitted_ns());
  serve_all();
  publish();
}

void StreamSender::serve_all() {
  feed_.serve_all();
  if (!ledger_.told().empty()) publish();
}

void StreamSender::publish() {
  const FrameLedger::Counters& counters = ledger_.counters();
  submit_queue_.settle(ledger_.told().size(), counters.sent, counters.shown, feed_.bytes_sent());
  for (const FrameFate& fate : ledger_.told()) handlers_.on_fate(fate);
  ledger_.clear_reported();
}

// --- connections --------------------------------------------------------------------------------

void StreamSender::on_accepted(ReceiverConnection& connection) {
  StreamLink& link = links_.of(connection);
  link.forget_sent();
  update_limit();
  feed_.serve(link);
  check_ready();
}

void StreamSender::on_ready(ReceiverConnection& connection, const FrameReady& ready) {
  swaps_.ready(links_.of(connection), ready);
}

void StreamSender::on_report(ReceiverConnection& connection, const FrameReport& report) {
  StreamLink& link = links_.of(connection);
  const bool overruled =
      !link.recorder && report.cause == DropCause::kOldEpoch && report.epoch == swaps_.epoch();
  if (!link.recorder) {
    ledger_.reported(link.number(), report);
    swaps_.reported(link, report);
  }
  link.note_report(report);
  serve_all();  // the other receivers may have waited for this one
  publish();
  if (overruled) restore_rolled_back_routes();
}

void StreamSender::on_sent(ReceiverConnection& /*connection*/) {
  serve_all();
  publish();
}

void StreamSender::on_lost(ReceiverConnection& connection) {
  ledger_.lost(connection.number());
  swaps_.lose(links_.of(connection));
  swaps_.carry_out();
  update_limit();
  publish();
}

// --- checks -------------------------------------------------------------------------------------

void StreamSender::check() {
  const int64_t now_ns = steady_now_ns();
  for (StreamLink& link : links_) {
    link.connection->check(now_ns, pace_.delay_ns());
    if (link.plan == nullptr && now_ns - link.left_at_ns > kLeaveTimeoutNs) feed_.close(link);
  }
  links_.remove_gone();
  swaps_.check_group();
  check_silent();
  for (StreamLink& link : links_) {
    if (!link.counts()) continue;
    const bool behind = link.takes_part() && swaps_.goes_on_without(link);
    if (const auto told = link.take_trouble(now_ns, behind)) handlers_.on_trouble(*told);
  }
  check_ready();
  make_up_for_lost(now_ns);
}

void StreamSender::check_silent() {
  const int64_t now_ns = steady_now_ns();
  swaps_.check();
  // Unreported frames of this receiver must not hold up other frames.
  for (const StreamLink& link : links_) {
    if (!swaps_.goes_on_without(link)) continue;
    const auto since_ns = link.connection->owes_since_ns();
    const int64_t wait_timeout_ns = link.unreachable ? 0 : AdaptiveTimeout::kShortestNs;
    if (since_ns && now_ns - *since_ns >= wait_timeout_ns) ledger_.lost(link.number());
  }
  serve_all();
  publish();
}

void StreamSender::make_up_for_lost(int64_t now_ns) {
  const bool still = lost_frames_.is_still(submit_queue_.status().frames_submitted, now_ns);
  if (!still || !feed_.newest()) return;
  const uint64_t newest = feed_.newest_number();
  const bool turned_away = lost_frames_.take_turned_away(newest);
  if (links_.take_lost(newest) || turned_away) ask_again();
}

// --- figures ------------------------------------------------------------------------------------

StreamStats StreamSender::stats(int64_t now_ns) {
  const SubmitQueue::Status status = submit_queue_.status();
  const FrameLedger::Recent recent = ledger_.take_recent();
  const double seconds =
      std::max(static_cast<double>(now_ns - std::exchange(last_stats_ns_, now_ns)) / 1e9, 1e-3);
  const uint64_t sent = feed_.bytes_sent();
  const auto bytes = static_cast<double>(sent - std::exchange(bytes_at_last_stats_, sent));
  StreamStats stats{.stream = links_.stream(),
                    .frames_submitted = status.frames_submitted,
                    .frames_sent = status.frames_sent,
                    .frames_shown = status.frames_shown,
                    .frames_dropped = status.frames_dropped,
                    .bytes_sent = sent,
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
  for (const StreamLink& link : links_) {
    if (!link.counts()) continue;
    LinkStats& told = stats.links.emplace_back(link.stats(now_ns));
    const SwapBarrier::HeldUp held_up = swaps_.shown().take_held_up(link.number());
    told.held_up_ms = held_up.mean_ms;
    told.left_behind = held_up.left_behind;
  }
  swaps_.shown().begin_held_up();
  return stats;
}

}  // namespace sail
