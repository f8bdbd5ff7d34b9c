// Shows a stream's frames at the same instant everywhere: SwapPlan decides, and this class sends
// the decisions, always in the same order; see execute(). Loop thread.
//
// A recorder shows what the wall shows, if necessary late. It is sent the decisions about frames
// that it has, and nobody waits for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/client/sender/stream_links.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/group_member.h"
#include "sail/client/sync/swap_plan.h"

namespace sail {

class StreamSwaps {
 public:
  struct Handlers {
    // A frame may wait for a receiver from now on: call check() regularly while one waits.
    std::function<void()> on_waiting;
    // All receivers of a new map have a frame of it: report this to the manager.
    std::function<void(const EpochReady&)> on_epoch_ready;
  };
  struct Options {
    bool apart = false;  // see SwapPlan
    bool part = false;   // frames are shown only with the other ranks' parts
    double interval_ns = 0;
  };
  // loop, links, submit_queue, clock and log must outlive this object.
  StreamSwaps(Loop& loop, const Options& options, StreamLinks& links, SubmitQueue& submit_queue,
              const WallClock& clock, const Log& log, Handlers handlers);

  // Starts again without a map and without a group.
  void reset();

  // --- frames
  void add(const EncodedFrame& frame);
  void ready(StreamLink& link, const FrameReady& ready);
  void reported(const StreamLink& link, const FrameReport& report);
  // The link and the frames that its receiver had are lost.
  void lose(const StreamLink& link);
  // Leaves behind receivers that keep the others waiting.
  void check();
  // Returns true if the wall continues without this receiver until it keeps up again.
  bool is_left_behind(const StreamLink& link) const {
    return link.is_awaited() && plan_.is_left_behind(link.number());
  }

  // --- layouts. Call execute() afterwards.
  // Frames follow the map of this epoch; see SwapPlan::route().
  void follow(uint64_t epoch, std::span<const uint32_t> members, uint32_t group_members);
  void take_effect(const TakeEffect& taken);
  // Abandons a layout change because the manager was lost. newest: number of the newest frame.
  void revert(uint64_t newest);
  // Epoch of the map in effect; 0: none.
  uint64_t epoch() const { return plan_.epoch(); }
  bool changing() const { return plan_.changing(); }
  // Returns the earliest wall time at which a layout can take effect now: not before what the
  // receivers show last.
  int64_t next_layout_ns() const;

  // --- the group
  // Joins or leaves a group. Without a coordinator's address, keeps the current coordinator.
  void set_group(const GroupMembership& membership);
  bool grouped() const { return plan_.grouped(); }
  // If the coordinator is unreachable for a longer time, the stream shows its frames on its own.
  void check_group();

  // Sends the plan's decisions: to the receivers, to the group, and then to the manager.
  void execute();
  // Shows each recorder's held frame once the wall shows that frame or a later one.
  void check_recorders();
  SwapBarrier& shown() { return plan_.shown(); }
  // Returns the reports for users about the receivers; see StreamLink::take_trouble().
  std::vector<LinkStats> take_troubles(int64_t now_ns);
  // Statistics of the receivers that the wall waits for, with how long each has held up the others
  // since the last call.
  std::vector<LinkStats> link_stats(int64_t now_ns);
  // Time since which a frame waits for a receiver that may be left behind.
  std::optional<int64_t> waits_since_ns() const { return plan_.waits_since_ns(); }
  // Returns true while frames that waited for an unreachable receiver are shown one after another.
  bool catches_up(int64_t now_ns) const { return plan_.catches_up(now_ns); }

 private:
  SwapPlan new_plan() const;
  void send_shows();
  void send_votes();
  void report_ready_layout();
  bool concerns(const StreamLink& link, const SwapPlan::Show& show) const;
  void check_recorder(StreamLink& link);
  void check_unreachable(int64_t now_ns);
  void on_decision(const GroupDecision& decision);

  Loop& loop_;
  const Options options_;
  StreamLinks& links_;
  SubmitQueue& submit_queue_;
  const WallClock& clock_;
  const Log& log_;
  const Handlers handlers_;
  SwapPlan plan_;
  std::unique_ptr<GroupMember> group_;  // null: not in a group, or the group has no coordinator
  int64_t executed_ns_;                 // when execute() was called last
  Timer reads_;                         // runs when the loop has read all messages that waited
  bool reads_first_ = false;            // until reads_ runs, no decision is sent
};

}  // namespace sail
