// The loop-thread side of a stream. Puts its parts together: StreamRoutes (which map frames
// follow), StreamLinks (the receivers), FrameFeed (what each receiver is sent), StreamSwaps (when
// frames are shown) and FrameLedger (their fates).
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
#include "sail/client/sender/stream_meter.h"
#include "sail/client/sender/stream_multicast.h"
#include "sail/client/sender/stream_routes.h"
#include "sail/client/sender/stream_swaps.h"
#include "sail/client/sender/submit_queue.h"
#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/stream_pace.h"
#include "sail/client/transport/receiver_connection.h"
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
    int mtu = 0;                  // bytes; 0: the manager's value
    bool apart = false;           // see SwapPlan
    bool part = false;            // submits parts, which are only shown with the other ranks' parts
    FrameTrace* trace = nullptr;  // trace of the frames; must outlive the sender
  };

  // submit_queue, clock and log must outlive this object.
  StreamSender(Loop& loop, const StreamCodec& codec, const FrameShape& shape,
               const Options& options, SubmitQueue& submit_queue, const WallClock& clock,
               const Log& log, Handlers handlers);
  ~StreamSender() override = default;

  // Starts after the manager has opened the stream, again if it is open. on_ready is called once
  // from the loop, when all receivers of the first map accept frames or after kStallTimeoutMs.
  // Waiting for it lets the first frame reach all receivers.
  void open(const StreamOpened& opened, std::function<void()> on_ready);
  // Stops sending. Frames are dropped until the stream is opened again.
  void suspend();
  // Called when the manager is lost. Frames follow the map in effect; a pending change is
  // abandoned. Suspends the stream if no map is in effect.
  void continue_without_manager();
  // See StreamRoutes.
  std::optional<Resume> resume() { return routes_.resume(); }
  // Ends the stream. on_gone is called once from the loop; then the sender may be destroyed.
  void close(std::function<void()> on_gone);

  // See StreamRoutes.
  Result<void> route(const Routes& routes) { return routes_.set(routes); }
  void take_effect(const TakeEffect& taken) { routes_.take_effect(taken); }

  // Sets whether the stream is in a group, and the address of the group's coordinator.
  void set_group(const GroupMembership& membership) { swaps_.set_group(membership); }

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
  void on_sent(ReceiverConnection& /*connection*/) override { serve_all(); }
  void on_lost(ReceiverConnection& connection) override;
  void on_gone(ReceiverConnection& connection) override { links_.remove(connection); }

  // --- frames
  void handle_frame(FrameRef frame);
  // Sends the frames and messages that are due now to the receivers, and reports the fates of
  // frames.
  void serve_all();
  void send_by_new_map();
  // Updates the limits by the links' current state.
  void update_limit();
  // Reports the fates that the ledger has decided.
  void publish();

  // --- checks
  void check();
  // Leaves behind receivers that keep the others waiting.
  void check_silent();
  // Asks the application to submit the newest frame again if the frame was not sent, a receiver
  // lost it, or no frame has been shown, and no newer frame follows.
  void request_lost_frame(int64_t now_ns);
  void check_ready();

  Loop& loop_;
  const StreamCodec codec_;
  const FrameShape shape_;
  const int mtu_;
  SubmitQueue& submit_queue_;
  const Handlers handlers_;

  RouteHistory history_;
  StreamLinks links_;
  StreamMulticast multicast_;
  StreamSwaps swaps_;
  StreamPace pace_;
  FrameLedger ledger_;
  FrameFeed feed_;
  StreamRoutes routes_;
  LostFrames lost_frames_;
  LinkChecks checks_;
  StreamMeter meter_;
  std::atomic<bool> rows_posted_{false};

  std::function<void()> on_ready_;
  int64_t opened_at_ns_ = 0;
};

}  // namespace sail
