#include "sail/client/sender/stream_swaps.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kCoordinatorTimeoutNs = kBarrierTimeoutMs * kMillisecondNs;
// Each check of the links calls execute(), so after a longer pause this process was stalled.
constexpr int64_t kExecutePauseNs = 250 * kMillisecondNs;

}  // namespace

StreamSwaps::StreamSwaps(Loop& loop, const Options& options, StreamLinks& links,
                         SubmitQueue& submit_queue, const WallClock& clock, const Log& log,
                         Handlers handlers)
    : loop_(loop),
      options_(options),
      links_(links),
      submit_queue_(submit_queue),
      clock_(clock),
      log_(log),
      handlers_(std::move(handlers)),
      plan_(new_plan()),
      executed_ns_(steady_now_ns()),
      reads_(loop) {}

SwapPlan StreamSwaps::new_plan() const {
  SwapPlan plan(options_.apart, options_.interval_ns);
  if (options_.part) plan.set_grouped(true, steady_now_ns());
  return plan;
}

void StreamSwaps::reset() {
  group_.reset();
  plan_ = new_plan();
}

// --- frames -------------------------------------------------------------------------------------

void StreamSwaps::add(const EncodedFrame& frame) {
  if (frame.name() == 0) return;
  const int64_t present_ns = frame.present_ns();
  plan_.add(frame.number(), present_ns == 0 ? 0 : clock_.to_steady_ns(present_ns), frame.name());
  execute();
}

void StreamSwaps::ready(StreamLink& link, const FrameReady& ready) {
  if (link.recorder) {
    link.held = {.frame = ready.frame, .epoch = ready.epoch};
    return check_recorder(link);
  }
  link.note_ready();
  FrameReady steady = ready;
  if (ready.refresh.period_ns != 0) steady.refresh.at_ns = clock_.to_steady_ns(ready.refresh.at_ns);
  plan_.ready(link.number(), steady, steady_now_ns());
  execute();
}

void StreamSwaps::reported(const StreamLink& link, const FrameReport& report) {
  plan_.reported(link.number(), report, steady_now_ns());
  execute();
}

void StreamSwaps::lose(const StreamLink& link) {
  plan_.lose(link.number(), steady_now_ns());
}

void StreamSwaps::check() {
  const int64_t now_ns = steady_now_ns();
  plan_.tick(now_ns);
  check_unreachable(now_ns);
  execute();
}

// If nothing reaches any receiver, this machine is cut off, and the receivers remain in step.
void StreamSwaps::check_unreachable(int64_t now_ns) {
  bool any_reachable = false;
  for (StreamLink& link : links_) {
    link.unreachable = link.is_awaited() && link.connection->is_unreachable(now_ns);
    any_reachable |= link.is_active() && !link.unreachable && !is_left_behind(link);
  }
  for (const StreamLink& link : links_) {
    if (!any_reachable || !link.unreachable || is_left_behind(link)) continue;
    plan_.mark_unreachable(link.number(), now_ns);
    if (!is_left_behind(link)) continue;
    log_.info("stream {}: receiver '{}' is unreachable: the other receivers continue without it",
              links_.stream(), link.connection->receiver());
  }
}

// --- layouts ------------------------------------------------------------------------------------

void StreamSwaps::follow(uint64_t epoch, std::span<const uint32_t> members,
                         uint32_t group_members) {
  if (epoch != plan_.epoch()) plan_.route(epoch, members, group_members);
  for (const StreamLink& link : links_) {
    if (link.is_awaited() && link.connection->away()) lose(link);
  }
}

// The receivers are informed even if no frame of the map is ready, because the manager may fail
// before it tells them.
void StreamSwaps::take_effect(const TakeEffect& taken) {
  plan_.take_effect(taken.epoch, taken.frame, clock_.to_steady_ns(taken.at_ns), steady_now_ns());
  if (plan_.epoch() == taken.epoch) {
    links_.show({.frame = taken.frame, .epoch = taken.epoch, .at_ns = taken.at_ns});
  }
}

void StreamSwaps::revert(uint64_t newest) {
  // Receivers hold frames for that layout, which would leave no room for others. Release them.
  links_.show({.frame = newest, .epoch = plan_.coming_epoch(), .at_ns = 0});
  plan_.revert(newest, steady_now_ns());
}

int64_t StreamSwaps::next_layout_ns() const {
  return clock_.to_wall_ns(std::max(steady_now_ns(), plan_.last_at_ns()));
}

// --- decisions ----------------------------------------------------------------------------------

// After a stall, messages of the manager may wait to be read, and the layout may have changed
// without this stream. So the decisions are sent when the loop has read all that waited.
void StreamSwaps::execute() {
  const int64_t now_ns = steady_now_ns();
  const bool stalled = now_ns - std::exchange(executed_ns_, now_ns) > kExecutePauseNs;
  if (stalled && !std::exchange(reads_first_, true)) {
    reads_.start(1, 0, [this] {
      reads_first_ = false;
      plan_.postpone(steady_now_ns());
      execute();
    });
  }
  if (reads_first_) return;
  send_shows();
  send_votes();
  handlers_.on_waiting();
  report_ready_layout();
}

void StreamSwaps::send_shows() {
  for (const SwapPlan::Show& each : plan_.shows()) {
    const FrameShow show{.frame = each.frame,
                         .epoch = each.epoch,
                         .at_ns = each.at_ns == 0 ? 0 : clock_.to_wall_ns(each.at_ns)};
    for (const StreamLink& link : links_) {
      if (concerns(link, each) && link.connection->accepted()) link.connection->show(show);
    }
  }
  plan_.clear_shows();
}

void StreamSwaps::send_votes() {
  for (const SwapPlan::Vote& vote : plan_.votes()) {
    const int64_t at_ns = vote.at_ns == 0 ? 0 : clock_.to_wall_ns(vote.at_ns);
    Refresh refresh = vote.refresh;
    if (refresh.period_ns != 0) refresh.at_ns = clock_.to_wall_ns(refresh.at_ns);
    if (group_)
      group_->send_vote({vote.name, at_ns, vote.lead_ns, vote.vote, vote.members, refresh});
  }
  plan_.clear_votes();
}

void StreamSwaps::report_ready_layout() {
  const auto settled = plan_.take_settled();
  if (!settled) return;
  handlers_.on_epoch_ready({.stream = links_.stream(),
                            .epoch = settled->epoch,
                            .frame = settled->frame,
                            .lead_ns = settled->lead_ns});
}

// A recorder is sent the decisions about all frames up to the last frame sent to it. If one of
// these frames was not sent to it, the wall has already passed that frame. Decisions about later
// frames follow.
bool StreamSwaps::concerns(const StreamLink& link, const SwapPlan::Show& show) const {
  if (link.recorder) {
    return !show.only && link.plan != nullptr && show.frame <= link.sent_frame &&
           show.epoch == link.sent_epoch;
  }
  return plan_.is_for(show, link.number());
}

void StreamSwaps::check_recorder(StreamLink& link) {
  const bool alone = options_.apart || plan_.shown().empty();
  const bool due = alone || link.held.frame <= plan_.shown().last_released();
  if (link.held.frame == 0 || link.held.epoch != plan_.epoch() || !due) return;
  if (!link.connection->accepted()) return;
  link.connection->show(
      {.frame = link.held.frame, .epoch = link.held.epoch, .at_ns = clock_.wall_now_ns()});
  link.held = {};
}

void StreamSwaps::check_recorders() {
  for (StreamLink& link : links_) {
    if (link.recorder && link.plan != nullptr) check_recorder(link);
  }
}

std::vector<LinkStats> StreamSwaps::take_troubles(int64_t now_ns) {
  std::vector<LinkStats> troubles;
  for (StreamLink& link : links_) {
    if (!link.is_awaited()) continue;
    const bool behind = link.is_active() && is_left_behind(link);
    if (auto trouble = link.take_trouble(now_ns, behind)) troubles.push_back(*std::move(trouble));
  }
  return troubles;
}

std::vector<LinkStats> StreamSwaps::link_stats(int64_t now_ns) {
  std::vector<LinkStats> all;
  for (const StreamLink& link : links_) {
    if (!link.is_awaited()) continue;
    LinkStats& stats = all.emplace_back(link.stats(now_ns));
    const SwapBarrier::HeldUp held_up = plan_.shown().take_held_up(link.number());
    stats.held_up_ms = held_up.mean_ms;
    stats.left_behind = held_up.left_behind;
  }
  plan_.shown().begin_held_up();
  return all;
}

// --- the group ----------------------------------------------------------------------------------

void StreamSwaps::set_group(const GroupMembership& membership) {
  if (membership.name.empty()) {
    group_.reset();
  } else if (membership.host.empty()) {
    return;  // keep the current coordinator until there is a new one
  } else if (const Address coordinator{membership.host, membership.port, membership.certificate};
             !group_ || !group_->is_at(coordinator, membership.secret)) {
    group_ = std::make_unique<GroupMember>(
        loop_, log_, links_.stream(), coordinator, membership.secret,
        [this](const GroupDecision& decision) { on_decision(decision); });
  }
  plan_.set_grouped(group_ != nullptr || options_.part, steady_now_ns());
  if (!group_) submit_queue_.set_spacing(0);
  execute();
}

void StreamSwaps::on_decision(const GroupDecision& decision) {
  const int64_t now_ns = steady_now_ns();
  submit_queue_.set_spacing(int64_t{decision.spacing_us} * 1000);
  if (decision.kind == DecisionKind::kJoined) {
    plan_.set_grouped(true, now_ns);
    plan_.resend();
  } else if (decision.kind != DecisionKind::kHeartbeat) {
    if (decision.kind != DecisionKind::kLayoutGranted)
      submit_queue_.set_decided(decision.present_ns);
    plan_.decide(decision.kind, decision.present_ns, clock_.to_steady_ns(decision.at_ns), now_ns);
  }
  execute();
}

void StreamSwaps::check_group() {
  const int64_t now_ns = steady_now_ns();
  if (!group_ || options_.part || now_ns - group_->last_received_ns() < kCoordinatorTimeoutNs)
    return;
  plan_.set_grouped(false, now_ns);
  submit_queue_.set_spacing(0);
}

}  // namespace sail
