// The windows on the wall, their arrangement, and the timing of layouts. Runs on the loop thread.
//
// All modifications go through change(). It notifies subscribers, receivers, applications, and the
// manager's other components.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manager/peers/change_feed.h"
#include "manager/wall/arrangement.h"
#include "manager/wall/director.h"
#include "manager/wall/tile_gaps.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wall/visibility.h"

namespace sail {
class WallClock;
}  // namespace sail

namespace manager {

class Peers;
struct ReceiverEntry;

class Desk {
 public:
  // Called after each change, for the manager's other components.
  using Changed = std::function<void(const Touched&)>;
  // close_ms: time that applications have to close a window. All references must outlive this
  // object.
  Desk(sail::Loop& loop, const sail::Wall& wall, const sail::WallClock& clock, Peers& peers,
       ChangeFeed& changes, int64_t close_ms, Changed on_changed);

  const sail::Wall& wall() const { return wall_; }
  const sail::WallClock& clock() const { return clock_; }
  const TileGaps& tile_gaps() const { return tile_gaps_; }
  const Arrangement& arrangement() const { return arrangement_; }
  const WindowStack& windows() const { return arrangement_.windows(); }
  const Director& director() const { return director_; }

  // Calls `act` with the arrangement to modify, and returns its result. A nested change is part of
  // the outer one: notifications are sent once, at the end.
  template <typename Act>
  auto change(const Act& act) {
    const ChangeScope scope(*this);
    return act(arrangement_);
  }
  // Applies one undo step as one transaction. Returns false if nothing changes.
  bool change(const LayoutChange& wanted, const UndoLabel& undo_label, const Author& author);
  // A change is in progress: subscribers do not know it yet.
  bool is_changing() const { return changing_ > 0; }
  // The change in progress, if it changes the layout, is shown by a fade. Call it within change().
  void fade(int fade_ms) { fade_ms_ = fade_ms; }
  // Returns a window to update its statistics, which is not reported as a change; null: none.
  Window* measured(uint32_t number) { return arrangement_.find(number); }
  // All clients have received the current history.
  void mark_history_reported() { arrangement_.mark_history_reported(); }

  // --- windows and their applications
  // Sends an event to the window's applications. codec: only for the type "codec".
  void notify_application(const Window& window, const std::string& type, double value = 0,
                          const std::string& codec = {});
  // Asks the windows' applications to close them. Removes those that are still open after close_ms,
  // and ends their applications' sessions (forced). Calls done once, when all are closed.
  using Closed = std::function<void(const std::vector<uint32_t>& forced)>;
  void close(const std::vector<uint32_t>& numbers, Closed done);
  // Called for each window that is to be closed.
  void watch_closing(std::function<void(uint32_t)> on_closing) {
    on_closing_ = std::move(on_closing);
  }
  // Whether the window's application has been asked to close it.
  bool closes(uint32_t number) const { return closing_.contains(number); }
  // The application has closed the window, or has left.
  void remove(uint32_t number);
  // An application has ended its stream. Removes the window and asks the other ranks to close.
  void remove_stream(uint32_t stream);
  // An application has left. Removes its windows, unless the application is expected back. silent:
  // it gave no sign of life, so a window that it was asked to close is closed by force.
  void owner_left(uint64_t owner, bool silent);
  // Gives a stream that continued without a manager to the peer `owner`. Returns its window; null
  // if there is none, the secret differs, or `owner` has the stream already.
  const Window* resume(const sail::Resume& stream, uint64_t owner);
  // Whether somebody closed the stream's window and its application did not answer. The application
  // cannot resume it.
  bool is_refused(const sail::Resume& stream) const;
  // The secrets of the newest refused streams (see is_refused()), for the next manager. These
  // secrets give no access to anything.
  const std::deque<uint64_t>& refused() const { return refused_; }
  void refuse(std::deque<uint64_t> secrets) { refused_ = std::move(secrets); }
  // The manager shuts down: closes all windows.
  void close_all();

  // --- timing of layouts (desk_swaps.cpp)
  void epoch_ready(const sail::EpochReady& ready);
  // A stream continues with these routes. Call update_layout() afterwards, or open its window.
  void resumed(const sail::Routes& routes);
  void update_layout();
  // Updates the receiver's paint time.
  void receiver_measured(const std::string& receiver, const sail::ReceiverStats& stats);
  // A receiver or an application has timed out. Called before its departure is reported.
  void peer_fell_silent();
  // The receiver has joined, left, or moved its data port.
  void receiver_changed(const ReceiverEntry& receiver);
  // See Director::recorder_joined().
  void recorder_joined(const std::string& name, const sail::Address& data,
                       const sail::TileView& view, uint64_t secret);
  void bridge_joined(const std::string& name, const sail::Address& data,
                     const std::vector<uint32_t>& windows, uint64_t secret);
  void recorder_left(const std::string& name);
  // seconds: duration of the display; 0: until it is turned off.
  void identify(bool on, double seconds);
  void calibrate(sail::TestPattern pattern, double seconds);
  // Advances time. Call about every Director::kTickMs.
  void tick();

 private:
  class ChangeScope {
   public:
    explicit ChangeScope(Desk& desk) : desk_(desk) { ++desk_.changing_; }
    ~ChangeScope() {
      if (--desk_.changing_ == 0) desk_.publish_changes();
    }

   private:
    Desk& desk_;
  };
  struct Closing {
    std::set<uint32_t> left;
    std::vector<uint32_t> forced;
    Closed done;
  };
  void publish_changes();
  void lose_owner(uint32_t number, uint64_t owner, bool silent);
  void ask_to_close(uint32_t number);
  void force(uint32_t number);
  void mark_forced(uint32_t number);
  // The window's application cannot resume it.
  void refuse_return(const Window& window);
  void finish_closings();
  // Sends the messages that the director has queued, and wakes the director for a change that waits
  // for the spacing of layouts.
  void carry_out_orders();
  void execute(const SendScene& order);
  void notify_recorder(const SendScene& order, const std::string& name, uint64_t secret);
  void execute(const SendRoutes& order);
  void execute(const SendTakeEffect& order);
  void execute(const SendGo& order);

  sail::Loop& loop_;
  const sail::Wall& wall_;
  const sail::WallClock& clock_;
  Peers& peers_;
  ChangeFeed& changes_;
  const int64_t close_ms_;
  const Changed on_changed_;
  std::function<void(uint32_t)> on_closing_ = [](uint32_t /*window*/) {};
  const TileGaps tile_gaps_;
  Arrangement arrangement_;
  int changing_ = 0;  // Nesting depth of change().
  int fade_ms_ = 0;   // for the change in progress
  Director director_;
  sail::Timer spacing_;
  bool spaced_ = false;  // spacing_ is running.
  sail::Timer identify_;
  sail::Timer calibrate_;
  std::map<uint32_t, sail::Timer> closing_;  // Windows being closed, with timeouts.
  std::list<Closing> closings_;
  std::deque<uint64_t> refused_;  // See refused().
  // Applications that are expected back, and whether they fell silent.
  std::map<uint64_t, bool> absent_;
  bool ending_ = false;
};

}  // namespace manager
