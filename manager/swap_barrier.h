// The swap barrier of one routing map (one stream, one epoch): a frame is swapped when every member
// holds it. Pure; times in wall ns. Owned by the Director.
//
// A member reports its frames in order, so a member that reports n + 1 without n never will have n:
// such a frame is dropped for all. A member that keeps a frame waiting for kBarrierTimeoutMs, and
// reports no other all the while, is left behind: it does not count until its next report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace manager {

class SwapBarrier {
 public:
  SwapBarrier(uint64_t epoch, const std::vector<std::string>& members);

  enum class Arrival {
    kIgnored,  // from a stranger, or not newer than this member's last one
    kCounted,
    kLate,  // of the frame that went last, from a member that it did not wait for
  };
  Arrival ready(std::string_view member, uint64_t frame, int64_t now_ns);
  // The member is gone for good.
  void leave(std::string_view member);
  // Leaves behind who lets a frame wait too long in silence: their names.
  std::vector<std::string> expire(int64_t now_ns);

  // Whether take_due has a frame.
  bool due() const;
  // The newest frame that all members that count hold; it and all older ones are settled by this.
  std::optional<uint64_t> take_due();

  // The member that kept the others waiting longest since the last call, and how long for a frame.
  struct HeldUp {
    std::string receiver;
    double mean_ms = 0;
  };
  std::optional<HeldUp> take_held_up();

  uint64_t epoch() const { return epoch_; }
  // Those left behind too: they must know what the others show.
  std::vector<std::string> members() const;
  bool empty() const { return members_.empty(); }
  // Whether any frame was ever reported.
  bool heard() const { return heard_; }

 private:
  struct Member {
    std::string name;
    uint64_t newest = 0;               // frame it reported last
    int64_t heard_ns = INT64_MIN / 2;  // never
    bool left_behind = false;
    uint64_t held = 0;       // bit i: it holds waiting_[i]
    int64_t held_up_ns = 0;  // the others, since take_held_up()
  };
  struct Waiting {
    uint64_t frame = 0;
    int64_t since_ns = 0;
  };
  Member* find(std::string_view name);
  size_t slot_of(uint64_t frame, int64_t now_ns);
  bool complete(size_t slot) const;
  bool hopeless(size_t slot) const;
  void drop_hopeless();
  void erase(size_t slot);

  uint64_t epoch_;
  std::vector<Member> members_;
  std::vector<Waiting> waiting_;  // oldest first, at most kMaxFramesInFlight
  uint64_t gone_ = 0;             // the frame that went last
  bool heard_ = false;
  uint64_t completed_ = 0;  // frames, since take_held_up()
};

}  // namespace manager
