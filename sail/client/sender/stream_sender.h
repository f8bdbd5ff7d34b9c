// The loop-thread side of a stream. Puts its parts together: RouteHistory (which map frames
// follow), StreamLinks (the receivers), FrameFeed (what each receiver is sent), StreamSwaps (when
// frames are shown) and FrameLedger (what became of them).
//
// The newest frame may lack blocks that a new layout shows, because they were not visible when it
// was encoded. Then frames follow the previous map until one arrives that was encoded for the new
// map. The first complete frame of each map is reported to the manager, which answers with the time
// at which the layout takes effect.
//
// When pictures get smaller or larger on account of a link, the routing map is planned again under
// its epoch, for frames submitted from then on.
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
#include <optional>

#include "sail/client/encode/encoded_frame.h"
#include "sail/client/sender/frame_feed.h"
#include "sail/client/sender/link_checks.h"
#include "sail/client/sender/lost_frames.h"
#include "sail/client/sender/route_history.h"
#include "sail/client/sender/stream_links.h"
#include "sail/client/sender/stream_swaps.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/client/transport/receiver_connection.h"
#include "sail/client/transport/route_plan.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/application_messages.h"

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
  ~StreamSender() override = default;

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
  void sit(const GroupSeat& seat) { swaps_.sit(seat); }

  // Submits the next frame while its rows are still being encoded. Callable from any thread.
  void begin(FrameRef frame);
  // Called when more rows have been encoded. Callable from any thread.
  void rows_ready();

  // The last frame; empty before the first.
  const FrameRef& newest() const { return feed_.newest(); }

  // Returns statistics for the manager; rates are over the time since the last call.
  StreamStats stats(int64_t now_ns);

 private:
  void on_accepted(ReceiverConnection& connection) override;
  void on_ready(ReceiverConnection& connection, const FrameReady& ready) override;
  void on_report(ReceiverConnection& connection, const FrameReport& report) override;
  void on_sent(ReceiverConnection& connection) override;
  void on_lost(ReceiverConnection& connection) override;
  void on_gone(ReceiverConnection& connection) override { links_.remove(connection); }

  // --- routes
  // Planned for the links' current state.
  Result<RoutePlan> plan_of(const Routes& routes) const;
  void update_submit_queue(const RoutePlan& placed, const RoutePlan& shown);
  // Frames follow the map of the history from now on.
  void follow_map();
  // Follows the next map: its first frame has arrived, or it need not be awaited any longer.
  void take_next_map();
  // Asks the application for a frame with blocks that the newest one lacks.
  void ask_again();
  // The abandoned routes have taken effect at other peers after all: adopts them.
  void restore_rolled_back_routes();

  // --- frames
  void handle_frame(FrameRef frame);
  void handle_rows();
  // Sends the receivers what is due now.
  void serve_all();
  // Updates the limits by the links' current state.
  void update_limit() { submit_queue_.set_limit(links_.limit_frames(pace_)); }
  // Reports the fates that the ledger has decided.
  void publish();

  // --- checks
  void check();
  // Leaves behind receivers that keep the others waiting.
  void check_silent();
  // Asks the application to submit the newest frame again if it was not sent or a receiver lost it,
  // and no newer frame follows.
  void make_up_for_lost(int64_t now_ns);
  void check_ready();

  Loop& loop_;
  const StreamCodec codec_;
  const FrameShape shape_;
  const int mtu_;
  SubmitQueue& submit_queue_;
  const WallClock& clock_;
  const Handlers handlers_;

  RouteHistory routes_;
  StreamLinks links_;
  StreamSwaps swaps_;
  StreamPace pace_;
  FrameLedger ledger_;
  FrameFeed feed_;
  LostFrames lost_frames_;
  LinkChecks checks_;
  std::atomic<bool> rows_posted_{false};

  std::function<void()> on_ready_;
  int64_t opened_at_ns_ = 0;

  uint64_t bytes_at_last_stats_ = 0;
  int64_t last_stats_ns_ = 0;
};

}  // namespace sail
