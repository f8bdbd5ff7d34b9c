#include "sail/core/routing/swap_barrier.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr uint64_t bit(size_t slot) {
  return uint64_t{1} << slot;
}

template <typename Members>
auto* find_in(Members& members, uint32_t number) {
  const auto it = std::find_if(members.begin(), members.end(),
                               [number](const auto& member) { return member.number == number; });
  return it == members.end() ? nullptr : &*it;
}

}  // namespace

SwapBarrier::SwapBarrier(uint64_t epoch, std::span<const uint32_t> members) : epoch_(epoch) {
  members_.reserve(members.size());
  for (const uint32_t number : members) members_.push_back({.number = number});
  waiting_.reserve(kMaxFramesInFlight + 1);
}

SwapBarrier::Arrival SwapBarrier::ready(uint32_t number, uint64_t frame, int64_t now_ns) {
  Member* member = find(number);
  if (member == nullptr || frame <= member->newest) return Arrival::kIgnored;
  member->newest = frame;
  member->reported_ns = now_ns;
  member->lost = false;
  const bool was_behind = member->left_behind;
  if (was_behind) {
    const int64_t away_ns = now_ns - member->missed_ns;
    const bool slow = away_ns < kLongestTimeoutNs;
    if (slow) waited(away_ns);
    member->left_behind = !slow && frame < last_released_ && ++member->passed < kMostPassed;
  }
  if (frame > last_released_) {
    const size_t slot = slot_of(frame, now_ns);
    member->held |= bit(slot);
    if (complete(slot)) {
      ++completed_;
      member->held_up_ns += now_ns - waiting_[slot].since_ns;
      waited(now_ns - waiting_[slot].since_ns);
    }
  }
  drop_incomplete();
  // A correct receiver never holds more frames than this, so the oldest is dropped.
  if (waiting_.size() > kMaxFramesInFlight) erase(0);
  if (frame == last_released_) return Arrival::kLate;
  return was_behind && frame < last_released_ && frame > member->released ? Arrival::kTooLate
                                                                          : Arrival::kCounted;
}

void SwapBarrier::lose(uint32_t number) {
  Member* member = find(number);
  if (member == nullptr) return;
  member->newest = 0;
  member->held = 0;
  member->released = 0;
  leave_behind(*member);
  member->missed_ns = INT64_MIN / 2;
  member->lost = true;
  drop_incomplete();
}

void SwapBarrier::pass_over(uint32_t number) {
  if (Member* member = find(number)) leave_behind(*member);
}

void SwapBarrier::ended(uint32_t number, uint64_t frame) {
  Member* member = find(number);
  if (member != nullptr) member->ended = std::max(member->ended, frame);
}

void SwapBarrier::leave_behind(Member& member) {
  if (member.left_behind) return;
  member.left_behind = true;
  member.passed = 0;
  ++member.times_left_behind;
}

int SwapBarrier::expire(int64_t now_ns, int64_t wait_timeout_ns) {
  int left = 0;
  for (Member& member : members_) left += expire(member, now_ns, wait_timeout_ns) ? 1 : 0;
  return left;
}

bool SwapBarrier::expire(Member& member, int64_t now_ns, int64_t wait_timeout_ns) {
  for (size_t slot = 0; slot < waiting_.size() && !member.left_behind; ++slot) {
    if (!keeps_waiting(member, slot, now_ns, wait_timeout_ns)) continue;
    leave_behind(member);
    member.missed_ns = waiting_[slot].since_ns;
    return true;
  }
  return false;
}

void SwapBarrier::mark_unreachable(uint32_t number, int64_t now_ns) {
  if (Member* member = find(number)) expire(*member, now_ns, 0);
}

// Whether the member delays the frame in silence. A slow member that still reports is not silent.
bool SwapBarrier::keeps_waiting(const Member& member, size_t slot, int64_t now_ns,
                                int64_t wait_timeout_ns) const {
  return now_ns - waiting_[slot].since_ns >= wait_timeout_ns && (member.held & bit(slot)) == 0 &&
         now_ns - member.reported_ns >= wait_timeout_ns;
}

bool SwapBarrier::absent(uint32_t number, int64_t now_ns) const {
  const Member* member = find(number);
  if (member == nullptr || member->left_behind) return member != nullptr;
  for (size_t slot = 0; slot < waiting_.size(); ++slot) {
    if (keeps_waiting(*member, slot, now_ns, kLongestTimeoutNs)) return true;
  }
  return false;
}

bool SwapBarrier::left_behind(uint32_t number) const {
  const Member* member = find(number);
  return member != nullptr && member->left_behind;
}

bool SwapBarrier::is_stalled(uint32_t number) const {
  const Member* member = find(number);
  return member != nullptr && member->left_behind && !member->lost;
}

bool SwapBarrier::any_counts() const {
  return std::any_of(members_.begin(), members_.end(),
                     [](const Member& member) { return !member.left_behind; });
}

bool SwapBarrier::all_lost() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.lost; });
}

std::optional<int64_t> SwapBarrier::waits_since_ns() const {
  for (size_t slot = 0; slot < waiting_.size(); ++slot) {
    if (!complete(slot)) return waiting_[slot].since_ns;
  }
  return std::nullopt;
}

std::optional<uint64_t> SwapBarrier::due() const {
  for (size_t slot = waiting_.size(); slot-- > 0;) {
    if (complete(slot)) return waiting_[slot].frame;
  }
  return std::nullopt;
}

std::optional<uint64_t> SwapBarrier::first_complete(uint64_t after) const {
  for (size_t slot = 0; slot < waiting_.size(); ++slot) {
    if (waiting_[slot].frame > after && complete(slot)) return waiting_[slot].frame;
  }
  return std::nullopt;
}

void SwapBarrier::take(uint64_t frame) {
  last_released_ = std::max(last_released_, frame);
  for (Member& member : members_) {
    if (!member.left_behind || member.newest == last_released_)
      member.released = std::max(member.released, last_released_);
  }
  drop(last_released_);
}

bool SwapBarrier::goes_to(uint32_t number, uint64_t frame) const {
  const Member* member = find(number);
  return member != nullptr && member->released >= frame;
}

void SwapBarrier::take_for(uint32_t number, uint64_t frame) {
  Member* member = find(number);
  if (member != nullptr) member->released = std::max(member->released, frame);
}

std::optional<SwapBarrier::Passed> SwapBarrier::take_passed() {
  for (Member& member : members_) {
    const bool undecided = member.newest > std::max(member.released, member.ended);
    if (!member.left_behind || !undecided || member.newest >= last_released_) continue;
    member.released = member.newest;
    return Passed{.member = member.number, .frame = member.newest};
  }
  return std::nullopt;
}

void SwapBarrier::drop(uint64_t frame) {
  while (!waiting_.empty() && waiting_.front().frame <= frame) erase(0);
}

std::optional<uint64_t> SwapBarrier::slowest() const {
  std::optional<uint64_t> slowest;
  for (const Member& member : members_) {
    if (!member.left_behind) slowest = std::min(slowest.value_or(member.newest), member.newest);
  }
  return slowest;
}

void SwapBarrier::join(uint32_t number, bool counts, int64_t now_ns) {
  if (has(number)) return;
  members_.push_back(
      {.number = number, .reported_ns = counts ? now_ns : INT64_MIN / 2, .left_behind = !counts});
}

void SwapBarrier::leave(uint32_t number) {
  std::erase_if(members_, [number](const Member& member) { return member.number == number; });
  drop_incomplete();
}

void SwapBarrier::wait_for(uint32_t number) {
  Member* member = find(number);
  if (member == nullptr) return;
  member->left_behind = false;
  drop_incomplete();
}

bool SwapBarrier::all_ended() const {
  return std::all_of(members_.begin(), members_.end(), [](const Member& member) {
    return member.left_behind || member.ended >= member.released;
  });
}

SwapBarrier::HeldUp SwapBarrier::take_held_up(uint32_t number) {
  Member* member = find(number);
  if (member == nullptr) return {};
  const auto waited_ns = static_cast<double>(std::exchange(member->held_up_ns, 0));
  return {.mean_ms = completed_ == 0 ? 0 : waited_ns / 1e6 / static_cast<double>(completed_),
          .left_behind = member->times_left_behind};
}

bool SwapBarrier::has(uint32_t number) const {
  return find(number) != nullptr;
}

SwapBarrier::Member* SwapBarrier::find(uint32_t number) {
  return find_in(members_, number);
}

const SwapBarrier::Member* SwapBarrier::find(uint32_t number) const {
  return find_in(members_, number);
}

// The frame's slot; inserted if it is new.
size_t SwapBarrier::slot_of(uint64_t frame, int64_t now_ns) {
  const auto it = std::find_if(waiting_.begin(), waiting_.end(),
                               [&](const Waiting& waiting) { return waiting.frame >= frame; });
  const auto slot = static_cast<size_t>(it - waiting_.begin());
  if (it != waiting_.end() && it->frame == frame) return slot;
  waiting_.insert(it, {.frame = frame, .since_ns = now_ns});
  const uint64_t below = bit(slot) - 1;
  for (Member& member : members_) {
    member.held = (member.held & below) | ((member.held & ~below) << 1);
  }
  return slot;
}

bool SwapBarrier::complete(size_t slot) const {
  bool any = false;
  for (const Member& member : members_) {
    if (member.left_behind) continue;
    if ((member.held & bit(slot)) == 0) return false;
    any = true;
  }
  return any;
}

// Whether no member holds the frame any more, or a waited-for member skipped it.
bool SwapBarrier::cannot_complete(size_t slot) const {
  bool held = false;
  for (const Member& member : members_) {
    const bool holds = (member.held & bit(slot)) != 0;
    held = held || holds;
    if (!holds && !member.left_behind && member.newest > waiting_[slot].frame) return true;
  }
  return !held;
}

void SwapBarrier::drop_incomplete() {
  for (size_t slot = waiting_.size(); slot-- > 0;) {
    if (cannot_complete(slot)) erase(slot);
  }
}

void SwapBarrier::erase(size_t slot) {
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(slot));
  const uint64_t below = bit(slot) - 1;
  for (Member& member : members_) {
    member.held = (member.held & below) | ((member.held >> 1) & ~below);
  }
}

}  // namespace sail
