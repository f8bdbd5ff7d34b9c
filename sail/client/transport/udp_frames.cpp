#include "sail/client/transport/udp_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Part of a frame's interval over which its packets are spread.
constexpr double kSpread = 0.9;
constexpr int64_t kProbeNs = 4 * kMillisecondNs;  // while a frame is not known to be complete
constexpr int64_t kIdleProbeNs = 100 * kMillisecondNs;
// Maximum number of symbols waiting for retransmission. The receiver requests the others again.
constexpr size_t kMaxRepeats = 2048;
// A receiver may request twice a frame's symbols plus this number; further requests are ignored.
constexpr uint32_t kMoreRepeats = 32;
constexpr double kAgainRoundTrips = 0.8;
constexpr int64_t kAgainNs = kMillisecondNs;  // minimum
constexpr double kFrameWeight = 0.125;        // weight of the newest frame in means

// Sorts after all frames.
constexpr FrameName kNoFrameYet{.frame = UINT64_MAX, .epoch = UINT64_MAX};

bool before(const FrameName& a, const FrameName& b) {
  return std::pair(a.frame, a.epoch) < std::pair(b.frame, b.epoch);
}

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
      head_bytes_(kFramePacketBytes + (sealed ? kPacketTagBytes : 0)),
      handlers_(std::move(handlers)),
      link_(loop, clock, log, stream, to,
            {.on_feedback = [this](const Feedback& feedback) { on_feedback(feedback); },
             .on_messages = [this](std::span<const uint8_t> bytes) { on_messages(bytes); }}),
      timer_(loop, [this] { on_timer(); }) {
  repeats_.reserve(kMaxRepeats);
  items_.reserve(PacketBatch::kMaxPackets);
}

Result<void> UdpFrames::start(TcpConnection& /*tcp*/, const StreamAccept& accept,
                              int64_t round_trip_ns) {
  if (auto started = link_.start(accept, sealed_, round_trip_ns); !started) return started;
  batch_.seal_with(link_.seal());
  forget_base();
  newest_ = {};
  sent_at_ns_ = 0;  // send a probe at once to measure the round trip
  silence_.begin(steady_now_ns());
  arm();
  return {};
}

void UdpFrames::stop() {
  timer_.stop();
  link_.stop();
  sending_ = nullptr;
  sent_untold_ = false;
  heard_packets_ = 0;
  said_ = {};
  for (Kept& frame : kept_) drop(frame);
}

// --- frames -------------------------------------------------------------------------------------

bool UdpFrames::takes_frame() const {
  return sending_ == nullptr && std::any_of(kept_.begin(), kept_.end(), [](const Kept& frame) {
           return frame.name.frame == 0;
         });
}

void UdpFrames::begin(OutgoingFrame outgoing) {
  sending_ = std::find_if(kept_.begin(), kept_.end(),
                          [](const Kept& frame) { return frame.name.frame == 0; });
  Kept& frame = *sending_;
  const BlockGrid& grid = outgoing.plan->grid();
  frame.name = outgoing.name();
  frame.submitted_ns = outgoing.submitted_ns;
  frame.deadline_ns =
      outgoing.delay_us == 0 ? 0 : outgoing.submitted_ns + int64_t{1000} * outgoing.delay_us;
  frame.sent = 0;
  frame.all_sent = false;
  frame.repeated = 0;
  frame.parities.clear();
  frame.symbols.clear();
  if (base_held_.grid != grid) {
    base_held_.grid = grid;
    forget_base();
  }
  if (base_ != 0) {
    frame.held = base_held_;
  } else {
    frame.held.forget(grid);
    // Consecutive frames without a base have the same blocks if they use the same map.
    if (floor_.epoch != frame.name.epoch) floor_ = frame.name;
  }
  interval_ns_ = outgoing.interval_ns;
  frame.messages.begin(std::move(outgoing), stream_, base_);
  cursor_ = {};
  held_back_ = false;
  sending_bytes_ = 0;
  sent_untold_ = false;
}

size_t UdpFrames::pump() {
  if (sending_ != nullptr) {
    add_rows();
    send_due();
    arm();
  }
  return static_cast<size_t>(link_.bytes_sent() - std::exchange(bytes_told_, link_.bytes_sent()));
}

void UdpFrames::say(std::span<const uint8_t> message) {
  said_.add(message, steady_now_ns());
  resend_when_due(steady_now_ns());
  arm();
}

void UdpFrames::add_rows() {
  Kept& frame = *sending_;
  frame.messages.add_rows(frame.held, clock_);
  frame.symbols.set_parts(frame.messages.parts(), symbol_bytes_, frame.messages.whole());
  frame.sent_us.resize(frame.symbols.count());
}

void UdpFrames::finish_sending() {
  const auto took_ns = static_cast<double>(clock_.wall_now_ns() - sending_->submitted_ns);
  const auto before_ns = static_cast<double>(sending_ns_);
  sending_ns_ = to_ns(std::max(took_ns, before_ns + (took_ns - before_ns) * kFrameWeight));
  mean_frame_bytes_ = mean_frame_bytes_ == 0
                          ? sending_bytes_
                          : mean_frame_bytes_ + (sending_bytes_ - mean_frame_bytes_) * kFrameWeight;
  sending_ = nullptr;
  sent_untold_ = true;
}

UdpFrames::Kept* UdpFrames::find(const FrameName& name) {
  if (name.frame == 0) return nullptr;
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& frame) { return frame.name == name; });
  return found == kept_.end() ? nullptr : &*found;
}

void UdpFrames::drop(Kept& frame) {
  drop_messages(frame);
  frame.name = {};
}

void UdpFrames::drop_messages(Kept& frame) {
  if (&frame == sending_) finish_sending();
  std::erase_if(repeats_, [&](const Repeat& repeat) { return repeat.frame == &frame; });
  frame.symbols.clear();
  frame.messages.release();
}

void UdpFrames::reported(const FrameReport& report) {
  if (report.cause == DropCause::kIncomplete) forget_base();
  Kept* frame = find({report.frame, report.epoch});
  if (frame == nullptr) return;
  if (report.outcome == FrameOutcome::kShown && frame->all_sent) is_whole(*frame);
  drop(*frame);
  arm();
}

// --- time ---------------------------------------------------------------------------------------

void UdpFrames::on_timer() {
  const int64_t now_ns = steady_now_ns();
  give_up_late();
  send_due();
  probe_when_due(now_ns);
  resend_when_due(now_ns);
  arm();
  // Last, because the callbacks may stop everything.
  if (std::exchange(sent_untold_, false)) handlers_.on_sent();
  hear();
}

void UdpFrames::arm() {
  if (sent_untold_ || heard_packets_ > 0) return timer_.start_at(0);
  const int64_t at_ns = anything_to_send() ? pacer_.next_ns() : probe_at_ns();
  timer_.start_at(std::min(at_ns, said_.due_ns().value_or(at_ns)));
}

bool UdpFrames::anything_to_send() const {
  if (!repeats_.empty()) return true;
  return sending_ != nullptr &&
         (cursor_.symbol < sending_->symbols.count() || ends_group(*sending_, cursor_));
}

bool UdpFrames::keeps_frames() const {
  return std::any_of(kept_.begin(), kept_.end(),
                     [](const Kept& frame) { return frame.name.frame != 0; });
}

int64_t UdpFrames::probe_at_ns() const {
  return sent_at_ns_ + (keeps_frames() ? kProbeNs : kIdleProbeNs);
}

void UdpFrames::probe_when_due(int64_t now_ns) {
  if (now_ns < probe_at_ns()) return;
  link_.send(newest_);
  sent_at_ns_ = now_ns;
}

void UdpFrames::resend_when_due(int64_t now_ns) {
  if (now_ns >= said_.due_ns().value_or(INT64_MAX)) link_.send(said_.take(now_ns));
}

// Releases frames that the receiver has given up by now.
void UdpFrames::give_up_late() {
  const int64_t now_ns = clock_.wall_now_ns();
  for (Kept& frame : kept_) {
    // A frame being sent is finished: while packets arrive, the receiver waits for the rest.
    const bool late = &frame != sending_ && frame.deadline_ns != 0 && now_ns > frame.deadline_ns;
    if (late && !frame.messages.empty()) drop_messages(frame);
  }
}

bool UdpFrames::in_time(const Kept& frame) const {
  return frame.deadline_ns == 0 ||
         clock_.wall_now_ns() + link_.round_trip().mean_ns() / 2 < frame.deadline_ns;
}

std::optional<std::string> UdpFrames::stuck(int64_t now_ns) {
  silence_.update(now_ns, keeps_frames());
  if (silence_.too_long()) {
    return fmt::format("no packet received from the receiver for {} ms",
                       PacketSilence::kTooLongNs / kMillisecondNs);
  }
  if (sending_ != nullptr && sending_->symbols.count() > kMaxSymbols) {
    return fmt::format("a frame needs more than {} packets", kMaxSymbols);
  }
  return std::nullopt;
}

std::optional<FrameTransport::Way> UdpFrames::way() const {
  return Way{.round_trip_ns = link_.round_trip().mean_ns(),
             .jitter_ns = link_.jitter_ns(),
             .sending_ns = sending_ns_};
}

// --- packets ------------------------------------------------------------------------------------

// Returns the size of `bytes` of messages on the wire, with packet headers and repair symbols.
double UdpFrames::bytes_on_wire(size_t bytes) const {
  const double parity = link_.fec_share().parity_for(kGroupSymbols);
  const double heads = static_cast<double>(head_bytes_) / static_cast<double>(symbol_bytes_);
  return static_cast<double>(bytes) * (1 + heads) * (1 + parity / kGroupSymbols);
}

PacketPacer::Need UdpFrames::need(int64_t now_ns) const {
  const auto packet_bytes = static_cast<double>(symbol_bytes_ + head_bytes_);
  const auto interval_ns = static_cast<double>(interval_ns_);
  double bytes = static_cast<double>(repeats_.size()) * packet_bytes;
  double mean = std::max(mean_frame_bytes_, packet_bytes);
  int64_t until_ns = now_ns;
  if (sending_ != nullptr) {
    const double known = bytes_on_wire(sending_->messages.bytes());
    const double frame = sending_->messages.whole() ? known : std::max(known, mean_frame_bytes_);
    bytes += std::max(frame - sending_bytes_, 0.0);
    mean = std::max(mean, known);
    const int64_t age_ns = clock_.wall_now_ns() - sending_->submitted_ns;
    const int64_t spread_ns = to_ns(interval_ns * kSpread);
    const int64_t in_time_ns =
        sending_->deadline_ns - sending_->submitted_ns - link_.round_trip().mean_ns();
    until_ns += (sending_->deadline_ns == 0 ? spread_ns : std::min(spread_ns, in_time_ns)) - age_ns;
  }
  return {.bytes = bytes,
          .until_ns = until_ns,
          .mean_bytes_per_s = mean * 1e9 / interval_ns,
          .limit_bytes_per_s = link_.limit_bytes_per_s()};
}

void UdpFrames::send_due() {
  const int64_t now_ns = steady_now_ns();
  while (anything_to_send()) {
    const double grant = pacer_.grant(now_ns, need(now_ns));
    if (pacer_.take_limited()) {
      link_.set_limited();
      held_back_ = true;
    }
    if (grant <= 0) return;
    fill(grant);
    const size_t sent = link_.send(batch_);
    if (sent > 0) sent_at_ns_ = now_ns;
    pacer_.sent(now_ns, commit(sent));
    if (sending_ != nullptr && sending_->all_sent && !ends_group(*sending_, cursor_)) {
      finish_sending();
    }
    // The socket buffer is full: continue at the next timer.
    if (sent < batch_.size()) return;
  }
}

void UdpFrames::fill(double grant) {
  batch_.clear();
  items_.clear();
  batch_repeats_ = 0;
  Cursor cursor = cursor_;
  while (grant > 0 && !batch_.full()) {
    if (batch_repeats_ < repeats_.size()) {
      grant -= add_repeat(repeats_[batch_repeats_++]);
      continue;
    }
    if (sending_ == nullptr) return;
    const bool in_parity = ends_group(*sending_, cursor);
    const double bytes = add_next(cursor);
    if (bytes == 0) return;
    grant -= bytes;
    // The block's copies and repair symbols must not be overwritten before they are sent.
    if (in_parity && !ends_group(*sending_, cursor)) return;
  }
}

double UdpFrames::add_repeat(const Repeat& repeat) {
  Kept& frame = *repeat.frame;
  const FramePacket packet{.name = frame.name,
                           .symbol = repeat.symbol,
                           .parity = frame.parities[repeat.symbol / kGroupSymbols],
                           .last = frame.symbols.is_last(repeat.symbol),
                           .repeat = true};
  items_.push_back({.frame = &frame, .packet = packet, .after = {}});
  return static_cast<double>(
      batch_.add(link_.header(PacketType::kSource, batch_.size()), packet,
                 [&](auto& list) { frame.symbols.gather(repeat.symbol, list); }));
}

double UdpFrames::add_next(Cursor& cursor) {
  Kept& frame = *sending_;
  if (ends_group(frame, cursor)) return add_parity(frame, cursor);
  return cursor.symbol < frame.symbols.count() ? add_symbol(frame, cursor) : 0;
}

double UdpFrames::add_symbol(Kept& frame, Cursor& cursor) {
  const uint32_t symbol = cursor.symbol++;
  const uint32_t place = symbol % kGroupSymbols;
  if (place == 0) {
    cursor.group_parity = choose_parity(frame, symbol);
    frame.parities.resize(symbol / kGroupSymbols);
    frame.parities.push_back(static_cast<uint8_t>(cursor.group_parity));
  }
  const FramePacket packet{.name = frame.name,
                           .symbol = symbol,
                           .parity = static_cast<uint8_t>(cursor.group_parity),
                           .last = frame.symbols.is_last(symbol)};
  items_.push_back({.frame = &frame, .packet = packet, .after = cursor});
  return static_cast<double>(
      batch_.add(link_.header(PacketType::kSource, batch_.size()), packet, [&](auto& list) {
        const size_t head = list.size();
        frame.symbols.gather(symbol, list);
        if (cursor.group_parity > 0)
          group_.set(place, std::span(list).subspan(head), symbol_bytes_);
      }));
}

double UdpFrames::add_parity(Kept& frame, Cursor& cursor) {
  const uint32_t first = (cursor.symbol - 1) / kGroupSymbols * kGroupSymbols;
  if (cursor.parity == 0) {
    group_.encode(cursor.symbol - first, cursor.group_parity, symbol_bytes_,
                  frame.symbols.bytes_of(cursor.symbol - 1));
  }
  const uint32_t index = cursor.parity++;
  const FramePacket packet{.name = frame.name,
                           .symbol = first,
                           .parity = static_cast<uint8_t>(cursor.group_parity),
                           .index = static_cast<uint8_t>(index),
                           .tail_bytes = static_cast<uint16_t>(group_.tail_bytes()),
                           .sources = static_cast<uint8_t>(group_.sources()),
                           .last = frame.symbols.is_last(cursor.symbol - 1)};
  if (cursor.parity == cursor.group_parity) cursor.group_parity = cursor.parity = 0;
  items_.push_back({.frame = &frame, .packet = packet, .is_parity = true, .after = cursor});
  return static_cast<double>(batch_.add(link_.header(PacketType::kParity, batch_.size()), packet,
                                        [&](auto& list) { list.push_back(group_.parity(index)); }));
}

// Chooses the number of repair symbols for an FEC block, whose length may not be known yet.
uint32_t UdpFrames::choose_parity(const Kept& frame, uint32_t first_symbol) const {
  const auto usual =
      static_cast<uint32_t>(mean_frame_bytes_ / static_cast<double>(symbol_bytes_ + head_bytes_));
  const uint32_t symbols =
      frame.messages.whole() ? frame.symbols.count() : std::max(frame.symbols.count(), usual);
  const uint32_t sources = std::clamp(symbols - first_symbol, 1U, kGroupSymbols);
  return std::min(static_cast<uint32_t>(link_.fec_share().parity_for(static_cast<int>(sources))),
                  kMaxGroupParity);
}

// Returns true if all source symbols of the block were sent and repair symbols follow.
bool UdpFrames::ends_group(const Kept& frame, const Cursor& cursor) const {
  return cursor.group_parity > 0 && cursor.symbol > 0 &&
         (cursor.symbol % kGroupSymbols == 0 || frame.symbols.is_last(cursor.symbol - 1));
}

double UdpFrames::commit(size_t packets) {
  double bytes = 0;
  const uint32_t now_us = link_.now_us();
  for (size_t i = 0; i < packets; ++i) {
    const Item& item = items_[i];
    Kept& frame = *item.frame;
    bytes += static_cast<double>(batch_.bytes(i));
    if (item.packet.repeat) {
      link_.count_repeat();
    } else {
      cursor_ = item.after;
      sending_bytes_ += static_cast<double>(batch_.bytes(i));
    }
    if (item.is_parity) {
      link_.count_parity(batch_.bytes(i));
      continue;
    }
    frame.sent_us[item.packet.symbol] = now_us;
    if (item.packet.repeat) continue;
    frame.sent = item.packet.symbol + 1;
    frame.all_sent = item.packet.last;
    newest_ = {.name = frame.name, .symbols = frame.sent, .whole = frame.all_sent};
  }
  const auto repeated = static_cast<ptrdiff_t>(std::min(batch_repeats_, packets));
  repeats_.erase(repeats_.begin(), repeats_.begin() + repeated);
  return bytes;
}

// --- feedback -----------------------------------------------------------------------------------

void UdpFrames::on_feedback(const Feedback& feedback) {
  silence_.answer(steady_now_ns());
  Kept* whole = find(feedback.whole);
  if (whole != nullptr && whole->all_sent) {
    is_whole(*whole);
    // The receiver has all earlier frames, or has given them up.
    const FrameName newest = whole->name;
    for (Kept& frame : kept_) {
      if (frame.name.frame != 0 && !before(newest, frame.name)) drop(frame);
    }
  }
  for (const Missing& missing : feedback.missing) ask_again(missing);
  arm();
}

// Queued for the timer, because their handling may end the link that is just delivering them.
void UdpFrames::on_messages(std::span<const uint8_t> messages) {
  if (heard_packets_ == heard_.size() || !cut_messages(messages)) return;
  ReceivedPacket& place = heard_[heard_packets_++];
  std::ranges::copy(messages, place.text.begin());
  place.bytes = messages.size();
  arm();
}

void UdpFrames::hear() {
  for (size_t i = 0; i < heard_packets_; ++i) {
    const auto said = cut_messages(std::span(heard_[i].text).first(heard_[i].bytes));
    if (said) std::ranges::for_each(*said, std::ref(handlers_.on_message));
  }
  heard_packets_ = 0;
}

void UdpFrames::forget_base() {
  base_ = 0;
  floor_ = kNoFrameYet;
}

// Makes the frame the base of later frames.
void UdpFrames::is_whole(Kept& frame) {
  if (before(frame.name, floor_) || frame.name.frame < base_) return;
  base_ = frame.name.frame;
  std::swap(base_held_, frame.held);
}

void UdpFrames::ask_again(const Missing& missing) {
  Kept* frame = find(missing.name);
  if (frame == nullptr || frame->messages.empty() || !in_time(*frame)) return;
  const uint32_t end = std::min(missing.first + missing.count, frame->sent);
  const uint32_t most = 2 * frame->sent + kMoreRepeats;
  const uint32_t now_us = link_.now_us();
  const auto again_us = static_cast<uint32_t>(
      std::max(to_ns(static_cast<double>(link_.round_trip().mean_ns()) * kAgainRoundTrips),
               kAgainNs) /
      1000);
  for (uint32_t symbol = missing.first; symbol < end && repeats_.size() < kMaxRepeats; ++symbol) {
    if (frame->repeated >= most) return;
    if (now_us - frame->sent_us[symbol] < again_us) continue;
    ++frame->repeated;
    frame->sent_us[symbol] = now_us;
    repeats_.push_back({frame, symbol});
  }
}

}  // namespace sail
