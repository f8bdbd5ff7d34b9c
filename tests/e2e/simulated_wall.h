// Two tiles, the manager, a group's table and some senders in simulated time. What decides when
// something is shown is real (SwapPlan, FrameLedger, GroupTable, Director), and messages take
// random times, in order on each way. Senders and receivers are as simple as can be. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manager/director.h"
#include "receiver/group_table.h"
#include "sail/client/frame_ledger.h"
#include "sail/client/swap_plan.h"
#include "tests/e2e/simulated_receiver.h"
#include "tests/e2e/simulated_time.h"
#include "tests/unit/manager/two_tiles.h"

namespace test {

struct Film {
  double fps = 30;
  int64_t ahead_ns = 70 * kMs;    // frames are handed over before their instants; 0: without one
  int64_t transfer_ns = 8 * kMs;  // the longest that a frame is on its way
  int64_t encode_ns = 3 * kMs;
  int64_t pause_ns = 40 * kMs;  // the longest between layouts, which come at any time
  int uncovers = 2;             // so many of ten layouts show blocks that the newest frame has not
};

class SimulatedWall;

class SimulatedWall;

// A stream's sender, as StreamSender has it.
class Sender {
 public:
  Sender(SimulatedWall& wall, uint32_t stream, bool grouped);
  void begin_film();
  void route(const sail::Routes& routes);
  void take_effect(const sail::TakeEffect& taken);
  void on_ready(size_t receiver, const Key& key);
  void on_report(size_t receiver, const sail::FrameReport& report);
  void on_verdict(const sail::GroupVerdict& verdict);
  void tick();
  int64_t present_ns(uint64_t frame) const { return presents_.at(frame); }

  Way to_table;
  Way from_table;
  Way to_manager;
  Way from_manager;
  uint64_t submitted = 0;
  uint64_t refused = 0;  // too many in flight
  const sail::FrameLedger& ledger() const { return ledger_; }

 private:
  struct Link {
    Way to;
    Way from;
    bool in_map = false;
    uint64_t sent_frame = 0;
    uint64_t sent_epoch = 0;
    std::map<Key, int64_t> unreported_ns{};  // when they were sent
    bool connected = true;
    uint64_t connection = 0;  // what comes by an earlier one is nothing
    int64_t reported_ns = 0;
  };
  struct Frame {
    uint64_t number = 0;
    uint64_t wanted_epoch = 0;  // by whose map it was encoded
  };
  void submit();
  void handle(const Frame& frame);
  // covered: the newest frame has what the map shows.
  void follow(const sail::Routes& routes, bool covered);
  void serve_all();
  bool is_passed_over(size_t link) const;
  void look_at_links();
  void lose(size_t link);
  void carry_out_plan();
  void publish();

  SimulatedWall& wall_;
  const uint32_t stream_;
  sail::SwapPlan plan_;
  sail::FrameLedger ledger_;
  std::vector<Link> links_;
  uint64_t epoch_ = 0;
  uint64_t told_epoch_ = 0;           // of the newest map: frames are encoded for that
  std::optional<sail::Routes> next_;  // of a map that shows more than the one before
  Frame newest_;
  bool covered_ = false;  // it has what the map shows
  int in_flight_ = 0;
  uint64_t last_ = 0;
  std::map<uint64_t, int64_t> presents_;
};

class SimulatedWall {
 public:
  SimulatedWall(uint32_t seed, size_t streams, bool grouped, const Film& played);
  // Plays for so long while windows move, and to the end.
  void play(int64_t for_ns);
  // The same, but goes on.
  void run(int64_t for_ns);
  // The receiver, and what it has to say.
  void stand_still(size_t receiver, int64_t for_ns);

  uint64_t layouts() const { return director_.counters().layouts; }
  uint64_t timed_out() const { return director_.counters().layouts_timed_out; }
  uint64_t submitted() const {
    return sum([](const Sender& one) { return one.submitted; });
  }
  uint64_t lost() const { return submitted() - shown(); }
  std::string causes() const;

  Time time;
  const Film film;
  std::vector<std::unique_ptr<Receiver>> receivers;
  receiver::GroupTable table;
  uint64_t mixed = 0;
  bool moving = true;

  receiver::GroupTable::Now now() const { return {time.now_ns, time.now_ns}; }
  void tell_members();
  void epoch_ready(const sail::EpochReady& ready);

 private:
  template <typename Of>
  uint64_t sum(const Of& of) const {
    uint64_t sum = 0;
    for (const auto& [number, sender] : senders_) sum += of(*sender);
    return sum;
  }
  uint64_t shown() const {
    return sum([](const Sender& one) { return one.ledger().counters().shown; });
  }
  void move_windows();
  void carry_out_orders();
  void tick();
  bool is_mixed() const;

  const bool grouped_;
  const sail::Wall tiles_ = manager::two_tiles();
  manager::WindowStack windows_;
  manager::Director director_{tiles_, windows_};
  std::map<uint32_t, std::unique_ptr<Sender>> senders_;
  std::vector<Way> to_receivers_;  // from the manager
  bool moves_soon_ = false;
};

}  // namespace test
