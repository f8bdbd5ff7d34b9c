#include "sail/client/sender/stream_multicast.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sail/client/transport/udp_frames.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// A receiver without which the others have continued for this time leaves the group.
constexpr int64_t kBehindNs = kSecondNs;

MulticastMember& member_of(const StreamLink& link) {
  return link.connection->packets()->member();
}

bool is_ipv6(const std::string& host) {
  return host.find(':') != std::string::npos;
}

}  // namespace

StreamMulticast::StreamMulticast(Loop& loop, const WallClock& clock, const Log& log,
                                 StreamLinks& links, std::function<void()> on_sent)
    : loop_(loop), clock_(clock), log_(log), links_(links), on_sent_(std::move(on_sent)) {}

void StreamMulticast::open(const std::string& group, int hops) {
  group_ = group;
  hops_ = hops;
  frames_.reset();
  invited_.clear();
}

void StreamMulticast::check(int64_t now_ns) {
  if (group_.empty()) return;
  update_members(now_ns);
  const Links able = able_links(now_ns);
  if (are_invited(able)) {
    if (!able.empty()) go_on(able);
  } else if (frames_ == nullptr || !frames_->busy()) {
    dismiss_all();
    if (!able.empty()) invite(able, now_ns);
  }
}

void StreamMulticast::update_members(int64_t now_ns) {
  uint64_t newest = 0;
  for (const StreamLink& link : links_) {
    const UdpFrames* packets = link.connection->packets();
    if (packets != nullptr && packets->in_group()) {
      newest = std::max(newest, packets->newest_received());
    }
  }
  for (const StreamLink& link : links_) {
    const UdpFrames* packets = link.connection->packets();
    if (packets == nullptr) continue;
    MulticastMember& member = member_of(link);
    if (!fits_group(link) && !member.failed()) {
      member.fail("the group and the receiver's address are of different versions of IP");
    }
    member.update(now_ns, packets->loss(), newest - std::min(newest, packets->newest_received()));
    if (!member.take_failure()) continue;
    log_.warning(
        "stream {}: receiver '{}' is sent its frames alone, not by the multicast group {}: {}",
        links_.stream(), link.connection->receiver(), group_, member.why());
  }
}

bool StreamMulticast::fits_group(const StreamLink& link) const {
  return !link.is_active() || is_ipv6(link.connection->here()) == is_ipv6(group_);
}

bool StreamMulticast::is_able(const StreamLink& link, int64_t now_ns) const {
  return link.is_active() && link.plan->multicast() && link.connection->packets() != nullptr &&
         !member_of(link).failed() &&
         (link.behind_since_ns == 0 || now_ns - link.behind_since_ns < kBehindNs);
}

// The group has one network: that of most receivers.
StreamMulticast::Links StreamMulticast::able_links(int64_t now_ns) const {
  std::map<std::string, Links> by_network;
  for (StreamLink& link : links_) {
    if (is_able(link, now_ns)) by_network[link.connection->here()].push_back(&link);
  }
  const auto most = std::ranges::max_element(
      by_network, {}, [](const auto& network) { return network.second.size(); });
  return most == by_network.end() || most->second.size() < 2 ? Links() : most->second;
}

bool StreamMulticast::are_invited(const Links& able) const {
  return std::ranges::equal(able, invited_, {}, &StreamLink::number) &&
         std::ranges::none_of(able,
                              [](const StreamLink* link) { return member_of(*link).outside(); });
}

void StreamMulticast::dismiss_all() {
  for (const StreamLink& link : links_) {
    UdpFrames* packets = link.connection->packets();
    if (packets == nullptr || packets->member().outside()) continue;
    packets->leave_group();
    link.connection->send(MulticastJoin{});
  }
  frames_.reset();
  invited_.clear();
}

bool StreamMulticast::start(const Links& able) {
  const auto started = frames_->start();
  if (started) return true;
  for (const StreamLink* link : able) member_of(*link).fail(started.error().message);
  return false;
}

void StreamMulticast::invite(const Links& able, int64_t now_ns) {
  const UdpFrames& first = *able.front()->connection->packets();
  frames_ = std::make_unique<MulticastFrames>(
      loop_, clock_, log_,
      MulticastFrames::Setup{.stream = links_.stream(),
                             .group = {group_, kMulticastPort},
                             .here = able.front()->connection->here(),
                             .hops = hops_,
                             .symbol_bytes = first.symbol_bytes(),
                             .sealed = first.sealed()},
      on_sent_);
  for (const StreamLink* link : able) invited_.push_back(link->number());
  if (!start(able)) return;
  for (const StreamLink* link : able) {
    link->connection->send(frames_->invitation());
    member_of(*link).ask(frames_->invitation().secret, now_ns);
  }
  stage_ = Stage::kTesting;
}

void StreamMulticast::go_on(const Links& able) {
  if (stage_ == Stage::kTesting) {
    frames_->test();
    const auto waits = [](const StreamLink* link) { return member_of(*link).waits(); };
    if (std::ranges::any_of(able, waits) || !start(able)) return;
    for (const StreamLink* link : able) link->connection->send(frames_->invitation());
    stage_ = Stage::kTelling;
  } else if (stage_ == Stage::kTelling) {
    // By now the secret has arrived, or will soon: a receiver that lacks packets asks for them.
    for (const StreamLink* link : able) link->connection->packets()->enter_group(*frames_);
    stage_ = Stage::kSending;
    log_.info("stream {}: {} receivers get its frames from the multicast group {}", links_.stream(),
              able.size(), group_);
  }
}

}  // namespace sail
