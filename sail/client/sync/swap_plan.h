// Decides when a stream's frames are shown on all of its receivers: by the swap barrier of the
// routing map in effect and, during a layout change, by a second barrier for the coming map. Pure.
// Times are steady ns: wall time may switch to another manager's clock. Owned by StreamSwaps.
//
// During a layout change, frames of the old map are shown until all receivers have a frame of the
// new map. Then no further frame is shown. When the receivers have finished those already decided,
// the manager is notified. So the order in which a receiver gets `frame_show` and the layout's `go`
// does not matter: they never compete for the same instant. The layout takes effect with exactly
// that frame, and later frames follow the layout's map.
//
// If the manager is lost before that, the change is abandoned. Frames follow the old map again,
// once the receivers have proved that they do, too.
//
// A stalled receiver is left behind after the adaptive timeout of its map (AdaptiveTimeout), an
// unreachable one at once. A coming layout does not wait for receivers left behind before it. Such
// a receiver drops frames older than what the others show, until it keeps up again. Frames that
// waited for an unreachable receiver are all shown, at twice their rate until they are on time.
//
// A frame with a presentation time is shown then, or as soon as possible after it. If the displays'
// refresh is known, times follow their steadiest pattern (Cadence). While the stream is in a group,
// the group's coordinator decides about these frames. Each complete frame is reported to it in
// order, and it answers with the time at which the frame is shown, or that it is dropped. Before
// the manager is notified of a layout's first frame, the group must be ready for it, and the group
// waits for the layout's time (receiver/groups/sync_coordinator.h). Frames without a name are
// exempt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/core/routing/cadence.h"
#include "sail/core/routing/swap_barrier.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {

class SwapPlan {
 public:
  // apart: each receiver shows a frame as soon as it has it, except the first frame of a layout.
  // interval_ns: see Cadence.
  explicit SwapPlan(bool apart = false, double interval_ns = 0)
      : apart_(apart),
        shown_(0, {}),
        half_interval_ns_(static_cast<int64_t>(interval_ns / 2)),
        cadence_(interval_ns) {
    shows_.reserve(4);
  }

  // Adds a frame. present_ns: presentation time (steady); 0: as soon as possible. name: the frame's
  // name in the group, which is the application's presentation time or the part's number; 0: none.
  // Call in frame order; frames without time and name need not be added.
  void add(uint64_t frame, int64_t present_ns, int64_t name);

  // Starts a layout change to the map of this epoch with these receivers. group_members: number of
  // group members whose maps change with it.
  void route(uint64_t epoch, std::span<const uint32_t> members, uint32_t group_members);
  // The layout takes effect at at_ns with this frame; 0: no frame is ready.
  void take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns, int64_t now_ns);
  // Abandons the layout change because the manager was lost. Others may already know that it
  // takes effect. That is excluded once all receivers have a frame newer than `newest` by the map
  // in effect; until then nothing is shown.
  void revert(uint64_t newest, int64_t now_ns);

  // The receiver has the frame. The refresh in `ready` must be in steady time, too.
  void ready(uint32_t member, const FrameReady& ready, int64_t now_ns);
  void reported(uint32_t member, const FrameReport& report, int64_t now_ns);
  // The receiver's connection and the frames it had are lost.
  void lose(uint32_t member, int64_t now_ns);
  // Nothing reaches the receiver although its connection exists.
  void mark_unreachable(uint32_t member, int64_t now_ns);
  // Checks timeouts.
  void tick(int64_t now_ns);

  struct Show {
    uint64_t frame = 0;
    uint64_t epoch = 0;
    int64_t at_ns = 0;               // 0: the frame is dropped
    std::optional<uint32_t> only{};  // empty: all receivers of the map in effect
  };
  // Decisions made so far, oldest first.
  std::span<const Show> shows() const { return shows_; }
  void clear_shows() { shows_.clear(); }
  // The decisions made so far are sent only now. Those of a group keep their times.
  void postpone(int64_t now_ns);
  // Returns true if the decision must be sent to this receiver.
  bool is_for(const Show& show, uint32_t member) const;

  // Time since which a frame waits for a receiver that may be left behind; call tick() then.
  std::optional<int64_t> waits_since_ns() const;
  // Returns true if the other receivers of the map in effect continue without this one.
  bool is_left_behind(uint32_t member) const {
    return shown_.left_behind(member) && shown_.any_counts();
  }
  // Returns true while frames that waited for an unreachable receiver are shown one after another.
  bool catches_up(int64_t now_ns) const { return now_ns < catches_up_until_ns_; }

  // Reported to the manager once per epoch: all receivers have a frame of this epoch.
  struct Settled {
    uint64_t epoch = 0;
    uint64_t frame = 0;
    int64_t lead_ns = 0;
  };
  std::optional<Settled> take_settled() { return std::exchange(settled_, std::nullopt); }

  // --- the group
  // Sets whether a group decides about the frames. Without a group they are shown independently.
  void set_grouped(bool grouped, int64_t now_ns);
  bool grouped() const { return grouped_; }
  // Messages for the coordinator, oldest first.
  struct Vote {
    int64_t name = 0;  // name of the frame; 0 for kWithdrawn
    GroupVote vote{};
    int64_t at_ns = 0;  // set for kLayoutAt
    int64_t lead_ns = 0;
    uint32_t members = 0;  // set for kLayoutReady: see GroupReady
    Refresh refresh{};
  };
  std::span<const Vote> votes() const { return votes_; }
  void clear_votes() { votes_.clear(); }
  // The coordinator has lost its state: repeats the messages that still apply.
  void resend();
  // The coordinator's decision about the frame with this name.
  void decide(DecisionKind kind, int64_t name, int64_t at_ns, int64_t now_ns);

  uint64_t epoch() const { return shown_.epoch(); }
  // Returns the latest presentation time so far, of a frame or a layout.
  int64_t last_at_ns() const { return last_at_ns_; }
  // Returns true during a layout change.
  bool changing() const { return coming_.has_value(); }
  uint64_t coming_epoch() const { return coming_ ? coming_->epoch() : 0; }
  SwapBarrier& shown() { return shown_; }

 private:
  struct Pace {  // timing of one receiver
    uint32_t member = 0;
    int64_t render_ns = 0;  // recent maximum, decaying
    Refresh refresh{};
  };
  Pace& pace_of(uint32_t member);
  int64_t lead_ns(const SwapBarrier& barrier) const;
  void update_refreshes();
  void evaluate(int64_t now_ns);
  void evaluate_layout(uint64_t frame, int64_t now_ns);
  // Returns the oldest frame after `after` that all receivers have. If several are due by
  // soonest_ns, returns the newest of these.
  std::optional<uint64_t> next_complete(const SwapBarrier& barrier, uint64_t after,
                                        int64_t soonest_ns) const;
  void show(uint64_t frame, int64_t at_ns);
  // Frames have waited since this time for a receiver that is now left behind.
  void catch_up(int64_t since_ns, int64_t now_ns);
  struct FrameTimes {
    uint64_t frame = 0;
    int64_t present_ns = 0;
    int64_t name = 0;
  };
  FrameTimes times_of(uint64_t frame) const;
  // 0: no presentation time.
  int64_t present_ns(uint64_t frame) const { return times_of(frame).present_ns; }
  int64_t name(uint64_t frame) const { return times_of(frame).name; }
  bool has_name(uint64_t frame, int64_t name) const;
  // Returns the newest frame whose name is from `after` to `until`; 0: none.
  uint64_t frame_named(int64_t after, int64_t until) const;
  bool in_group(uint64_t frame) const { return grouped_ && name(frame) != 0; }
  void add_vote(uint64_t frame, GroupVote vote, int64_t at_ns = 0);
  void report_unseen();
  void report_settled(const SwapBarrier& barrier, uint64_t frame);

  bool apart_;
  SwapBarrier shown_;
  AdaptiveTimeout stall_timeout_;
  std::optional<SwapBarrier> coming_;
  uint32_t coming_group_members_ = 0;
  std::vector<FrameTimes> frame_times_;  // oldest first
  // Nothing is shown until a frame newer than this is complete; 0: no restriction.
  uint64_t unconfirmed_ = 0;
  uint64_t handled_ = 0;  // complete frames up to this one have been handled
  bool grouped_ = false;
  std::vector<uint64_t> undecided_;  // complete frames that the group has not decided on
  uint64_t group_shown_ = 0;         // the frame that the group showed last
  uint64_t proposed_ = 0;            // the layout's first frame, as reported to the group
  // The layout's first frame, once the group waits for it.
  uint64_t granted_ = 0;
  std::vector<Vote> votes_;
  uint64_t settled_epoch_ = 0;  // last epoch reported by take_settled()
  int64_t last_at_ns_ = 0;
  int64_t layout_at_ns_ = 0;  // time of the last layout change
  std::vector<Pace> paces_;
  Refresh refresh_;                  // combined refresh of all receivers
  int64_t half_interval_ns_;         // half the interval of frames; 0: unknown
  int64_t catches_up_until_ns_ = 0;  // until then late frames are shown one after another
  Cadence cadence_;
  std::vector<Show> shows_;
  std::optional<Settled> settled_;
};

}  // namespace sail
