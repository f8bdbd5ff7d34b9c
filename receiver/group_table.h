// The table of a group: decides when the frames of its members, streams of any number of
// applications, are shown that are to be seen at the same instant: once all members have theirs
// whole, and then all in one swap, in the steadiest pattern of their displays. Pure; times in wall
// ns, but for patience, which is in steady ns.
//
// It is a swap barrier whose frames are instants. A member names its frames in order, so an instant
// that it passed over is dropped by all: a member that is late holds the others up, or drops alike,
// but nobody shows a frame alone. A member in silence for kBarrierTimeoutMs is left behind, and so
// is one whose connection is lost; it counts again with what it names next. A table that waits
// leaves nobody behind. The parts of frames are members like others (sail/wire/parts.h).
//
// Members that each let go what they have no time for would hardly have a frame in common. So while
// more are dropped than shown, all are told to send fewer, the same ones.
//
// When a layout shows a member in another place, its first frame there is shown by the manager's
// instant. Such a member says that it is one, and so of those that follow. When all others have
// that of an instant, too, the table tells it, and rules on no other frame until the member has
// named the instant, which the others are told. Members that one layout moves together say how many
// they are: the table waits until it knows the first frame of each, and tells all of them the same
// instant.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sail/wall/cadence.h"
#include "sail/wall/swap_barrier.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/group.h"

namespace receiver {

class GroupTable {
 public:
  GroupTable() : barrier_(0, {}) {}

  // Of the streams that are members from now on those of a new table count from the beginning: they
  // may have shown frames together before. Others count from what they name first.
  void set_members(const sail::GroupTableInfo& told, int64_t now_ns);
  bool has(uint32_t member) const { return barrier_.has(member); }

  struct Now {
    int64_t steady_ns = 0;
    int64_t wall_ns = 0;
  };
  // Nobody hands a frame over so long before it is to be seen, and while one waited for it all
  // others would be dropped: ready() may not be told of it.
  bool is_too_far_ahead(const sail::GroupReady& ready, const Now& now) const;
  void ready(uint32_t member, const sail::GroupReady& ready, const Now& now);
  // Its connection is lost.
  void lose(uint32_t member, const Now& now);
  // Time passes.
  void tick(const Now& now);
  // All members hear that the table is there.
  void give_sign_of_life() { tell_all({.ruling = sail::GroupRuling::kHere}); }
  // Those that nothing is heard of though others have frames.
  std::vector<uint32_t> absent(int64_t now_ns) const;

  struct Told {
    uint32_t member = 0;
    sail::GroupVerdict verdict;
  };
  // What came out of the calls so far, oldest first.
  std::span<const Told> told() const { return told_; }
  void clear_told() { told_.clear(); }

 private:
  struct Member {
    uint32_t stream = 0;
    int64_t lead_ns = 0;
    sail::Refresh refresh{};
    int64_t since_ns = 0;   // steady: it said so
    int64_t layout_ns = 0;  // its frame of then is shown by the manager's word; 0: none
    int64_t first_ns = 0;   // of that layout: older ones it has by the layout before
    int64_t whole_ns = 0;   // the newest that it has by that
    uint32_t together = 0;  // with so many that layout is said
    int64_t shows_ns = 0;   // the newest that it was told to show; 0: it has said gone since
    bool yours = false;     // it was told to have one of them shown
  };
  Member* find(uint32_t stream);
  // It waits for a layout, with frames that the others do not show yet.
  bool has_layout(const Member& member) const {
    return !member.yours && member.layout_ns > gone_ns();
  }
  // The same, with a frame that they have passed.
  bool has_late_layout(const Member& member) const {
    return !member.yours && member.layout_ns != 0 && member.layout_ns <= gone_ns();
  }
  // The instant by which frames of that one are known.
  int64_t same_instant(int64_t present_ns);
  void answer_late(Member& member, int64_t present_ns, const Now& now);
  void show_late(Member& member, const Now& now);
  // It has what was ruled last by the map in effect, and was not told to show it.
  bool missed_ruling(const Member& member) const;
  // Some member shows what was ruled last, as far as the table knows.
  bool is_shown() const;
  void settle_layout(int64_t present_ns, int64_t at_ns);
  void forget(Member& member, int64_t now_ns);
  void decide(const Now& now);
  // The oldest instant that all have; of several that are to be seen by now, the newest.
  std::optional<uint64_t> next_due(const Now& now) const;
  enum class Layouts { kNone, kDrop, kWait };
  // What the members' layouts make of an instant that all have: it can be shown by none of them;
  // not by all, since some have it by the layout before and some by the next one only; or their
  // word is waited for.
  Layouts leave_to_layouts(int64_t present_ns, int64_t now_ns);
  void end_layout(Member& member);
  void drop_passed_over();
  // All members send as many frames as the slowest can.
  void adapt_spacing(int64_t now_ns);
  int64_t soonest_ns(const Now& now) const;
  void look_at_refreshes();
  void tell(uint32_t member, const sail::GroupVerdict& verdict);
  void tell_all(const sail::GroupVerdict& verdict);
  int64_t gone_ns() const { return static_cast<int64_t>(barrier_.gone()); }

  sail::SwapBarrier barrier_;
  bool made_ = false;
  bool waits_ = false;
  bool numbered_ = false;
  std::vector<Member> members_;
  std::vector<int64_t> instants_;  // named lately, oldest first
  int64_t last_at_ns_ = 0;
  int64_t layout_at_ns_ = 0;  // of the last one
  sail::Refresh refresh_;     // of all members
  sail::Cadence cadence_;
  int64_t dropped_ns_ = 0;         // all instants up to here that were not shown
  int64_t left_to_layout_ns_ = 0;  // an instant; 0: none
  int64_t left_since_ns_ = 0;      // steady
  uint32_t spacing_us_ = 0;
  int shown_ = 0;  // times, since adapted_at_ns_
  int dropped_ = 0;
  int64_t adapted_at_ns_ = 0;     // steady
  int64_t in_step_since_ns_ = 0;  // steady: since then hardly anything was dropped
  std::vector<Told> told_;
};

}  // namespace receiver
