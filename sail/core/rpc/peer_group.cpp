#include "sail/core/rpc/peer_group.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <utility>

#include "sail/core/socket/tcp.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Returning less memory is not worth its cost.
constexpr size_t kMuchMemory = 4 << 20;
// By then, members that left have been freed.
constexpr int64_t kGiveBackMs = 2000;

}  // namespace

PeerGroup::PeerGroup(Loop& loop, const Options& options)
    : loop_(loop),
      options_(options),
      turns_(std::make_shared<FairScheduler>(loop)),
      unauthenticated_quota_(options.max_unauthenticated),
      longer_timeouts_(options.max_patience),
      late_(loop),
      give_back_(loop) {}

void PeerGroup::enter(Member& member, const std::string& host) {
  if (unauthenticated_quota_.full()) {
    turn_away(*members_.at(unauthenticated_quota_.next_to_go()),
              {ErrorCode::kLimit, "no hello yet when another connection needed the slot"});
  }
  member.id_ = next_id_++;
  members_.emplace(member.id_, &member);
  unauthenticated_quota_.enter(member.id_, network_of(host));
  const int64_t now_ns = steady_now_ns();
  stays_[member.id_].since_ns = now_ns;
  set_end(member.id_, now_ns + options_.hello_ms * kMillisecondNs);
}

void PeerGroup::give_time(const Member& member, const std::string& host) {
  if (!stays_.contains(member.id_)) return;
  longer_timeouts_.leave(member.id_);
  if (longer_timeouts_.full()) {
    const uint64_t other = longer_timeouts_.next_to_go();
    longer_timeouts_.leave(other);
    set_end(other, stays_.at(other).since_ns + options_.hello_ms * kMillisecondNs);
  }
  longer_timeouts_.enter(member.id_, network_of(host));
  set_end(member.id_, steady_now_ns() + options_.password_ms * kMillisecondNs);
}

void PeerGroup::set_end(uint64_t id, int64_t end_ns) {
  Stay& stay = stays_.at(id);
  ends_.erase({stay.end_ns, id});
  stay.end_ns = end_ns;
  ends_.emplace(end_ns, id);
  if (ends_.begin()->second == id) wait_for_the_late();
}

void PeerGroup::admit(const Member& member) {
  unauthenticated_quota_.leave(member.id_);
  longer_timeouts_.leave(member.id_);
  const auto stay = stays_.extract(member.id_);
  if (!stay.empty()) ends_.erase({stay.mapped().end_ns, member.id_});
}

void PeerGroup::leave(Member& member) {
  if (members_.erase(member.id_) == 0) return;
  admit(member);
  unsent_bytes_ -= member.unsent_known_;
  give_memory_back();
}

void PeerGroup::make_room() {
  for (size_t more = (unauthenticated_quota_.taken() + 1) / 2; more > 0; --more) {
    turn_away(*members_.at(unauthenticated_quota_.next_to_go()),
              {ErrorCode::kLimit, "no hello yet when descriptors ran out"});
  }
}

void PeerGroup::turn_away(Member& member, const Error& why) {
  leave(member);
  member.turn_away(why);
}

void PeerGroup::wait_for_the_late() {
  if (ends_.empty()) {
    late_.stop();
    return;
  }
  const int64_t left_ns = std::max<int64_t>(ends_.begin()->first - steady_now_ns(), 0);
  late_.start((left_ns + kMillisecondNs - 1) / kMillisecondNs, 0, [this] { turn_away_the_late(); });
}

void PeerGroup::turn_away_the_late() {
  const int64_t now_ns = steady_now_ns();
  while (!ends_.empty() && ends_.begin()->first <= now_ns) {
    turn_away(*members_.at(ends_.begin()->second),
              {ErrorCode::kTimeout, "no hello within the time limit"});
  }
  wait_for_the_late();
}

void PeerGroup::know_unsent(Member& member) {
  const size_t now = member.unsent_bytes();
  unsent_bytes_ += now - std::exchange(member.unsent_known_, now);
  most_unsent_ = std::max(most_unsent_, unsent_bytes_);
}

void PeerGroup::sent_to(Member& member) {
  know_unsent(member);
  if (unsent_bytes_ > options_.max_unsent_bytes) drop_slow_readers();
}

void PeerGroup::drop_slow_readers() {
  for (const auto& [id, member] : members_) know_unsent(*member);
  while (unsent_bytes_ > options_.max_unsent_bytes) {
    const auto most =
        std::max_element(members_.begin(), members_.end(), [](const auto& a, const auto& b) {
          return a.second->unsent_known_ < b.second->unsent_known_;
        });
    Member& slow_reader = *most->second;
    turn_away(slow_reader, {ErrorCode::kLimit,
                            fmt::format("the peer does not read: {} unsent bytes, {} to all peers",
                                        slow_reader.unsent_known_, unsent_bytes_)});
  }
}

// The allocator keeps freed memory between blocks that are in use, so malloc_trim() returns it.
void PeerGroup::give_memory_back() {
  if (most_unsent_ < kMuchMemory || unsent_bytes_ > most_unsent_ / 2) return;
  most_unsent_ = unsent_bytes_;
  give_back_.start(kGiveBackMs, 0, [] { malloc_trim(0); });
}

}  // namespace sail
