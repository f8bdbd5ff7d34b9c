#include "sail/client/transport/multicast_member.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/stats.h"

namespace sail {

void MulticastMember::ask(uint64_t secret, int64_t now_ns) {
  state_ = State::kAsked;
  secret_ = secret;
  since_ns_ = now_ns;
}

void MulticastMember::answer(const MulticastState& state) {
  if (state_ != State::kAsked || state.secret != secret_) return;
  if (!state.hears) return fail(state.text);
  state_ = State::kHears;
}

void MulticastMember::enter() {
  state_ = State::kInside;
  since_ns_ = 0;
  sent_ = missed_ = 0;
  least_behind_ = UINT64_MAX;
  lossy_windows_ = late_windows_ = 0;
}

void MulticastMember::leave() {
  if (state_ != State::kFailed) state_ = State::kOutside;
}

void MulticastMember::fail(const std::string& why) {
  state_ = State::kFailed;
  why_ = make_plain_text(why, kMaxTroubleText);
}

void MulticastMember::update(int64_t now_ns, double loss, uint64_t behind) {
  if (state_ == State::kAsked && now_ns - since_ns_ >= kHearNs) {
    return fail(fmt::format("no packet of the group came within {} ms", kHearNs / kMillisecondNs));
  }
  if (state_ != State::kInside) return;
  if (since_ns_ == 0) since_ns_ = now_ns;
  least_behind_ = std::min(least_behind_, behind);
  if (now_ns - since_ns_ < kWindowNs || sent_ < kLeastSymbols) return;
  judge(loss);
  since_ns_ = now_ns;
  sent_ = missed_ = 0;
  least_behind_ = UINT64_MAX;
}

void MulticastMember::judge(double loss) {
  if (2 * missed_ > sent_) {
    return fail(fmt::format("{} of {} packets of the group did not come", missed_, sent_));
  }
  lossy_windows_ = loss > kMostLoss ? lossy_windows_ + 1 : 0;
  if (lossy_windows_ >= kBadWindows) {
    return fail(fmt::format("{:.0f} % of the packets of the group are lost", loss * 100));
  }
  late_windows_ = least_behind_ > kMostFramesBehind ? late_windows_ + 1 : 0;
  if (late_windows_ >= kBadWindows) fail("it gets its frames much later than the others");
}

}  // namespace sail
