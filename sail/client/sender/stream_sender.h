// The loop-thread side of a stream. Holds the routing map and the receiver connections, and sends
// each receiver the newest frame by the newest map.
//
// One rule serves continuous frames, receivers that join late or return, and layout changes: each
// connection that has room is sent the newest frame, unless it was sent that frame by the current
// map. So the last frame is sent again after the map has changed. A frame being sent is always
// finished first, by the map it was begun with. The newest frame may lack blocks that a new layout
// shows, because they were not visible when it was encoded. Then frames follow the previous map
// until one arrives that was encoded for the new map.
//
// SwapPlan decides for all receivers when a frame is shown. The first complete frame of each map is
// reported to the manager, which answers with the time at which the layout takes effect.
//
// Frames with a presentation time are shown at that time. Frames of a group's member are shown when
// all members have theirs (GroupMember).
//
// If a link carries less than half of the frames, pictures get smaller, and later larger again if
// the link may carry more. Then the routing map is planned again under its epoch, for frames
// submitted from then on.
//
// A recorder in the map is sent frames as fast as its link allows and shows what the wall shows, if
// necessary late. No frame, layout or receiver waits for a recorder. No frame is dropped or made
// smaller because of it, and it does not count in the stream's statistics.
//
// Runs on the loop thread, except begin() and rows_ready().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/encode/picture_step.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/group_member.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/client/sync/swap_plan.h"
#include "sail/client/transport/receiver_connection.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/control_messages.h"

namespace sail {

class StreamSender final : private ReceiverConnection::Host {
 public:
  struct Handlers {
    // No handler may destroy the sender.
    std::function<void(const FrameFate&)> on_fate;
    // The window was moved or resized after its first position was known.
    std::function<void(const Rect& wall_rect)> on_window;
    // The newest frame lacks blocks of the current map. The application should submit it again.
    std::function<void()> on_refresh;
    // A receiver's trouble began or ended, or its transport changed: `trouble`, `trouble_text` and
    // `instead_of` are set.
    std::function<void(const LinkStats&)> on_trouble;
    // All receivers of a new map have a frame of it: report this to the manager.
    std::function<void(const EpochReady&)> on_epoch_ready;
  };

  // The application's wishes for the transport.
  struct Options {
    double fps = 0;               // nominal; 0: unknown
    int delay_ms = -1;            // delay of frames; -1: chosen from the links
    int mtu = 0;                  // bytes; 0: the manager's
    bool apart = false;           // see SwapPlan
    bool part = false;            // submits parts, which are only shown with the other ranks' parts
    FrameTrace* trace = nullptr;  // trace of the frames; must outlive the sender
  };

  // gate, clock and log must outlive this object.
  StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
               const Options& options, SubmitQueue& submit_queue, const WallClock& clock,
               const Log& log, Handlers handlers);
  ~StreamSender() override;

  // Starts after the manager has opened the stream. on_ready is called once from the loop, when all
  // receivers of the first map accept frames or after kStallTimeoutMs. Waiting for it lets the
  // first frame reach all receivers.
  void open(const StreamOpened& opened, std::function<void()> on_ready);
  // Stops sending. Frames are dropped until the stream is opened again.
  void suspend();
  // Called when the manager is lost. Frames follow the map in effect; a pending change is
  // abandoned. Suspends the stream if no map is in effect.
  void go_on_alone();
  // Returns what the next manager needs to continue the stream, except the window number; empty if
  // suspended. From then on that manager decides about pending changes.
  std::optional<Resume> resume();
  // Ends the stream. on_gone is called once from the loop; then the sender may be destroyed.
  void close(std::function<void()> on_gone);

  // Sets a new routing map. Returns an error and changes nothing if the map is invalid.
  Result<void> route(const Routes& routes);
  // The map with that epoch takes effect.
  void take_effect(const TakeEffect& taken);

  // Sets whether the stream is in a group, and the address of the group's coordinator.
  void sit(const GroupSeat& seat);

  // Submits the next frame while its rows are still being encoded. Callable from any thread.
  void begin(FrameRef frame);
  // Called when more rows have been encoded. Callable from any thread.
  void rows_ready();

  // The last frame; empty before the first.
  const FrameRef& newest() const { return newest_; }

  // Returns statistics for the manager; rates are over the time since the last call.
  StreamStats stats(int64_t now_ns);

 private:
  // A receiver of the map, or one that left the map and still owes reports.
  struct Link {
    std::unique_ptr<ReceiverConnection> connection;
    std::shared_ptr<const ReceiverPlan> plan;  // null: left the map
    PictureStep step;
    uint64_t sent_frame = 0;  // last frame sent to it
    uint64_t sent_epoch = 0;
    uint64_t sent_picture = 0;
    // Steady time when that frame was begun; 0: completely sent or not traced.
    int64_t begun_ns = 0;
    bool on_wall = false;         // that frame is shown
    bool lost = false;            // that frame was not received completely
    bool unreachable = false;     // nothing reaches its machine
    int64_t behind_since_ns = 0;  // time since the others go on without it; 0: they do not
    bool trouble_told = false;    // reported by on_trouble
    bool instead_told = false;
    int64_t left_at_ns = 0;
    // Recorders: a complete frame for which no show message was sent yet.
    FrameName held{};
    bool recorder = false;  // also set after a recorder has left the map

    // The wall waits for this receiver.
    bool counts() const { return plan != nullptr && !recorder; }
  };

  void on_accepted(ReceiverConnection& connection) override;
  void on_ready(ReceiverConnection& connection, const FrameReady& ready) override;
  void on_report(ReceiverConnection& connection, const FrameReport& report) override;
  void on_sent(ReceiverConnection& connection) override;
  void on_lost(ReceiverConnection& connection) override;
  void on_gone(ReceiverConnection& connection) override;

  void update_submit_queue(const RoutePlan& placed, const RoutePlan& shown);
  void follow(RoutePlan map);
  // Asks the application for a frame with blocks that the newest one lacks.
  void ask_again();
  // The coming layout shows blocks that the newest frame lacks: waits for a frame that has them.
  void await_frame_for(RoutePlan map);
  bool awaits_layout() const { return next_map_ && next_map_->epoch != map_.epoch; }
  // Sends the message to all receivers, including those that no longer show the stream. If the
  // manager fails before it informs these, they would keep showing the old content.
  void send_to_all(const FrameShow& show);
  // The abandoned routes have taken effect at other peers after all: adopts them.
  void restore_rolled_back_routes();
  // Sends the plan's decisions to receivers and group.
  void carry_out_plan();
  bool is_told(const Link& link, const SwapPlan::Show& show) const;
  // Shows the recorder's held frame once the wall shows that frame or a later one.
  void check_recorder(Link& link);
  void check_recorders();
  void on_verdict(const GroupVerdict& verdict);
  SwapPlan new_plan() const;
  // If the coordinator is unreachable for long, the stream shows its frames on its own.
  void check_group();
  void handle_frame(FrameRef frame);
  void handle_rows();
  void check();
  void watch_timeout();
  // Leaves behind receivers that keep the others waiting.
  void check_silent();
  void check_unreachable(int64_t now_ns);
  // Returns true if the wall goes on without this receiver until it keeps up again.
  bool is_passed_over(const Link& link) const;
  // Asks the application to submit the newest frame again if it was not sent or a receiver lost it,
  // and no newer frame follows.
  void make_up_for_lost(int64_t now_ns);
  // Determines which links are in trouble and reports troubles that have lasted.
  void check_trouble(int64_t now_ns);
  ReceiverConnection::Trouble trouble_of(const Link& link, int64_t now_ns) const;
  Link& link_of(const ReceiverConnection& connection);
  // Returns the link to the plan's receiver; creates it if necessary.
  Link& link_to(const ReceiverPlan& plan);
  bool is_of_next_map(const ReceiverConnection& connection) const;
  // Returns true if the frame has all blocks for the map's receivers, recorders excepted.
  static bool covers(const RoutePlan& map, const EncodedFrame& frame);
  bool covers_map(const EncodedFrame& frame) const { return !routed_ || covers(map_, frame); }
  // Returns true if the newest frame must be sent: not before it is known to have changed, and not
  // if the wall already shows its picture.
  bool newest_is_news();
  // Decides this for one recorder.
  bool is_news_for(const Link& recorder) const;
  bool is_on_wall(const EncodedFrame& frame) const;
  // Adds a trace entry if the frame has been completely sent.
  void note_sent(Link& link);
  // Updates the links' picture sizes by whether they were sent the newest frame in time.
  void evaluate_links();
  ExtraReductions extra_reductions() const;
  // Plans the map again for the links' current state, for frames submitted from now on.
  void plan_anew();
  // Adopts next_map_: its first frame has arrived, or it need not be awaited any longer.
  void take_next_map();
  // Updates the timing from the links' current delays.
  void adapt_pace();
  OutgoingFrame newest_for(const Link& link) const;
  // Over UDP: returns true while a link is busy with an earlier frame and no link has been sent the
  // newest. Frames go to all receivers or none: only frames that all have are shown.
  bool waits_for_busy_link() const;
  // Sends the receiver what is due now.
  void serve(Link& link);
  void serve_all();
  // Closes a link that is no longer needed.
  void close_link(Link& link);
  void remove_gone();
  void update_limit();
  void check_ready();
  // Reports the fates that the ledger has decided.
  void publish();

  Loop& loop_;
  const StreamCodec codec_;
  const FrameShape shape_;
  const int mtu_;
  FrameTrace* const trace_;
  SubmitQueue& submit_queue_;
  const WallClock& clock_;
  const Log& log_;
  const Handlers handlers_;

  uint32_t stream_ = 0;
  StreamOpen stream_open_;
  bool routed_ = false;  // there is a map since the stream was opened
  Routes routes_;        // newest routes: those of next_map_, or else of map_
  Routes in_effect_;     // routes of the map in effect
  // Pending routes when the manager was lost. The manager may have told others that they are in
  // effect. Kept until the next manager is connected.
  std::optional<Routes> rolled_back_routes_;
  RoutePlan map_;
  // Map for frames still to come: with the current epoch, or of the coming layout.
  std::optional<RoutePlan> next_map_;
  std::vector<Link> links_;
  const bool apart_;
  const bool part_;
  const double interval_ns_;
  SwapPlan plan_;
  std::unique_ptr<GroupMember> group_;  // null: not in a group, or the group has no coordinator
  uint32_t next_link_ = 1;
  FrameRef newest_;
  uint64_t last_submitted_ = 0;  // number of the last frame, sent or not
  int64_t still_since_ns_ = 0;   // steady time since which no frame was submitted
  uint64_t made_up_for_ = 0;
  StreamPace pace_;
  FrameLedger ledger_;
  Timer checks_;
  Timer timeout_;
  bool timeout_runs_ = false;
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
