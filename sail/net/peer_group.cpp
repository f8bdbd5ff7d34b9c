#include "sail/net/peer_group.h"

#include <fmt/core.h>
#include <malloc.h>

#include <algorithm>
#include <utility>

#include "sail/base/clock.h"
#include "sail/net/tcp.h"

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
      turns_(std::make_shared<FairTurns>(loop)),
      strangers_(options.max_strangers),
      late_(loop),
      give_back_(loop) {}

void PeerGroup::enter(Member& member, const std::string& host) {
  if (strangers_.full()) {
    turn_away(*members_.at(strangers_.next_to_go()),
              {ErrorCode::kLimit, "it said no hello, and others needed its place"});
  }
  member.id_ = next_id_++;
  members_.emplace(member.id_, &member);
  strangers_.enter(member.id_, network_of(host));
  strangers_since_ns_.emplace(member.id_, steady_now_ns());
  if (strangers_since_ns_.size() == 1) wait_for_the_late();
}

void PeerGroup::admit(const Member& member) {
  strangers_.leave(member.id_);
  strangers_since_ns_.erase(member.id_);
}

void PeerGroup::leave(Member& member) {
  if (members_.erase(member.id_) == 0) return;
  admit(member);
  unsent_bytes_ -= member.unsent_known_;
  give_memory_back();
}

void PeerGroup::make_room() {
  for (size_t more = (strangers_.taken() + 1) / 2; more > 0; --more) {
    turn_away(*members_.at(strangers_.next_to_go()),
              {ErrorCode::kLimit, "it said no hello, and descriptors are scarce"});
  }
}

void PeerGroup::turn_away(Member& member, const Error& why) {
  leave(member);
  member.turn_away(why);
}

void PeerGroup::wait_for_the_late() {
  if (strangers_since_ns_.empty()) {
    late_.stop();
    return;
  }
  const int64_t since_ns = strangers_since_ns_.begin()->second;
  const int64_t waited_ms = (steady_now_ns() - since_ns) / kMillisecondNs;
  late_.start(options_.hello_ms - waited_ms, 0, [this] { turn_away_the_late(); });
}

void PeerGroup::turn_away_the_late() {
  const int64_t late_ns = steady_now_ns() - options_.hello_ms * kMillisecondNs;
  while (!strangers_since_ns_.empty() && strangers_since_ns_.begin()->second <= late_ns) {
    turn_away(*members_.at(strangers_since_ns_.begin()->first),
              {ErrorCode::kTimeout, "it said no hello in time"});
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
  if (unsent_bytes_ > options_.max_unsent_bytes) turn_away_the_deaf();
}

void PeerGroup::turn_away_the_deaf() {
  for (const auto& [id, member] : members_) know_unsent(*member);
  while (unsent_bytes_ > options_.max_unsent_bytes) {
    const auto most =
        std::max_element(members_.begin(), members_.end(), [](const auto& a, const auto& b) {
          return a.second->unsent_known_ < b.second->unsent_known_;
        });
    Member& deaf = *most->second;
    turn_away(deaf, {ErrorCode::kLimit,
                     fmt::format("the peer does not read: {} bytes wait, and {} for all together",
                                 deaf.unsent_known_, unsent_bytes_)});
  }
}

// The allocator keeps freed memory between blocks that are in use, so malloc_trim() returns it.
void PeerGroup::give_memory_back() {
  if (most_unsent_ < kMuchMemory || unsent_bytes_ > most_unsent_ / 2) return;
  most_unsent_ = unsent_bytes_;
  give_back_.start(kGiveBackMs, 0, [] { malloc_trim(0); });
}

}  // namespace sail
