#include "sail/client/sender/stream_sender.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// After this time a receiver that left the map is no longer waited for.
constexpr int64_t kLeaveTimeoutNs = kMillisecondNs * (kTransactionTimeoutMs + kStallTimeoutMs);
// Frames in addition, from when a silent link is waited for until the frames that waited are shown:
// enough at 60 frames a second.
constexpr int kMostOwedFrames = 4;

}  // namespace

StreamSender::StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
                           const Options& options, SubmitQueue& submit_queue,
                           const WallClock& clock, const Log& log, Handlers handlers)
    : loop_(loop),
      codec_(codec),
      shape_(shape),
      mtu_(options.mtu),
      submit_queue_(submit_queue),
      handlers_(std::move(handlers)),
      links_(loop, *this, clock, log, shape.max_reduction),
      multicast_(loop, clock, log, links_, [this] { serve_all(); }),
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
             .multicast = multicast_,
             .routes = history_,
             .swaps = swaps_,
             .ledger = ledger_,
             .pace = pace_,
             .clock = clock,
             .log = log,
             .trace = options.trace}),
      routes_({.history = history_,
               .links = links_,
               .swaps = swaps_,
               .ledger = ledger_,
               .feed = feed_,
               .submit_queue = submit_queue,
               .shape = shape_},
              {.on_followed = [this] { send_by_new_map(); },
               .on_window = [this](const Rect& wall_rect) { handlers_.on_window(wall_rect); },
               .on_refresh = [this] { handlers_.on_refresh(); }}),
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
  suspend();
  links_.open(opened.stream, open);
  multicast_.open(opened.multicast, opened.multicast_hops);
  on_ready_ = std::move(on_ready);
  opened_at_ns_ = steady_now_ns();
  meter_.restart(opened_at_ns_);
  update_limit();
  submit_queue_.set_open(true);
  checks_.start();
}

void StreamSender::suspend() {
  history_.clear();
  swaps_.reset();
  on_ready_ = nullptr;
  submit_queue_.set_open(false);
  checks_.stop();
  for (StreamLink& link : links_) feed_.close(link);
  multicast_.open({}, 1);
  links_.remove_gone();
  ledger_.abandon();
  publish();
}

void StreamSender::close(std::function<void()> on_gone) {
  suspend();
  feed_.set_newest({});
  links_.notify_when_empty(std::move(on_gone));
}

void StreamSender::check_ready() {
  if (!on_ready_) return;
  const bool all_accept = history_.routed() && links_.all_accept();
  const bool late = steady_now_ns() - opened_at_ns_ > kMillisecondNs * kStallTimeoutMs;
  if (all_accept || late) loop_.post(std::exchange(on_ready_, nullptr));
}

void StreamSender::continue_without_manager() {
  if (swaps_.epoch() == 0) return suspend();
  routes_.roll_back();
}

// --- frames -------------------------------------------------------------------------------------

void StreamSender::begin(FrameRef frame) {
  // Capturing two plain pointers needs no allocation in std::function. A running loop never loses a
  // task, so the reference is not lost either.
  loop_.post([this, plain = frame.release()] { handle_frame(FrameRef::adopt(plain)); });
}

void StreamSender::rows_ready() {
  if (rows_posted_.exchange(true, std::memory_order_acq_rel)) return;
  loop_.post([this] {
    // Clear the flag first: rows finished later post another task.
    rows_posted_.exchange(false, std::memory_order_acq_rel);
    serve_all();
  });
}

void StreamSender::handle_frame(FrameRef frame) {
  serve_all();  // the previous frame is complete by now
  routes_.add(*frame);
  if (feed_.adapt_sizes()) routes_.plan_again();
  if (!history_.covers(*frame)) {
    // The map changed while the frame was encoded.
    submit_queue_.withdraw();
    handlers_.on_fate({.number = frame->number(), .submitted_ns = frame->submitted_ns()});
    routes_.request_frame();
    return;
  }
  feed_.set_newest(std::move(frame));
  const EncodedFrame& newest = *feed_.newest();
  pace_.add_frame(newest.number(), newest.submitted_ns());
  swaps_.add(newest);
  pace_.adapt(steady_now_ns(), links_.slowest_path());
  links_.adapt_recorders(newest.number(), newest.submitted_ns(), steady_now_ns());
  update_limit();
  ledger_.add(newest.number(), newest.submitted_ns());
  serve_all();
}

void StreamSender::serve_all() {
  feed_.serve_all();
  publish();
}

void StreamSender::send_by_new_map() {
  update_limit();
  serve_all();
  check_ready();
}

// Frames that wait for a silent link leave room for others, until all that waited are shown.
void StreamSender::update_limit() {
  const bool silent = std::ranges::any_of(links_, [this](const StreamLink& link) {
    return link.is_active() && link.connection->is_silent() && !swaps_.is_left_behind(link);
  });
  const bool waits = silent || swaps_.catches_up(steady_now_ns());
  submit_queue_.set_limit(links_.limit_frames(pace_, waits ? kMostOwedFrames : 0));
}

void StreamSender::publish() {
  const FrameLedger::Counters& counters = ledger_.counters();
  submit_queue_.update(ledger_.decided().size(), counters.sent, counters.shown, feed_.bytes_sent());
  for (const FrameFate& fate : ledger_.decided()) handlers_.on_fate(fate);
  ledger_.clear_decided();
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
  if (overruled) routes_.restore_rolled_back();
}

void StreamSender::on_lost(ReceiverConnection& connection) {
  ledger_.lost(connection.number());
  swaps_.lose(links_.of(connection));
  swaps_.execute();
  update_limit();
  publish();
}

// --- checks -------------------------------------------------------------------------------------

void StreamSender::check() {
  const int64_t now_ns = steady_now_ns();
  for (StreamLink& link : links_) {
    link.connection->check(now_ns, link.delay_ns(pace_));
    if (link.plan == nullptr && now_ns - link.left_at_ns > kLeaveTimeoutNs) feed_.close(link);
  }
  links_.remove_gone();
  multicast_.check(now_ns);
  swaps_.check_group();
  check_silent();
  for (const LinkStats& trouble : swaps_.take_troubles(now_ns)) handlers_.on_trouble(trouble);
  check_ready();
  request_lost_frame(now_ns);
}

void StreamSender::check_silent() {
  const int64_t now_ns = steady_now_ns();
  swaps_.check();
  // Unreported frames of this receiver must not hold up other frames.
  for (const StreamLink& link : links_) {
    if (!swaps_.is_left_behind(link)) continue;
    const auto since_ns = link.connection->unreported_since_ns();
    const int64_t wait_timeout_ns = link.unreachable ? 0 : AdaptiveTimeout::kShortestNs;
    if (since_ns && now_ns - *since_ns >= wait_timeout_ns) ledger_.lost(link.number());
  }
  update_limit();
  serve_all();
}

void StreamSender::request_lost_frame(int64_t now_ns) {
  const SubmitQueue::Status status = submit_queue_.status();
  if (!lost_frames_.is_still(status.frames_submitted, now_ns)) return;
  const uint64_t newest = feed_.newest_number();
  const bool undecoded = links_.is_undecoded(newest);
  const bool dark = status.visible && status.frames_submitted > 0 && status.frames_shown == 0 &&
                    status.frames_in_flight == 0 && !undecoded;
  const bool missing = lost_frames_.take_missing(newest, dark);
  const bool again = undecoded && lost_frames_.may_ask_again(now_ns);
  if (!links_.take_lost(newest) && !missing && !again) return;
  lost_frames_.note_request(again);
  routes_.request_frame();
}

// --- statistics ---------------------------------------------------------------------------------

StreamStats StreamSender::stats(int64_t now_ns) {
  StreamStats stats = meter_.stats(submit_queue_.status(), ledger_, feed_.bytes_sent(), now_ns);
  stats.stream = links_.stream();
  stats.delay_ms = static_cast<double>(pace_.delay_ns()) / 1e6;
  stats.links = swaps_.link_stats(now_ns);
  return stats;
}

}  // namespace sail
