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
// When the manager goes away before that, the layout is not to be: frames go by the old map again,
// when the receivers have shown that they do, too.
//
// Who stands still is left behind after a Patience of its map's, who is cut off at once, and the
// layout to come does not wait for who was left behind before it. Such a receiver drops what the
// others are past, until it keeps up with them again.
//
// A frame that has an instant is shown then, or as soon after as it can, in the displays' steadiest
// pattern where their refresh is known (Cadence). While the stream is a
// member of a group, the group rules on such frames: it hears of each that is whole, in order, and
// says when it is shown or that it never is. A layout's first frame waits for the group before the
// manager hears of it, and the group for the layout's instant (receiver/group_table.h); one without
// a name waits for nobody, and the group not for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sail/wall/cadence.h"
#include "sail/wall/patience.h"
#include "sail/wall/swap_barrier.h"
#include "sail/wire/data_messages.h"

namespace sail {

class SwapPlan {
 public:
  // apart: each receiver shows a frame as soon as it has it, but for those that layouts bring.
  // interval_ns: as Cadence has it.
  explicit SwapPlan(bool apart = false, double interval_ns = 0)
      : apart_(apart), shown_(0, {}), cadence_(interval_ns) {
    shows_.reserve(4);
  }

  // The frame is to be seen at that instant, in steady time (0: soonest), and has this name in the
  // group: what the application said, or a part's number. Frames come in order, those without a
  // name need not.
  void add(uint64_t frame, int64_t present_ns, int64_t name);

  // The map of that epoch is to come, with these members; and with it the maps of so many members
  // of the group.
  void route(uint64_t epoch, std::span<const uint32_t> members, uint32_t of_group);
  // It takes effect at that instant, with that frame; 0: none is ready.
  void take_effect(uint64_t epoch, uint64_t frame, int64_t at_ns, int64_t now_ns);
  // The manager is gone, and so it never will, unless others have heard that it does. None do where
  // all receivers have a frame newer than that one by the map in effect: until then nothing is
  // shown.
  void revert(uint64_t newest, int64_t now_ns);

  // The refresh in steady time, too.
  void ready(uint32_t member, const FrameReady& ready, int64_t now_ns);
  void reported(uint32_t member, const FrameReport& report, int64_t now_ns);
  // Its connection is lost, and the frames that it had.
  void lose(uint32_t member, int64_t now_ns);
  // Nothing gets to it, though its connection is there.
  void cut_off(uint32_t member, int64_t now_ns);
  // Time passes.
  void tick(int64_t now_ns);

  struct Show {
    uint64_t frame = 0;
    uint64_t epoch = 0;
    int64_t at_ns = 0;               // 0: never, it is dropped
    std::optional<uint32_t> only{};  // nothing: all members of the map in effect
  };
  // What came out of the calls so far, oldest first.
  std::span<const Show> shows() const { return shows_; }
  void clear_shows() { shows_.clear(); }
  // Whether this member is to hear of it.
  bool is_for(const Show& show, uint32_t member) const;

  // Since when a frame waits for somebody who may have to be left behind: tick() then.
  std::optional<int64_t> waits_since_ns() const { return shown_.waits_since_ns(); }
  // The others of the map in effect go on without it.
  bool goes_on_without(uint32_t member) const {
    return shown_.left_behind(member) && shown_.any_counts();
  }

  // The manager is to hear that a frame of this epoch is at all its receivers: once an epoch.
  struct Settled {
    uint64_t epoch = 0;
    uint64_t frame = 0;
    int64_t lead_ns = 0;
  };
  std::optional<Settled> take_settled() { return std::exchange(settled_, std::nullopt); }

  // --- the group
  // Whether there is one that rules. Its frames go by themselves when it does no more.
  void set_grouped(bool grouped, int64_t now_ns);
  bool grouped() const { return grouped_; }
  // What the group is to hear, oldest first.
  struct Word {
    int64_t name = 0;  // of the frame's instant; of kGone: 0
    GroupWord word{};
    int64_t at_ns = 0;  // of kAt
    int64_t lead_ns = 0;
    uint32_t members = 0;  // of kLayout: see GroupReady
    Refresh refresh{};
  };
  std::span<const Word> words() const { return words_; }
  void clear_words() { words_.clear(); }
  // It has forgotten all of them, and is to hear again what still holds.
  void say_again();
  // Of the frame whose instant has that name.
  void rule(GroupRuling ruling, int64_t name, int64_t at_ns, int64_t now_ns);

  uint64_t epoch() const { return shown_.epoch(); }
  // A map is to come.
  bool changing() const { return coming_.has_value(); }
  uint64_t coming_epoch() const { return coming_ ? coming_->epoch() : 0; }
  SwapBarrier& shown() { return shown_; }

 private:
  struct Pace {  // of one receiver
    uint32_t member = 0;
    int64_t render_ns = 0;  // slowest lately
    Refresh refresh{};
  };
  Pace& pace_of(uint32_t member);
  int64_t lead_ns(const SwapBarrier& barrier) const;
  void look_at_refreshes();
  void look(int64_t now_ns);
  void look_at_layout(uint64_t frame, int64_t now_ns);
  // The oldest frame after that one that all have; of several that are due by then, the newest.
  std::optional<uint64_t> next_whole(const SwapBarrier& barrier, uint64_t after,
                                     int64_t soonest_ns) const;
  void show(uint64_t frame, int64_t at_ns);
  struct Due {
    uint64_t frame = 0;
    int64_t present_ns = 0;
    int64_t name = 0;
  };
  Due due_of(uint64_t frame) const;
  // 0: it has none.
  int64_t present_ns(uint64_t frame) const { return due_of(frame).present_ns; }
  int64_t name(uint64_t frame) const { return due_of(frame).name; }
  bool has_name(uint64_t frame, int64_t name) const;
  // The newest whose instant has a name from `after` to `until`; 0: none.
  uint64_t frame_named(int64_t after, int64_t until) const;
  bool of_group(uint64_t frame) const { return grouped_ && name(frame) != 0; }
  void say(uint64_t frame, GroupWord word, int64_t at_ns = 0);
  void say_unseen();
  void tell_settled(const SwapBarrier& barrier, uint64_t frame);

  bool apart_;
  SwapBarrier shown_;
  Patience patience_;
  std::optional<SwapBarrier> coming_;
  uint32_t coming_of_group_ = 0;
  std::vector<Due> dues_;  // oldest first
  uint64_t doubted_ = 0;   // nothing is shown until a frame newer than this is whole; 0: no doubt
  uint64_t looked_ = 0;    // all frames up to here that are whole were dealt with
  bool grouped_ = false;
  std::vector<uint64_t> said_;  // whole frames that the group has not ruled on
  uint64_t ruled_ = 0;          // the frame that it had shown last
  uint64_t held_ = 0;           // the layout's first frame, that the group has heard of
  uint64_t yours_ = 0;          // and waits for
  std::vector<Word> words_;
  uint64_t told_epoch_ = 0;  // for take_settled()
  int64_t last_at_ns_ = 0;
  int64_t layout_at_ns_ = 0;  // of the last one
  std::vector<Pace> paces_;
  Refresh refresh_;  // of all of them
  Cadence cadence_;
  std::vector<Show> shows_;
  std::optional<Settled> settled_;
};

}  // namespace sail
