#include "sail/client/sender/stream_link.h"

#include <algorithm>
#include <utility>

#include "sail/client/encode/frame_encoder.h"
#include "sail/client/transport/udp_frames.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A trouble, or a receiver that reports no frame ready, is reported to users after this time.
constexpr int64_t kTroubleNs = kMillisecondNs * (kBarrierTimeoutMs + kStallTimeoutMs);

}  // namespace

bool StreamLink::leads_to(const ReceiverPlan& receiver) const {
  return connection->receiver() == receiver.receiver() &&
         connection->address() == receiver.address() && !connection->closed();
}

bool StreamLink::in_group() const {
  const UdpFrames* packets = connection->packets();
  return packets != nullptr && packets->in_group();
}

int64_t StreamLink::delay_ns(const StreamPace& wall) const {
  return std::max(wall.delay_ns(), pace ? pace->delay_ns() : 0);
}

void StreamLink::forget_sent() {
  sent_frame = sent_epoch = 0;
  on_wall = lost = undecoded = false;
  undecoded_since_ns = 0;
  held = {};
}

void StreamLink::note_begun(const EncodedFrame& frame, uint64_t epoch) {
  sent_frame = frame.number();
  sent_epoch = epoch;
  sent_picture = frame.picture();
  on_wall = lost = undecoded = false;
}

void StreamLink::note_report(const FrameReport& report) {
  if (report.outcome == FrameOutcome::kShown) undecoded_since_ns = 0;
  if (report.cause == DropCause::kUndecoded && undecoded_since_ns == 0) {
    undecoded_since_ns = steady_now_ns();
  }
  if (report.frame != sent_frame || report.epoch != sent_epoch) return;
  on_wall = report.outcome == FrameOutcome::kShown;
  lost = report.cause == DropCause::kLost || report.cause == DropCause::kIncomplete;
  undecoded = report.cause == DropCause::kUndecoded;
}

void StreamLink::note_ready() {
  behind_since_ns = undecoded_since_ns = 0;
}

void StreamLink::note_sent(FrameTrace* trace) {
  if (begun_ns == 0 || connection->sending()) return;
  trace->add({.stage = TraceStage::kSend,
              .lane = kLoopLane,
              .frame = sent_frame,
              .begin_ns = std::exchange(begun_ns, 0),
              .end_ns = steady_now_ns()});
}

ReceiverConnection::Trouble StreamLink::trouble(int64_t now_ns) const {
  const ReceiverConnection::Trouble& known = connection->trouble();
  if (known.what == LinkTrouble::kNone && undecoded_since_ns != 0 &&
      now_ns - undecoded_since_ns >= kTroubleNs) {
    return {LinkTrouble::kUndecoded, undecoded_since_ns, "it cannot decode the access units"};
  }
  const int64_t since_ns = behind_since_ns;
  if (known.what != LinkTrouble::kNone || since_ns == 0 || now_ns - since_ns < kTroubleNs) {
    return known;
  }
  if (unreachable) {
    return {LinkTrouble::kNoAnswer, since_ns, "its host no longer responds"};
  }
  return {LinkTrouble::kNotReady, since_ns, "frames were accepted but none was reported ready"};
}

std::optional<LinkStats> StreamLink::take_trouble(int64_t now_ns, bool behind) {
  if (!behind) behind_since_ns = 0;
  if (behind && behind_since_ns == 0) behind_since_ns = now_ns;
  const ReceiverConnection::Trouble now = trouble(now_ns);
  const bool none = now.what == LinkTrouble::kNone;
  if (!none && now_ns - now.since_ns < kTroubleNs) return std::nullopt;
  const bool instead = connection->instead_of_udp();
  // A receiver in trouble is reported once. Its transport is reported when frames reach it.
  const bool known = none ? !trouble_reported && instead == fallback_reported : trouble_reported;
  if (known) return std::nullopt;
  trouble_reported = !none;
  fallback_reported = instead;
  LinkStats stats{
      .receiver = connection->receiver(), .trouble = now.what, .trouble_text = now.text};
  if (instead) stats.instead_of = Transport::kUdp;
  return stats;
}

LinkStats StreamLink::stats(int64_t now_ns) const {
  LinkStats stats = connection->stats(now_ns);
  stats.reduction = step.steps();
  if (auto now = trouble(now_ns); now.what != LinkTrouble::kNone) {
    stats.trouble = now.what;
    const double seconds_since = static_cast<double>(now_ns - now.since_ns) / 1e9;
    stats.trouble_s = std::max(seconds_since, kTroubleSeconds.min);
    stats.trouble_text = std::move(now.text);
  }
  return stats;
}

}  // namespace sail
