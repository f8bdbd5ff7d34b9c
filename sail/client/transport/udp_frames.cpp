#include "sail/client/transport/udp_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A receiver may request twice a frame's symbols plus this number; further requests are ignored.
constexpr uint32_t kMoreRepeats = 32;
constexpr double kAgainRoundTrips = 0.8;
constexpr int64_t kAgainNs = kMillisecondNs;  // minimum

int64_t to_ns(double ns) {
  return static_cast<int64_t>(ns);
}

}  // namespace

UdpFrames::UdpFrames(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream,
                     const Address& to, size_t symbol_bytes, bool sealed, Handlers handlers)
    : clock_(clock),
      stream_(stream),
      symbol_bytes_(symbol_bytes),
      sealed_(sealed),
      handlers_(std::move(handlers)),
      link_(loop, clock, log, stream, to,
            {.on_feedback = [this](const Feedback& feedback) { on_feedback(feedback); },
             .on_messages = [this](std::span<const uint8_t> bytes) { on_messages(bytes); }}),
      timer_(loop, [this] { on_timer(); }),
      packets_(link_, symbol_bytes, sealed,
               [this](int sources) { return link_.fec_share().parity_for(sources); }) {}

Result<void> UdpFrames::start(TcpConnection& /*tcp*/, const StreamAccept& accept,
                              int64_t round_trip_ns) {
  if (auto started = link_.start(accept, sealed_, round_trip_ns); !started) return started;
  packets_.start();
  base_.forget();
  member_ = {};
  messages_.start();
  silence_.begin(steady_now_ns());
  begun_ns_ = steady_now_ns();
  arm();
  return {};
}

void UdpFrames::stop() {
  leave_group();
  timer_.stop();
  link_.stop();
  packets_.abort();
  sent_untold_ = false;
  messages_.stop();
  for (KeptFrame& frame : kept_) drop(frame);
}

// --- frames -------------------------------------------------------------------------------------

bool UdpFrames::takes_frame() const {
  return !sending() && std::ranges::any_of(kept_, &KeptFrame::free);
}

void UdpFrames::begin(OutgoingFrame outgoing) {
  KeptFrame& frame = *std::ranges::find_if(kept_, &KeptFrame::free);
  frame.begin(outgoing);
  interval_ns_ = outgoing.interval_ns;
  held_back_ = false;
  sent_untold_ = false;
  if (outgoing.by_group && group_ != nullptr) frame.shared = group_->begin(outgoing, *this);
  if (frame.shared) return arm();  // the receiver may soon lack something
  packets_.begin(frame);
  const uint64_t base = base_.begin(frame, outgoing.plan->grid());
  frame.messages.begin(std::move(outgoing), stream_, base);
}

size_t UdpFrames::pump() {
  if (packets_.frame() != nullptr) {
    add_rows();
    send_due();
    arm();
  }
  const size_t by_group = group_ == nullptr ? 0 : group_->pump();
  return by_group + static_cast<size_t>(link_.bytes_sent() -
                                        std::exchange(bytes_reported_, link_.bytes_sent()));
}

void UdpFrames::repeat_message(std::span<const uint8_t> message) {
  // Three packets to each of many receivers would have more bytes than the frame.
  messages_.repeat_message(message, steady_now_ns(), group_ != nullptr && loss() <= 0);
  repeat_when_due(steady_now_ns());
  arm();
}

void UdpFrames::add_rows() {
  KeptFrame& frame = *packets_.frame();
  frame.messages.add_rows(frame.held, clock_);
  frame.symbols.set_parts(frame.messages.parts(), symbol_bytes_, frame.messages.whole());
  frame.sent_us.resize(frame.symbols.count());
}

void UdpFrames::finish_sending() {
  const auto took_ns = static_cast<double>(clock_.wall_now_ns() - packets_.frame()->submitted_ns);
  const auto before_ns = static_cast<double>(sending_ns_);
  sending_ns_ = to_ns(std::max(took_ns, before_ns + (took_ns - before_ns) * kNewestFrameWeight));
  packets_.end();
  sent_untold_ = true;
}

KeptFrame* UdpFrames::find(const FrameName& name) {
  if (name.frame == 0) return nullptr;
  const auto found = std::ranges::find(kept_, name, &KeptFrame::name);
  return found == kept_.end() ? nullptr : &*found;
}

bool UdpFrames::keeps_frames() const {
  return !std::ranges::all_of(kept_, &KeptFrame::free);
}

void UdpFrames::drop(KeptFrame& frame) {
  drop_messages(frame);
  frame.name = {};
}

void UdpFrames::drop_messages(KeptFrame& frame) {
  if (&frame == packets_.frame()) finish_sending();
  packets_.forget_repeats(frame.source());
  if (frame.shared) member_.count_sent(frame.shared->sent);
  frame.release();
}

void UdpFrames::reported(const FrameReport& report) {
  if (report.cause == DropCause::kIncomplete) base_.forget();
  if (report.cause == DropCause::kLost || report.cause == DropCause::kSuperseded) {
    trouble_ns_ = steady_now_ns();
  }
  KeptFrame* frame = find({report.frame, report.epoch});
  if (frame == nullptr) return;
  drop_messages(*frame);
  if (report.outcome == FrameOutcome::kShown && frame->all_sent) base_.set_received(*frame);
  drop(*frame);
  arm();
}

// --- time ---------------------------------------------------------------------------------------

void UdpFrames::on_timer() {
  const int64_t now_ns = steady_now_ns();
  give_up_late();
  send_due();
  if (group_ != nullptr) messages_.note_group_packet(group_->sent_at_ns());
  if (messages_.take_probe(now_ns, keeps_frames())) link_.send(probe());
  repeat_when_due(now_ns);
  arm();
  // Last, because the callbacks may stop everything.
  if (std::exchange(sent_untold_, false)) handlers_.on_sent();
  messages_.deliver(handlers_.on_message);
}

void UdpFrames::arm() {
  if (sent_untold_ || messages_.has_taken()) return timer_.start_at(0);
  const int64_t at_ns =
      packets_.anything_to_send() ? pacer_.next_ns() : messages_.probe_at_ns(keeps_frames());
  timer_.start_at(std::min(at_ns, messages_.repeat_at_ns()));
}

void UdpFrames::repeat_when_due(int64_t now_ns) {
  if (const auto messages = messages_.take_repeat(now_ns); !messages.empty()) link_.send(messages);
}

// Releases frames that the receiver has given up by now.
void UdpFrames::give_up_late() {
  const int64_t now_ns = clock_.wall_now_ns();
  for (KeptFrame& frame : kept_) {
    // A frame being sent is finished: while packets arrive, the receiver waits for the rest.
    const bool being_sent = &frame == packets_.frame() || group_sends(frame);
    const bool late = !being_sent && frame.deadline_ns != 0 && now_ns > frame.deadline_ns;
    if (late && (frame.shared || !frame.messages.empty())) drop_messages(frame);
  }
}

bool UdpFrames::in_time(const KeptFrame& frame) const {
  return frame.deadline_ns == 0 ||
         clock_.wall_now_ns() + link_.round_trip().mean_ns() / 2 < frame.deadline_ns;
}

std::optional<std::string> UdpFrames::stuck(int64_t now_ns) {
  silence_.update(now_ns, keeps_frames());
  if (silence_.too_long()) {
    return fmt::format("no packet received from the receiver for {} ms",
                       PacketSilence::kTooLongNs / kMillisecondNs);
  }
  if (packets_.frame() != nullptr && packets_.frame()->symbols.count() > kMaxSymbols) {
    return fmt::format("a frame needs more than {} packets", kMaxSymbols);
  }
  return std::nullopt;
}

std::optional<FrameTransport::PathDelays> UdpFrames::path_delays() const {
  return PathDelays{.round_trip_ns = link_.round_trip().mean_ns(),
                    .jitter_ns = link_.jitter_ns(),
                    .sending_ns = std::max({sending_ns_, group_ ? group_->sending_ns() : 0,
                                            FramePackets::spread_ns(interval_ns_)}),
                    .trouble_ns = trouble_ns_,
                    .begun_ns = begun_ns_};
}

void UdpFrames::send_due() {
  const int64_t now_ns = steady_now_ns();
  while (packets_.anything_to_send()) {
    const FramePackets::Path path{.interval_ns = interval_ns_,
                                  .round_trip_ns = link_.round_trip().mean_ns(),
                                  .limit_bytes_per_s = link_.limit_bytes_per_s()};
    const double grant = pacer_.grant(now_ns, packets_.need(path, now_ns, clock_.wall_now_ns()));
    if (pacer_.take_limited()) {
      link_.set_limited();
      held_back_ = true;
    }
    if (grant <= 0) return;
    const FramePackets::Sent sent = packets_.send(grant);
    if (sent.any) messages_.note_packet(now_ns);
    pacer_.sent(now_ns, sent.bytes);
    if (packets_.frame() != nullptr && packets_.all_sent()) finish_sending();
    // The socket buffer is full: continue at the next timer.
    if (!sent.all) return;
  }
}

// --- the multicast group ------------------------------------------------------------------------

void UdpFrames::enter_group(MulticastFrames& group) {
  group_ = &group;
  group.add(*this);
  member_.enter();
}

void UdpFrames::leave_group() {
  if (group_ != nullptr) group_->remove(*this);
  group_ = nullptr;
  member_.leave();
}

bool UdpFrames::group_sends() const {
  return group_ != nullptr && group_->frame() != nullptr &&
         std::ranges::any_of(kept_, [this](const KeptFrame& frame) { return group_sends(frame); });
}

// The probe is about the frame begun last, whether the link or the group sends that frame. A
// receiver that has left the group may know nothing of the group's last frames, for which the link
// waits.
Probe UdpFrames::probe() const {
  Probe newest = packets_.probe();
  if (group_ != nullptr && begun_before(newest.name, group_->probe().name)) {
    newest = group_->probe();
  }
  for (const KeptFrame& frame : kept_) {
    if (frame.free() || !frame.shared || !begun_before(newest.name, frame.name)) continue;
    newest = {.name = frame.name, .symbols = frame.shared->sent, .whole = frame.shared->all_sent};
  }
  return newest;
}

LinkStats UdpFrames::stats(int64_t now_ns) {
  LinkStats stats = link_.stats(now_ns);
  stats.multicast = group_ != nullptr;
  stats.multicast_trouble = member_.why();
  return stats;
}

// --- feedback -----------------------------------------------------------------------------------

void UdpFrames::on_feedback(const Feedback& feedback) {
  silence_.answer(steady_now_ns());
  KeptFrame* whole = find(feedback.whole);
  if (whole != nullptr && whole->source().all_sent) {
    drop_messages(*whole);
    base_.set_received(*whole);
    // The receiver has all earlier frames, or has given them up.
    const FrameName newest = whole->name;
    for (KeptFrame& frame : kept_) {
      if (!frame.free() && !begun_before(newest, frame.name)) drop(frame);
    }
  }
  for (const Missing& missing : feedback.missing) repeat_missing(missing);
  arm();
}

// Queued for the timer, because their handling may end the link that is just delivering them.
void UdpFrames::on_messages(std::span<const uint8_t> messages) {
  if (messages_.take(messages)) arm();
}

void UdpFrames::repeat_missing(const Missing& missing) {
  KeptFrame* frame = find(missing.name);
  if (frame == nullptr || frame->source().messages.empty() || !in_time(*frame)) return;
  KeptFrame& source = frame->source();
  const uint32_t end = std::min(missing.first + missing.count, source.sent);
  const uint32_t most = 2 * source.sent + kMoreRepeats;
  if (frame->shared) frame->sent_us.resize(source.sent_us.size());
  const uint32_t now_us = link_.now_us();
  const auto again_us = static_cast<uint32_t>(
      std::max(to_ns(static_cast<double>(link_.round_trip().mean_ns()) * kAgainRoundTrips),
               kAgainNs) /
      1000);
  for (uint32_t symbol = missing.first; symbol < end && packets_.takes_repeat(); ++symbol) {
    if (frame->repeated >= most) return;
    uint32_t& repeated_us = frame->sent_us[symbol];
    const uint32_t last_us = repeated_us != 0 ? repeated_us : source.sent_us[symbol];
    if (now_us - last_us < again_us) continue;
    if (frame->shared && repeated_us == 0) member_.count_missed();
    ++frame->repeated;
    trouble_ns_ = steady_now_ns();
    repeated_us = now_us;
    packets_.repeat(source, symbol);
  }
}

}  // namespace sail
