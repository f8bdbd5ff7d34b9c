#include "sail/client/transport/multicast_frames.h"

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/text/ip_address.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/tls/packet_seal.h"

namespace sail {

MulticastFrames::MulticastFrames(Loop& loop, const WallClock& clock, const Log& log,
                                 const Setup& setup, std::function<void()> on_sent)
    : clock_(clock),
      setup_(setup),
      on_sent_(std::move(on_sent)),
      link_(loop, clock, log, setup.stream, setup.group, {}),
      timer_(loop, [this] { on_timer(); }),
      packets_(link_, setup.symbol_bytes, setup.sealed,
               [this](int sources) { return parity_for(sources); }) {}

Result<void> MulticastFrames::start() {
  const auto group = parse_ip(setup_.group.host);
  if (!group) return fail(ErrorCode::kInvalidParams, "the group is not an address");
  invitation_ = {.secret = random_secret(),
                 .key = setup_.sealed ? random_packet_key() : PacketKey{},
                 .group = *group,
                 .port = setup_.group.port};
  packets_.abort();
  newest_.reset();
  frames_.clear();
  begun_for_.clear();
  if (auto started = link_.start_group(invitation_, setup_.sealed, setup_.here, setup_.hops);
      !started) {
    return started;
  }
  packets_.start();
  return {};
}

void MulticastFrames::test() {
  link_.send(packets_.probe());
}

void MulticastFrames::remove(Member& member) {
  std::erase(members_, &member);
  std::erase(begun_for_, &member);
}

// --- frames -------------------------------------------------------------------------------------

const MulticastFrames::Member* MulticastFrames::least_member() const {
  const auto least =
      std::ranges::min_element(members_, {}, [](const Member* one) { return one->base().base(); });
  return least == members_.end() || (*least)->base().base() == 0 ? nullptr : *least;
}

std::shared_ptr<KeptFrame> MulticastFrames::begin(const OutgoingFrame& outgoing,
                                                  const Member& member) {
  if (has_begun(outgoing.name())) {
    return std::ranges::find(begun_for_, &member) == begun_for_.end() ? nullptr : newest_;
  }
  const Member* least = least_member();
  if (packets_.frame() != nullptr || least == nullptr ||
      least->base().held().grid != outgoing.plan->grid()) {
    return nullptr;
  }
  const FrameBase& base = least->base();
  const bool on_newest = may_build_on_newest(base);
  const auto before = std::exchange(newest_, nullptr);  // not for unused_frame()
  newest_ = unused_frame();
  KeptFrame& frame = *newest_;
  frame.begin(outgoing);
  frame.base = on_newest ? before->name.frame : base.base();
  frame.held = on_newest ? before->held : base.held();
  frame.messages.begin(outgoing, setup_.stream, frame.base);
  begun_for_.assign(members_.begin(), members_.end());
  interval_ns_ = outgoing.interval_ns;
  sent_untold_ = false;
  packets_.begin(frame);
  return newest_;
}

bool MulticastFrames::may_build_on_newest(const FrameBase& least) const {
  if (!newest_ || !newest_->all_sent || newest_->held.grid != least.held().grid) return false;
  if (newest_->name.frame <= least.base() || newest_->base > least.base()) return false;
  return std::ranges::all_of(members_, [this](const Member* member) {
    return member->loss() <= 0 && std::ranges::find(begun_for_, member) != begun_for_.end();
  });
}

std::shared_ptr<KeptFrame> MulticastFrames::unused_frame() {
  std::shared_ptr<KeptFrame> unused;
  for (const auto& frame : frames_) {
    if (frame.use_count() > 1) continue;
    frame->release();
    unused = frame;
  }
  if (unused) return unused;
  frames_.push_back(std::make_shared<KeptFrame>());
  frames_.back()->by_group = true;
  return frames_.back();
}

size_t MulticastFrames::pump() {
  if (KeptFrame* frame = packets_.frame()) {
    frame->messages.add_rows(frame->held, clock_);
    frame->symbols.set_parts(frame->messages.parts(), setup_.symbol_bytes, frame->messages.whole());
    frame->sent_us.resize(frame->symbols.count());
    send_due();
    arm();
  }
  return static_cast<size_t>(link_.bytes_sent() -
                             std::exchange(bytes_reported_, link_.bytes_sent()));
}

// --- packets ------------------------------------------------------------------------------------

// The member that loses most decides.
int MulticastFrames::parity_for(int sources) const {
  int most = 0;
  for (const Member* member : members_) {
    most = std::max(most, member->link().fec_share().parity_for(sources));
  }
  return most;
}

// The slowest member decides.
FramePackets::Path MulticastFrames::path() const {
  FramePackets::Path path{.interval_ns = interval_ns_, .limit_bytes_per_s = LinkRate::kUnlimited};
  for (const Member* member : members_) {
    const PacketLink& link = member->link();
    path.round_trip_ns = std::max(path.round_trip_ns, link.round_trip().mean_ns());
    path.limit_bytes_per_s = std::min(path.limit_bytes_per_s, link.limit_bytes_per_s());
  }
  return path;
}

void MulticastFrames::send_due() {
  const int64_t now_ns = steady_now_ns();
  while (packets_.anything_to_send()) {
    const double grant = pacer_.grant(now_ns, packets_.need(path(), now_ns, clock_.wall_now_ns()));
    if (pacer_.take_limited()) std::ranges::for_each(members_, &Member::limit_reached);
    if (grant <= 0) return;
    const FramePackets::Sent sent = packets_.send(grant);
    if (sent.any) sent_at_ns_ = now_ns;
    pacer_.sent(now_ns, sent.bytes);
    if (packets_.all_sent()) finish_sending();
    // The socket buffer is full: continue at the next timer.
    if (!sent.all) return;
  }
}

void MulticastFrames::finish_sending() {
  const int64_t took_ns = clock_.wall_now_ns() - packets_.frame()->submitted_ns;
  sending_ns_ = std::max(took_ns, sending_ns_ + (took_ns - sending_ns_) / 8);
  packets_.end();
  sent_untold_ = true;
}

void MulticastFrames::arm() {
  if (sent_untold_) return timer_.start_at(0);
  if (packets_.anything_to_send()) timer_.start_at(pacer_.next_ns());
}

void MulticastFrames::on_timer() {
  send_due();
  arm();
  // Last, because the callback may stop everything.
  if (std::exchange(sent_untold_, false)) on_sent_();
}

}  // namespace sail
