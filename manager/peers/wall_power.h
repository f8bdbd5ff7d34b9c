// Turns the displays of the wall on and off through their receivers. An order is repeated and the
// displays are asked until they obey; displays that do not obey in time are reported. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "manager/peers/pending_power.h"
#include "manager/peers/receiver_roster.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/wire/power.h"

namespace manager {

class Peers;

class WallPower {
 public:
  struct Times {
    int64_t poll_ms = 2000;     // Between questions.
    int64_t obey_ms = 60'000;   // For a display to obey.
    int64_t lamp_ms = 300'000;  // For a display that is warming up or cooling down.
  };
  // on_changed: the recorded power of a display has changed. peers must outlive this object.
  WallPower(sail::Loop& loop, Peers& peers, const Times& times, PendingPower kept,
            std::function<void()> on_changed, const sail::Log& log);

  // Continues the orders of an earlier manager.
  void resume();
  // Returns the orders that displays have not obeyed.
  const PowerOrders& pending() const { return pending_; }
  // Called after each change of pending().
  void watch_pending(std::function<void()> on_pending) { on_pending_ = std::move(on_pending); }

  // Displays to act on. Both empty: all that can be controlled.
  struct Selection {
    std::vector<std::string> nodes{};
    std::vector<std::string> tiles{};
  };
  // Answers when all selected displays have answered once. kNotFound: the wall has no such receiver
  // or tile. kUnavailable: no display can be controlled.
  void run(sail::PowerOrder order, const Selection& selection, const sail::RpcPeer::Reply& reply);
  // Turns off the displays that are not off yet, until wake(): nothing is shown.
  void idle();
  // Turns on the displays that idle() has turned off, apart from those with a later order.
  void wake();
  // Whether wake() has displays to turn on.
  bool is_idle() const;

 private:
  struct Gathering;
  struct Order {
    sail::PowerOrder order = sail::PowerOrder::kStatus;
    bool idle = false;  // See RecordedPower.
  };
  using Tiles = std::vector<sail::TilePower>;
  struct Answered {
    Tiles tiles{};
    Tiles uncontrolled{};  // Displays that the receiver cannot control.
  };
  using Done = std::function<void(const Answered&)>;

  sail::Result<void> check(const Selection& selection) const;
  // Returns the tiles of the receiver for which an answer is due.
  std::vector<std::string> expected(const std::string& receiver, const Selection& selection) const;
  // Calls `done` at once if the receiver is not connected.
  void ask(const std::string& receiver, const sail::PowerRequest& request,
           const std::vector<std::string>& expected, const Done& done);
  Answered answered(const std::string& receiver, const sail::Result<sail::Json>& answer,
                    const std::vector<std::string>& expected) const;
  void run(Order order, const Selection& selection, const sail::RpcPeer::Reply& reply);
  // order: a new order to these displays, or kStatus.
  void record(const std::string& receiver, Order order, const Tiles& tiles);
  void keep_pending();
  // Whether it is time to give up a display in this state.
  bool is_late(const RecordedPower& power) const;
  void poll();
  // Asks the displays that have not obeyed, and repeats the order to those that ignored it. Returns
  // whether there are any.
  bool poll(const ReceiverEntry& receiver);

  Peers& peers_;
  const Times times_;
  const PendingPower kept_;
  const std::function<void()> on_changed_;
  const sail::Log& log_;
  std::function<void()> on_pending_ = [] {};
  PowerOrders pending_;
  std::map<std::string, int> asked_;  // Unanswered questions of poll(), by receiver.
  sail::Timer timer_;                 // Runs while displays have not obeyed.
};

}  // namespace manager
