// The sender as a member of a group.
#include "sail/client/sender/stream_sender.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kCoordinatorTimeoutNs = kBarrierTimeoutMs * kMillisecondNs;

}  // namespace

void StreamSender::sit(const GroupSeat& seat) {
  if (seat.name.empty()) {
    group_.reset();
  } else if (seat.host.empty()) {
    return;  // keep the current coordinator until there is a new one
  } else if (const Address table{seat.host, seat.port, seat.certificate};
             !group_ || !group_->is_at(table, seat.secret)) {
    group_ =
        std::make_unique<GroupMember>(loop_, log_, stream_, table, seat.secret,
                                      [this](const GroupVerdict& verdict) { on_verdict(verdict); });
  }
  plan_.set_grouped(group_ != nullptr || part_, steady_now_ns());
  if (!group_) submit_queue_.set_spacing(0);
  carry_out_plan();
}

SwapPlan StreamSender::new_plan() const {
  SwapPlan plan(apart_, interval_ns_);
  if (part_) plan.set_grouped(true, steady_now_ns());
  return plan;
}

void StreamSender::on_verdict(const GroupVerdict& verdict) {
  const int64_t now_ns = steady_now_ns();
  submit_queue_.set_spacing(int64_t{verdict.spacing_us} * 1000);
  if (verdict.ruling == GroupRuling::kWelcome) {
    plan_.set_grouped(true, now_ns);
    plan_.resend();
  } else if (verdict.ruling != GroupRuling::kHere) {
    if (verdict.ruling != GroupRuling::kYours) submit_queue_.set_ruled(verdict.present_ns);
    plan_.rule(verdict.ruling, verdict.present_ns, clock_.to_steady_ns(verdict.at_ns), now_ns);
  }
  carry_out_plan();
}

void StreamSender::check_group() {
  const int64_t now_ns = steady_now_ns();
  if (!group_ || part_ || now_ns - group_->heard_ns() < kCoordinatorTimeoutNs) return;
  plan_.set_grouped(false, now_ns);
  submit_queue_.set_spacing(0);
}

}  // namespace sail
