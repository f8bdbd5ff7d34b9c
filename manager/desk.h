// What stands on the wall, how it is arranged, and what is shown when. Thread: the loop's.
//
// Whoever changes anything does so by change(), and all whom it concerns are told of it:
// subscribers, receivers, applications and those who keep the wall.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manager/arrangement.h"
#include "manager/change_feed.h"
#include "manager/director.h"
#include "manager/tile_gaps.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wall/visibility.h"

namespace sail {
class WallClock;
}  // namespace sail

namespace manager {

class Peers;
struct ReceiverEntry;

class Desk {
 public:
  // Those who are told of each change once it is done, besides peers.
  using Changed = std::function<void(const Touched&)>;
  // close_ms: how long an application has to close a window. The others outlive this.
  Desk(sail::Loop& loop, const sail::Wall& wall, const sail::WallClock& clock, Peers& peers,
       ChangeFeed& changes, int64_t close_ms, Changed on_changed);

  const sail::Wall& wall() const { return wall_; }
  const sail::WallClock& clock() const { return clock_; }
  const TileGaps& tile_gaps() const { return tile_gaps_; }
  const Arrangement& arrangement() const { return arrangement_; }
  const WindowStack& windows() const { return arrangement_.windows(); }
  const Director& director() const { return director_; }

  // `act` gets the arrangement to change; returns what it returns. What it changes by others is
  // part of the same change: all are told once, at its end.
  template <typename Act>
  auto change(const Act& act) {
    const Telling telling(*this);
    return act(arrangement_);
  }
  // One step of the history and one transaction. False: nothing changes.
  bool change(const LayoutChange& wanted, const Deed& deed, const Author& author);
  // For a window's figures, of which nobody is told as of a change. Null when there is none.
  Window* measured(uint32_t number) { return arrangement_.find(number); }
  // All clients have been told of the history as it is.
  void mark_history_told() { arrangement_.mark_history_told(); }

  // --- windows and their applications
  // codec: of the type "codec".
  void tell_application(const Window& window, const std::string& type, double value = 0,
                        const std::string& codec = {});
  // Asks the windows' applications to close them, and does so itself where they do not in time
  // (forced). done comes once, when all are closed.
  using Closed = std::function<void(const std::vector<uint32_t>& forced)>;
  void close(const std::vector<uint32_t>& numbers, Closed done);
  // It was asked to.
  bool closes(uint32_t number) const { return closing_.contains(number); }
  // Its application has closed it, or is gone.
  void remove(uint32_t number);
  // An application has ended its stream: the window goes, and with it the other ranks' streams.
  void remove_stream(uint32_t stream);
  // The application is gone, and its windows go with it: unless it is expected back.
  void owner_left(uint64_t owner);
  // The stream has gone on without a manager. Its window when that is still here, its application
  // now being this one; null when it is not, or is another's.
  const Window* resume(const sail::Resume& stream, uint64_t owner);
  // Whether the stream's window was closed by force: its application cannot resume it.
  bool was_forced(const sail::Resume& stream) const;
  // The manager ends, and everything with it.
  void close_all();

  // --- what is shown when (desk_swaps.cpp)
  void epoch_ready(const sail::EpochReady& ready);
  // A stream goes on by these. go_on() is to follow, or a change that opens its window.
  void resumed(const sail::Routes& routes);
  void go_on();
  // It told how long it takes to paint.
  void receiver_measured(const std::string& receiver, const sail::ReceiverStats& stats);
  // Nothing came from a receiver or an application any more: that it is gone is told next.
  void peer_fell_silent();
  // Joined, or left.
  void receiver_changed(const ReceiverEntry& receiver);
  // As the director has it.
  void recorder_joined(const std::string& name, const sail::Address& data,
                       const sail::TileView& view, uint64_t secret);
  void recorder_left(const std::string& name);
  // seconds 0: until somebody turns it off.
  void identify(bool on, double seconds);
  // Time passes: to be called every Director::kTickMs or so.
  void tick();

 private:
  class Telling {
   public:
    explicit Telling(Desk& desk) : desk_(desk) { ++desk_.changing_; }
    ~Telling() {
      if (--desk_.changing_ == 0) desk_.tell();
    }

   private:
    Desk& desk_;
  };
  struct Closing {
    std::set<uint32_t> left;
    std::vector<uint32_t> forced;
    Closed done;
  };
  void tell();
  void lose_owner(uint32_t number, uint64_t owner);
  void ask_to_close(uint32_t number);
  void force(uint32_t number);
  void finish_closings();
  // Sends what the director wants sent.
  void carry_out_orders();
  void carry_out(const SendScene& order);
  void tell_recorder(const SendScene& order, const std::string& name, uint64_t secret);
  void carry_out(const SendRoutes& order);
  void carry_out(const SendTakeEffect& order);
  void carry_out(const SendGo& order);

  sail::Loop& loop_;
  const sail::Wall& wall_;
  const sail::WallClock& clock_;
  Peers& peers_;
  ChangeFeed& changes_;
  const int64_t close_ms_;
  const Changed on_changed_;
  const TileGaps tile_gaps_;
  Arrangement arrangement_;
  int changing_ = 0;  // changes under way, each within the one before
  Director director_;
  sail::Timer identify_;
  std::map<uint32_t, sail::Timer> closing_;  // windows, with their patience
  std::list<Closing> closings_;
  std::deque<uint64_t> forced_;  // secrets of streams whose windows were closed by force
  std::set<uint64_t> absent_;    // applications that are expected back
  bool ending_ = false;
};

}  // namespace manager
