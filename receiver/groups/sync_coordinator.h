// The coordinator of a sync group. Members are streams of any number of applications. The
// coordinator decides when frames with the same presentation time are shown: as soon as all members
// have their frame completely, in one swap that is paced by the refresh of their displays. Pure;
// times are wall time, except timeouts, which use steady time.
//
// It is a swap barrier over presentation times instead of frame numbers. A member announces its
// frames in order, so a time that it skipped is dropped by all members. A late member delays the
// others or makes them drop frames; no member shows a frame alone. A member that is silent for
// kBarrierTimeoutMs or disconnected is left out until it announces another frame; with `waits`,
// members are never left out. Parts of a split stream are ordinary members
// (sail/core/wall/parts.h).
//
// If each member dropped frames on its own, they would rarely have a common one. So while more
// frames are dropped than shown, all members must send fewer, at the same times.
//
// When a layout gives a member a new routing map, the manager decides when its first frame of that
// map is shown. The member announces this and the following frames with kLayoutReady. Once all
// members have a frame of that time, the coordinator sends kLayoutGranted and decides nothing else
// until the member reports the time with kLayoutAt, which the others then receive. Members that one
// layout changes together announce their number: the coordinator waits for the first frame of each
// and sends all of them the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/routing/cadence.h"
#include "sail/core/routing/swap_barrier.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/group.h"

namespace receiver {

class SyncCoordinator {
 public:
  SyncCoordinator() : barrier_(0, {}) {}

  // Sets the members. Members of a new group take part from the start, since they may have shown
  // frames together before. Members added later take part from their first announced frame.
  void set_members(const sail::CoordinatedGroup& group, int64_t now_ns);
  bool has(uint32_t member) const { return barrier_.has(member); }

  struct Now {
    int64_t steady_ns = 0;
    int64_t wall_ns = 0;
  };
  // Returns true if the frame is implausibly far in the future; it must not be passed to ready().
  // The barrier would wait for it and drop all frames of the others meanwhile.
  bool is_too_far_ahead(const sail::GroupReady& ready, const Now& now) const;
  void ready(uint32_t member, const sail::GroupReady& ready, const Now& now);
  // The member's connection is lost.
  void lose(uint32_t member, const Now& now);
  // Must be called regularly.
  void tick(const Now& now);
  // Sends all members a heartbeat.
  void send_heartbeat() { send_to_all({.kind = sail::DecisionKind::kHeartbeat}); }
  // Returns the members that are silent although others have frames.
  std::vector<uint32_t> absent(int64_t now_ns) const;

  struct Outgoing {
    uint32_t member = 0;
    sail::GroupDecision decision;
  };
  // Returns the messages to send that the calls so far produced, oldest first.
  std::span<const Outgoing> outgoing() const { return outgoing_; }
  void clear_outgoing() { outgoing_.clear(); }

 private:
  // Frames are identified by their presentation times, in wall time.
  struct Member {
    uint32_t stream = 0;
    int64_t lead_ns = 0;
    sail::Refresh refresh{};
    int64_t since_ns = 0;     // steady time of the stream's last kLayoutReady, or of its late frame
    int64_t layout_ns = 0;    // newest frame of a layout whose time the manager decides; 0: none
    int64_t first_ns = 0;     // the first frame of that layout; earlier frames use the previous one
    int64_t complete_ns = 0;  // newest complete frame of the map in effect
    uint32_t layout_members = 0;  // number of members that the layout changes
    int64_t shows_ns = 0;  // the newest frame that it was sent kShow for; 0: none since kWithdrawn
    bool granted = false;  // it was sent kLayoutGranted
  };
  Member* find(uint32_t stream);
  // Returns true if the member waits for a layout with frames that the others have not passed.
  bool has_layout(const Member& member) const {
    return !member.granted && member.layout_ns > last_decided_ns();
  }
  // Returns true if the member waits for a layout with a frame that the others have passed.
  bool has_late_layout(const Member& member) const {
    return !member.granted && member.layout_ns != 0 && member.layout_ns <= last_decided_ns();
  }
  // Returns the known presentation time that equals this one within the tolerance.
  int64_t same_instant(int64_t present_ns);
  void answer_late(Member& member, int64_t present_ns, const Now& now);
  void show_late(Member& member, const Now& now);
  // Returns true if the member has the frame of the last decision, but was not sent kShow for it.
  bool missed_decision(const Member& member) const;
  // Returns true if some member shows the frame of the last decision, as far as known.
  bool is_shown() const;
  void apply_layout(int64_t present_ns, int64_t at_ns);
  void forget(Member& member, int64_t now_ns);
  void decide(const Now& now);
  // Returns the oldest presentation time that all members have; the newest, if several are due.
  std::optional<uint64_t> next_due(const Now& now) const;
  enum class Layouts { kNone, kDrop, kWait };
  // Checks a time that all members have against pending layouts. kNone: no layout affects it.
  // kDrop: not all can show it, since some have it only in the previous layout and others only in
  // the next. kWait: a member's answer is pending.
  Layouts grant_layouts(int64_t present_ns, int64_t now_ns);
  void end_layout(Member& member);
  void drop_passed_over();
  // Adapts the frame rate of all members to the slowest.
  void adapt_spacing(int64_t now_ns);
  int64_t soonest_ns(const Now& now) const;
  void update_refreshes();
  void send(uint32_t member, const sail::GroupDecision& decision);
  void send_to_all(const sail::GroupDecision& decision);
  int64_t last_decided_ns() const { return static_cast<int64_t>(barrier_.last_released()); }

  sail::SwapBarrier barrier_;
  bool has_members_ = false;
  bool waits_ = false;
  bool numbered_ = false;
  std::vector<Member> members_;
  std::vector<int64_t> instants_;  // recent presentation times, in order of arrival
  int64_t last_at_ns_ = 0;
  int64_t layout_at_ns_ = 0;  // presentation time of the last layout
  sail::Refresh refresh_;     // combined refresh of all members
  sail::Cadence cadence_;
  int64_t dropped_ns_ = 0;        // times up to this one were dropped unless shown
  int64_t granted_ns_ = 0;        // presentation time that awaits kLayoutAt; 0: none
  int64_t granted_since_ns_ = 0;  // steady time of the kLayoutGranted
  uint32_t spacing_us_ = 0;
  int shown_ = 0;  // count since adapted_at_ns_
  int dropped_ = 0;
  int64_t adapted_at_ns_ = 0;     // steady
  int64_t in_step_since_ns_ = 0;  // steady; hardly any drops since then
  std::vector<Outgoing> outgoing_;
};

}  // namespace receiver
