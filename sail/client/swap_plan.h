// Decides when a stream's frames are shown on all of its receivers: by the swap barrier of the
// routing map in effect and, while a layout changes, by one of the map to come. Pure; times in
// steady ns: wall time may come to be another manager's. Owned by the StreamSender.
//
// While the layout changes, frames of the old map are shown as before, until a frame of the new one
// is at all its receivers. From then on none is, and when the receivers have done with those that
// were, the manager is told. So whatever order a frame's `frame_show` and the layout's `go` arrive
// in, they never compete for the same instant. The layout takes effect with just that frame, and
// the frames after it follow by its map.
//
// When the manager goes away before that, the layout is not to be: frames go by the old map again.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/wall/swap_barrier.h"
#include "sail/wire/data_messages.h"

namespace sail {

class SwapPlan {
 public:
  SwapPlan() : shown_(0, {}) { shows_.reserve(4); }

  // The map of that epoch is to come, with these members.
  void route(uint64_t epoch, std::span<const uint32_t> members);
  // It takes effect at that instant, with that frame; 0: none is ready.
  void take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns, int64_t now_ns);
  // It never will.
  void revert(int64_t now_ns);

  void ready(uint32_t member, const FrameReady& ready, int64_t now_ns);
  void reported(uint32_t member, const FrameReport& report, int64_t now_ns);
  // Its connection is lost, and the frames that it had.
  void lose(uint32_t member, int64_t now_ns);
  // Time passes.
  void tick(int64_t now_ns);

  struct Show {
    uint64_t frame = 0;
    uint64_t epoch = 0;
    int64_t at_ns = 0;
    std::optional<uint32_t> only{};  // nothing: all members of the map in effect
  };
  // What came out of the calls so far, oldest first.
  std::span<const Show> shows() const { return shows_; }
  void clear_shows() { shows_.clear(); }
  bool shows_to(uint32_t member) const { return shown_.has(member); }

  // The manager is to hear that a frame of this epoch is at all its receivers: once an epoch.
  struct Settled {
    uint64_t epoch = 0;
    uint64_t frame = 0;
    int64_t lead_ns = 0;
  };
  std::optional<Settled> take_settled() { return std::exchange(settled_, std::nullopt); }

  uint64_t epoch() const { return shown_.epoch(); }
  // A map is to come.
  bool changing() const { return coming_.has_value(); }
  SwapBarrier& shown() { return shown_; }

 private:
  struct Pace {  // of one receiver
    uint32_t member = 0;
    int64_t render_ns = 0;  // slowest lately
  };
  Pace& pace_of(uint32_t member);
  int64_t lead_ns(const SwapBarrier& barrier) const;
  void look(int64_t now_ns);
  void tell_settled(const SwapBarrier& barrier, uint64_t frame);

  SwapBarrier shown_;
  std::optional<SwapBarrier> coming_;
  uint64_t told_epoch_ = 0;  // for take_settled()
  int64_t last_at_ns_ = 0;
  std::vector<Pace> paces_;
  std::vector<Show> shows_;
  std::optional<Settled> settled_;
};

}  // namespace sail
