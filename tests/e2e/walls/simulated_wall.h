// A row of tiles, the manager, a group's sync table and some senders in simulated time. The code
// that decides when something is shown is real (SwapPlan, FrameLedger, SyncCoordinator, Director).
// Messages have random latency and keep their order on each path. Senders and receivers are
// minimal. Receivers and the manager may be killed and restarted, and senders stopped. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manager/wall/director.h"
#include "receiver/groups/sync_coordinator.h"
#include "tests/e2e/walls/simulated_receiver.h"
#include "tests/e2e/walls/simulated_sender.h"
#include "tests/e2e/walls/simulated_time.h"
#include "tests/unit/manager/wall/two_tiles.h"

namespace test {

// Faults that occur repeatedly, at random times.
struct Trouble {
  bool receivers = false;  // one is killed and restarted
  bool senders = false;    // one is stopped for a while
  bool managers = false;   // it is killed, often while it sends a layout, and restarted

  bool any() const { return receivers || senders || managers; }
};

class SimulatedWall {
 public:
  SimulatedWall(uint32_t seed, size_t streams, bool grouped, const Film& played,
                const Trouble& goes_wrong = {}, size_t tiles = 2);
  // Plays for this time while windows move, then another second without moves.
  void play(int64_t for_ns);
  // Plays for this time while windows move.
  void run(int64_t for_ns);
  // Stops the node's receiver. Peers with messages for the receiver wait, too.
  void stand_still(size_t node, int64_t for_ns);
  // Cuts the node off until the manager has detected the loss and the cable is plugged in again.
  void pull_cable(size_t node);
  // Like pull_cable(), but only for this time.
  void cut_off(size_t node, int64_t for_ns);

  const sail::Wall& tiles() const { return tiles_; }
  manager::WindowStack& windows() { return *ruler_.windows; }
  const manager::Director& ruler() const { return *ruler_.director; }
  Sender& sender(uint32_t stream) { return *senders_.at(stream); }
  void move_window(uint32_t number, int x);

  uint64_t layouts() const { return layouts_before_ + director().counters().layouts; }
  uint64_t timed_out() const { return director().counters().layouts_timed_out; }
  uint64_t submitted() const {
    return sum([](const Sender& one) { return one.submitted; });
  }
  uint64_t lost() const { return submitted() - shown(); }
  std::string causes() const;
  // Number of instants at which tiles differed; the longest such period, with its time and cause.
  uint64_t mixed = 0;
  int64_t longest_mixed_ns = 0;
  std::string longest_mixed;
  uint64_t told_some_only = 0;  // managers that died while they announced a layout

  Time time;
  const Film film;
  receiver::SyncCoordinator table;
  bool moving = true;

  // --- for senders
  struct Node {
    Node(Time& time, size_t its_number)
        : number(its_number), from_manager(time), to_manager(time) {}
    const size_t number;
    Process process;
    Process cable;
    int64_t pulled_ns = 0;
    Process line;  // its session with the manager
    bool up = true;
    bool met = false;  // it has a session
    std::unique_ptr<Receiver> receiver;
    Way from_manager;
    Way to_manager;
  };
  Node& node(size_t number) { return *nodes_[number]; }
  const std::string& receiver_name(size_t node) const { return tiles_.receivers[node].name; }
  // Returns the node and the process that own this port.
  static std::pair<size_t, int> node_at(uint16_t port);
  receiver::SyncCoordinator::Now now() const { return {time.now_ns, time.now_ns}; }
  void notify_members();
  void notify_manager(Way& way, const sail::EpochReady& ready);

 private:
  // Runs the event when it arrives at the manager, if there is a manager then.
  void at_manager(Way& way, std::function<void()> happens);
  struct Ruler {
    Process process;
    bool up = true;
    std::unique_ptr<manager::WindowStack> windows;
    std::unique_ptr<manager::Director> director;
    std::optional<int64_t> orders_left;  // messages until it is killed; empty: no limit
  };
  template <typename Of>
  uint64_t sum(const Of& of) const {
    uint64_t sum = 0;
    for (const auto& [number, sender] : senders_) sum += of(*sender);
    return sum;
  }
  uint64_t shown() const {
    return sum([](const Sender& one) { return one.ledger().counters().shown; });
  }
  manager::Director& director() const { return *ruler_.director; }
  manager::Window window_of(size_t stream) const;
  void start_receiver(Node& node);
  void meet(Node& node);
  void meet(uint32_t stream, Sender& sender);
  void begin_rule();
  void kill_manager();
  void kill_receiver();
  void miss(Node& node);
  void stop_sender();
  void go_wrong();
  void move_windows();
  void carry_out_orders();
  void execute(const manager::Order& order);
  void tick();
  void look();
  std::string differences() const;

  const bool grouped_;
  const Trouble trouble_;
  const sail::Wall tiles_;
  Ruler ruler_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<Receiver>> dead_;
  std::map<uint32_t, std::unique_ptr<Sender>> senders_;
  uint64_t layouts_before_ = 0;  // layouts of former managers
  bool moves_soon_ = false;
  std::string went_wrong_;
  std::string differ_;  // current difference; empty: none
  int64_t differ_since_ns_ = 0;
};

}  // namespace test
