// The loop thread's side of a stream: holds the routing map and the connections to its receivers,
// and keeps all of them at the newest frame by the newest map.
//
// One rule serves frames in order, receivers that join late or were away, and changed layouts: each
// connection that takes frames is sent the newest one, unless it got that by the current map. The
// last frame goes out again when the map has changed. A frame that is being
// sent is always finished first, by the map it was begun with. Where the newest frame lacks blocks
// that a changed layout shows, since nobody saw them when it was encoded, frames go by the map
// before until one comes that was encoded for the new one.
//
// When a frame is shown is decided here, too, for all receivers alike (SwapPlan). The manager hears
// of the first frame of each map, with which the layout takes effect, and says when that is.
//
// Frames that have an instant are shown at that, and those of a group's member when all members
// have theirs (GroupMember).
//
// Where a link carries less than half of the frames, pictures get smaller, and larger again when it
// may carry more: the routing map is planned anew for the frames that are submitted from then on,
// under its epoch.
//
// A recorder of the map is sent frames as its link takes them, shows what the wall shows, late
// where it must, and counts nowhere else: no frame, layout or receiver waits for it, no frame is
// dropped or made smaller on its account, and it is in no figure of the stream's.
//
// Thread: the loop's, except begin() and rows_ready().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sail/base/frame_trace.h"
#include "sail/base/log.h"
#include "sail/base/wall_clock.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/frame_ledger.h"
#include "sail/client/group_member.h"
#include "sail/client/picture_step.h"
#include "sail/client/receiver_connection.h"
#include "sail/client/route_plan.h"
#include "sail/client/stream_gate.h"
#include "sail/client/stream_pace.h"
#include "sail/client/swap_plan.h"
#include "sail/net/loop.h"
#include "sail/wire/control_messages.h"

namespace sail {

class StreamSender final : private ReceiverConnection::Host {
 public:
  struct Handlers {
    // None of them may destroy the sender.
    std::function<void(const FrameFate&)> on_fate;
    // The window moved or changed size, after its first place was known.
    std::function<void(const Rect& wall_rect)> on_window;
    // The newest frame lacks what the map of now shows: the application should submit it again.
    std::function<void()> on_refresh;
    // Frames do not get through to a receiver, or do again, or by another transport: its `trouble`,
    // `trouble_text` and `instead_of`.
    std::function<void(const LinkStats&)> on_trouble;
    // The manager should hear that a frame of a new map is at all its receivers.
    std::function<void(const EpochReady&)> on_epoch_ready;
  };

  // What the application wants of the way to the receivers.
  struct Options {
    double fps = 0;               // nominal; 0: unknown
    int delay_ms = -1;            // of its frames; -1: by the links
    int mtu = 0;                  // bytes; 0: the manager's
    bool apart = false;           // see SwapPlan
    bool part = false;            // of frames: none is ever shown without the others'
    FrameTrace* trace = nullptr;  // of its frames; outlives this
  };

  // gate, clock and log outlive this.
  StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
               const Options& options, StreamGate& gate, const WallClock& clock, const Log& log,
               Handlers handlers);
  ~StreamSender() override;

  // The manager opened the stream. on_ready comes once, from the loop: when all receivers of the
  // first map take frames, or after kStallTimeoutMs; so that the first frame reaches all of them.
  void open(const StreamOpened& opened, std::function<void()> on_ready);
  // Frames are dropped until the stream is opened again.
  void suspend();
  // The manager is gone: frames go on by the map in effect, and a change of it that was under way
  // is forgotten. Where there is none it is suspended.
  void go_on_alone();
  // What the next manager must know to take the stream up as it is; nothing: it is suspended. All
  // but the window's number. From then on that one decides.
  std::optional<Resume> resume();
  // Ends everything. on_gone comes once, from the loop; then the sender may be destroyed.
  void close(std::function<void()> on_gone);

  // A map that makes no sense for this stream is an error and changes nothing.
  Result<void> route(const Routes& routes);
  // The map of that epoch is in effect from then on.
  void take_effect(const TakeEffect& taken);

  // Whether the stream is a member of a group, and where that has its table.
  void sit(const GroupSeat& seat);

  // Any thread: the frame that comes next; its rows are still being encoded.
  void begin(FrameRef frame);
  // Any thread: more rows of it are encoded.
  void rows_ready();

  // The frame that came last; empty before the first.
  const FrameRef& newest() const { return newest_; }

  // Figures for the manager, rates over the time since the last call.
  StreamStats stats(int64_t now_ns);

 private:
  // A receiver of the map, or one that left it and still owes reports.
  struct Link {
    std::unique_ptr<ReceiverConnection> connection;
    std::shared_ptr<const ReceiverPlan> plan;  // null: left
    PictureStep step;
    uint64_t sent_frame = 0;  // what it was sent last
    uint64_t sent_epoch = 0;
    uint64_t sent_picture = 0;
    int64_t begun_ns = 0;         // that one, while it is being sent and traced
    bool on_wall = false;         // that one is shown
    bool lost = false;            // that one never came, or not whole
    bool cut_off = false;         // nothing gets to it
    int64_t behind_since_ns = 0;  // the others go on without it; 0: they do not
    bool trouble_told = false;    // by on_trouble
    bool instead_told = false;
    int64_t left_at_ns = 0;
    // Of a recorder: the frame that it holds, until it was told to show it.
    FrameName held{};
    bool recorder = false;  // or was one when it left

    // The wall waits for it.
    bool counts() const { return plan != nullptr && !recorder; }
  };

  void on_accepted(ReceiverConnection& connection) override;
  void on_ready(ReceiverConnection& connection, const FrameReady& ready) override;
  void on_report(ReceiverConnection& connection, const FrameReport& report) override;
  void on_sent(ReceiverConnection& connection) override;
  void on_lost(ReceiverConnection& connection) override;
  void on_gone(ReceiverConnection& connection) override;

  void tell_gate(const RoutePlan& placed, const RoutePlan& shown);
  void follow(RoutePlan map);
  // For a frame that shows what the newest one has not.
  void ask_again();
  // The layout to come shows what the newest frame has not: the next one that has it brings it.
  void await_frame_for(RoutePlan map);
  bool awaits_layout() const { return next_map_ && next_map_->epoch != map_.epoch; }
  // All receivers hear of it, those that show the stream no more, too: should the manager die
  // before it tells them, they would keep showing what was before.
  void tell_all(const FrameShow& show);
  // The routes that were forgotten with the manager have taken effect elsewhere.
  void go_by_forgotten_routes();
  // What the plan has decided goes out.
  void carry_out_plan();
  bool is_told(const Link& link, const SwapPlan::Show& show) const;
  // The recorder shows what it holds, once the wall shows that or is past it.
  void look_at_recorder(Link& link);
  void look_at_recorders();
  void on_verdict(const GroupVerdict& verdict);
  SwapPlan new_plan() const;
  // A member whose table is away for long shows its frames by itself.
  void look_at_group();
  void handle_frame(FrameRef frame);
  void handle_rows();
  void check();
  void watch_patience();
  // Leaves behind who keeps the others waiting.
  void look_at_silent();
  void look_at_cut_off(int64_t now_ns);
  // The wall goes on without it until it keeps up again.
  bool is_passed_over(const Link& link) const;
  // Asks the application for the newest frame once more, when it was not sent, or a receiver lost
  // it, and no other comes.
  void make_up_for_lost(int64_t now_ns);
  // Which links are in trouble; who should know is told of what has lasted.
  void look_at_trouble(int64_t now_ns);
  ReceiverConnection::Trouble trouble_of(const Link& link, int64_t now_ns) const;
  Link& link_of(const ReceiverConnection& connection);
  // The link to the plan's receiver; another one, if there is none.
  Link& link_to(const ReceiverPlan& plan);
  bool is_of_next_map(const ReceiverConnection& connection) const;
  // Whether the frame has what all receivers of the map that count are to get.
  static bool covers(const RoutePlan& map, const EncodedFrame& frame);
  bool covers_map(const EncodedFrame& frame) const { return !routed_ || covers(map_, frame); }
  // Whether the newest frame is to be sent at all: not before it is known to be new, and not when
  // it is what the wall shows.
  bool newest_is_news();
  // The same for this recorder.
  bool is_news_for(const Link& recorder) const;
  bool is_on_wall(const EncodedFrame& frame) const;
  // It may be gone by now, for who traces.
  void note_sent(Link& link);
  // Which links were sent the newest frame, now that another is there.
  void look_at_links();
  ExtraReductions extra_reductions() const;
  // Frames that are submitted from now on are for the links as they are now.
  void plan_anew();
  // The frame is the first of those, or nothing is awaited any longer.
  void take_next_map();
  // The rhythm, as the links are now.
  void adapt_pace();
  OutgoingFrame newest_for(const Link& link) const;
  // Over UDP: a link is still busy with a frame before the newest, which goes to all or none, since
  // only frames that all receivers have are shown.
  bool waits_for_busy_link() const;
  // Sends what is to be sent to this receiver now.
  void serve(Link& link);
  void serve_all();
  // Links that are not needed any more.
  void close_link(Link& link);
  void remove_gone();
  void update_limit();
  void look_whether_ready();
  // Passes on what the ledger has told.
  void publish();

  Loop& loop_;
  const StreamCodec codec_;
  const FrameShape shape_;
  const int mtu_;
  FrameTrace* const trace_;
  StreamGate& gate_;
  const WallClock& clock_;
  const Log& log_;
  const Handlers handlers_;

  uint32_t stream_ = 0;
  StreamOpen stream_open_;
  bool routed_ = false;  // has a map in this opening
  Routes routes_;        // the newest, that next_map_ was made of, or else map_
  Routes in_effect_;     // those of the map in effect
  // That were to come when the manager went away, which may have told others that they are in
  // effect; until the next one is there.
  std::optional<Routes> forgotten_;
  RoutePlan map_;
  // For frames that are still to come: of the same epoch, or of the layout to come.
  std::optional<RoutePlan> next_map_;
  std::vector<Link> links_;
  const bool apart_;
  const bool part_;
  const double interval_ns_;
  SwapPlan plan_;
  std::unique_ptr<GroupMember> group_;  // null: of none, or it has no table
  uint32_t next_link_ = 1;
  FrameRef newest_;
  uint64_t last_submitted_ = 0;  // sent or not
  int64_t still_since_ns_ = 0;   // steady: no other was submitted
  uint64_t made_up_for_ = 0;
  StreamPace pace_;
  FrameLedger ledger_;
  Timer checks_;
  Timer patience_;
  bool patience_runs_ = false;
  std::atomic<bool> rows_posted_{false};

  std::function<void()> on_ready_;
  int64_t opened_at_ns_ = 0;
  int64_t checked_ns_ = 0;
  std::function<void()> on_all_gone_;

  uint64_t bytes_sent_ = 0;
  uint64_t bytes_at_last_stats_ = 0;
  int64_t last_stats_ns_ = 0;
};

}  // namespace sail
