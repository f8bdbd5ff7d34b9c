#include "manager/swap_barrier.h"

#include <algorithm>
#include <utility>

#include "sail/wire/limits.h"

namespace manager {
namespace {
constexpr int64_t kTimeoutNs = int64_t{sail::kBarrierTimeoutMs} * 1'000'000;
constexpr uint64_t bit(size_t slot) {
  return uint64_t{1} << slot;
}
}  // namespace

SwapBarrier::SwapBarrier(uint64_t epoch, const std::vector<std::string>& members) : epoch_(epoch) {
  members_.reserve(members.size());
  for (const std::string& name : members) members_.push_back({.name = name});
  waiting_.reserve(sail::kMaxFramesInFlight + 1);
}

SwapBarrier::Arrival SwapBarrier::ready(std::string_view name, uint64_t frame, int64_t now_ns) {
  Member* member = find(name);
  if (member == nullptr || frame <= member->newest) return Arrival::kIgnored;
  member->newest = frame;
  member->heard_ns = now_ns;
  member->left_behind = false;
  heard_ = true;
  if (frame > gone_) {
    const size_t slot = slot_of(frame, now_ns);
    member->held |= bit(slot);
    if (complete(slot)) {
      ++completed_;
      member->held_up_ns += now_ns - waiting_[slot].since_ns;
    }
  }
  drop_hopeless();
  // No honest receiver holds more than this: the oldest gives way.
  if (waiting_.size() > sail::kMaxFramesInFlight) erase(0);
  return frame == gone_ ? Arrival::kLate : Arrival::kCounted;
}

void SwapBarrier::leave(std::string_view name) {
  std::erase_if(members_, [&](const Member& member) { return member.name == name; });
  drop_hopeless();
}

std::vector<std::string> SwapBarrier::expire(int64_t now_ns) {
  std::vector<std::string> left;
  for (size_t slot = 0; slot < waiting_.size(); ++slot) {
    if (now_ns - waiting_[slot].since_ns < kTimeoutNs) continue;
    for (Member& member : members_) {
      if (member.left_behind || (member.held & bit(slot)) != 0) continue;
      if (now_ns - member.heard_ns < kTimeoutNs) continue;  // slow, but alive
      member.left_behind = true;
      left.push_back(member.name);
    }
  }
  return left;
}

std::optional<SwapBarrier::HeldUp> SwapBarrier::take_held_up() {
  const uint64_t frames = std::exchange(completed_, 0);
  const auto slowest = std::max_element(
      members_.begin(), members_.end(),
      [](const Member& a, const Member& b) { return a.held_up_ns < b.held_up_ns; });
  std::optional<HeldUp> held_up;
  if (frames > 0 && slowest != members_.end() && slowest->held_up_ns > 0) {
    held_up = {
        .receiver = slowest->name,
        .mean_ms = static_cast<double>(slowest->held_up_ns) / 1e6 / static_cast<double>(frames)};
  }
  for (Member& member : members_) member.held_up_ns = 0;
  return held_up;
}

bool SwapBarrier::due() const {
  for (size_t slot = 0; slot < waiting_.size(); ++slot) {
    if (complete(slot)) return true;
  }
  return false;
}

std::optional<uint64_t> SwapBarrier::take_due() {
  for (size_t slot = waiting_.size(); slot-- > 0;) {
    if (!complete(slot)) continue;
    gone_ = waiting_[slot].frame;
    for (size_t i = 0; i <= slot; ++i) erase(0);
    return gone_;
  }
  return std::nullopt;
}

std::vector<std::string> SwapBarrier::members() const {
  std::vector<std::string> names;
  names.reserve(members_.size());
  for (const Member& member : members_) names.push_back(member.name);
  return names;
}

SwapBarrier::Member* SwapBarrier::find(std::string_view name) {
  const auto it = std::find_if(members_.begin(), members_.end(),
                               [&](const Member& member) { return member.name == name; });
  return it == members_.end() ? nullptr : &*it;
}

// Where the frame waits, from now on if it did not yet.
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

// A frame that nobody holds any more, or that a member passed over.
bool SwapBarrier::hopeless(size_t slot) const {
  bool held = false;
  for (const Member& member : members_) {
    const bool holds = (member.held & bit(slot)) != 0;
    held = held || holds;
    if (!holds && !member.left_behind && member.newest > waiting_[slot].frame) return true;
  }
  return !held;
}

void SwapBarrier::drop_hopeless() {
  for (size_t slot = waiting_.size(); slot-- > 0;) {
    if (hopeless(slot)) erase(slot);
  }
}

void SwapBarrier::erase(size_t slot) {
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(slot));
  const uint64_t below = bit(slot) - 1;
  for (Member& member : members_) {
    member.held = (member.held & below) | ((member.held >> 1) & ~below);
  }
}

}  // namespace manager
