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
constexpr int64_t kReturnMemoryMs = 2000;

}  // namespace

PeerGroup::PeerGroup(Loop& loop, const Options& options)
    : loop_(loop),
      options_(options),
      turns_(std::make_shared<FairScheduler>(loop)),
      unauthenticated_quota_(options.max_unauthenticated),
      extended_quota_(options.max_extended),
      expiry_(loop),
      return_timer_(loop) {}

void PeerGroup::enter(Member& member, const std::string& host) {
  if (unauthenticated_quota_.full()) {
    evict(*members_.at(unauthenticated_quota_.next_to_go()),
          {ErrorCode::kLimit, "no hello yet when another connection needed the slot"});
  }
  member.id_ = next_id_++;
  members_.emplace(member.id_, &member);
  unauthenticated_quota_.enter(member.id_, network_of(host));
  const int64_t now_ns = steady_now_ns();
  deadlines_[member.id_].since_ns = now_ns;
  set_deadline(member.id_, now_ns + options_.hello_ms * kMillisecondNs);
}

void PeerGroup::extend_timeout(const Member& member, const std::string& host) {
  if (!deadlines_.contains(member.id_)) return;
  extended_quota_.leave(member.id_);
  if (extended_quota_.full()) {
    const uint64_t other = extended_quota_.next_to_go();
    extended_quota_.leave(other);
    set_deadline(other, deadlines_.at(other).since_ns + options_.hello_ms * kMillisecondNs);
  }
  extended_quota_.enter(member.id_, network_of(host));
  set_deadline(member.id_, steady_now_ns() + options_.password_ms * kMillisecondNs);
}

void PeerGroup::set_deadline(uint64_t id, int64_t end_ns) {
  Deadline& deadline = deadlines_.at(id);
  by_deadline_.erase({deadline.end_ns, id});
  deadline.end_ns = end_ns;
  by_deadline_.emplace(end_ns, id);
  if (by_deadline_.begin()->second == id) start_expiry_timer();
}

void PeerGroup::admit(const Member& member) {
  unauthenticated_quota_.leave(member.id_);
  extended_quota_.leave(member.id_);
  const auto deadline = deadlines_.extract(member.id_);
  if (!deadline.empty()) by_deadline_.erase({deadline.mapped().end_ns, member.id_});
}

void PeerGroup::leave(Member& member) {
  if (members_.erase(member.id_) == 0) return;
  admit(member);
  unsent_bytes_ -= member.unsent_counted_;
  return_memory();
}

void PeerGroup::make_room() {
  for (size_t more = (unauthenticated_quota_.taken() + 1) / 2; more > 0; --more) {
    evict(*members_.at(unauthenticated_quota_.next_to_go()),
          {ErrorCode::kLimit, "no hello yet when descriptors ran out"});
  }
}

void PeerGroup::evict(Member& member, const Error& why) {
  leave(member);
  member.evict(why);
}

void PeerGroup::start_expiry_timer() {
  if (by_deadline_.empty()) {
    expiry_.stop();
    return;
  }
  const int64_t left_ns = std::max<int64_t>(by_deadline_.begin()->first - steady_now_ns(), 0);
  expiry_.start((left_ns + kMillisecondNs - 1) / kMillisecondNs, 0, [this] { evict_expired(); });
}

void PeerGroup::evict_expired() {
  const int64_t now_ns = steady_now_ns();
  while (!by_deadline_.empty() && by_deadline_.begin()->first <= now_ns) {
    evict(*members_.at(by_deadline_.begin()->second),
          {ErrorCode::kTimeout, "no hello within the time limit"});
  }
  start_expiry_timer();
}

void PeerGroup::update_unsent(Member& member) {
  const size_t now = member.unsent_memory();
  unsent_bytes_ += now - std::exchange(member.unsent_counted_, now);
  most_unsent_ = std::max(most_unsent_, unsent_bytes_);
}

void PeerGroup::sent_to(Member& member) {
  update_unsent(member);
  if (unsent_bytes_ > options_.max_unsent_bytes) drop_slow_readers();
}

void PeerGroup::drop_slow_readers() {
  for (const auto& [id, member] : members_) update_unsent(*member);
  while (unsent_bytes_ > options_.max_unsent_bytes) {
    const auto most =
        std::max_element(members_.begin(), members_.end(), [](const auto& a, const auto& b) {
          return a.second->unsent_counted_ < b.second->unsent_counted_;
        });
    Member& slow_reader = *most->second;
    evict(slow_reader, {ErrorCode::kLimit,
                        fmt::format("the peer does not read: {} unsent bytes, {} to all peers",
                                    slow_reader.unsent_counted_, unsent_bytes_)});
  }
}

// The allocator keeps freed memory between blocks that are in use, so malloc_trim() returns it.
void PeerGroup::return_memory() {
  if (most_unsent_ < kMuchMemory || unsent_bytes_ > most_unsent_ / 2) return;
  most_unsent_ = unsent_bytes_;
  return_timer_.start(kReturnMemoryMs, 0, [] { malloc_trim(0); });
}

}  // namespace sail
