// A stream's sender in simulated time with the rules of StreamSender; its decisions are real
// (SwapPlan, FrameLedger). One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sail/client/sync/frame_ledger.h"
#include "sail/client/sync/swap_plan.h"
#include "sail/client/transport/link_liveness.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/stats.h"
#include "tests/e2e/walls/simulated_receiver.h"
#include "tests/e2e/walls/simulated_time.h"

namespace test {

struct Film {
  double fps = 30;
  int64_t ahead_ns = 70 * kMs;    // lead time of frames; 0: no presentation times
  int64_t transfer_ns = 8 * kMs;  // maximum transfer time of a frame
  int64_t encode_ns = 3 * kMs;
  int64_t pause_ns = 40 * kMs;  // maximum interval of layouts; intervals are random
  int uncovers = 2;  // number of layouts of ten that show blocks that the newest frame lacks
};

class SimulatedWall;

class Sender {
 public:
  Sender(SimulatedWall& wall, uint32_t stream, bool grouped);
  void begin_film();

  // --- the manager
  void route(const sail::Routes& routes);
  void take_effect(const sail::TakeEffect& taken);
  void go_on_alone();
  // Returns the routes to report to the next manager.
  const sail::Routes& resume();
  bool met = true;
  int met_rule = 0;  // life of the manager that it met

  // --- receivers and the group's table
  // life: identifies the run of the node's receiver.
  void lose(size_t node, int life);
  void on_ready(size_t node, int life, const Key& key);
  void on_report(size_t node, int life, const sail::FrameReport& report);
  void on_decision(const sail::GroupDecision& decision);
  void tick();

  int64_t present_ns(uint64_t frame) const { return presents_.at(frame); }
  const sail::FrameLedger& ledger() const { return ledger_; }
  // For the time since the last call, as StreamSender reports them.
  sail::StreamStats stats(double seconds);

  Process process;
  Way to_table;
  Way from_table;
  Way to_manager;
  Way from_manager;
  uint64_t submitted = 0;
  uint64_t refused = 0;  // too many in flight

 private:
  struct Link {
    size_t node = 0;
    int life = 0;  // run of that node's receiver
    Way to;
    Way from;
    bool accepted = false;
    bool away = false;  // the receiver is disconnected
    bool in_map = false;
    uint64_t sent_frame = 0;
    uint64_t sent_epoch = 0;
    std::map<Key, int64_t> unreported_ns{};  // time of sending by frame
    int64_t reported_ns = 0;
    int connection = 0;  // messages of earlier connections are ignored
    sail::TcpCounts counts{};
    int64_t sent_ns = 0;  // last data
    sail::LinkLiveness silence{};
    bool unreachable = false;
    int64_t trouble_ns = 0;  // start of the outage; 0: the link works
  };
  struct Frame {
    uint64_t number = 0;
    uint64_t wanted_epoch = 0;  // epoch of the map by which it was encoded
  };
  void submit();
  void handle(const Frame& frame);
  // Returns the number of the link to the route's receiver.
  uint32_t link_to(const sail::Route& route);
  void open(uint32_t number);
  void hear(size_t node, int life, std::function<void(uint32_t number)> happens);
  void check_silent();
  void watch_waiting();
  void check_waiting(int64_t due_ns);
  void evaluate_links();
  void check_unreachable();
  int most_in_flight() const;
  // Sends by this link; the receiving system acknowledges while the cable is plugged in.
  Way& way_to(Link& link);
  void close(uint32_t number);
  void give_up(uint32_t number);
  void connect_again(uint32_t number, int64_t asks_again_ns);
  std::function<void()> there(uint32_t number, std::function<void(Receiver&)> happens);
  // covered: the newest frame has all blocks that the map shows.
  void follow(const sail::Routes& routes, bool covered);
  void serve_all();
  void tell(uint32_t number, const sail::FrameShow& show);
  void send_to_all(const sail::FrameShow& show);
  void restore_rolled_back_routes();
  void carry_out_plan();
  bool reads_first();
  void publish();

  SimulatedWall& wall_;
  const uint32_t stream_;
  sail::SwapPlan plan_;
  sail::FrameLedger ledger_;
  std::vector<Link> links_;  // by number
  uint64_t epoch_ = 0;
  uint64_t told_epoch_ = 0;  // epoch of the newest map, for which frames are encoded
  sail::Routes routes_;
  sail::Routes in_effect_;
  std::optional<sail::Routes> rolled_back_routes_;
  std::optional<sail::Routes> next_;  // routes of a map that shows more than the previous one
  Frame newest_;
  bool covered_ = false;  // the newest frame has all blocks that the map shows
  int in_flight_ = 0;
  int64_t ticked_ns_ = 0;
  int64_t executed_ns_ = 0;
  bool reads_first_ = false;
  bool watches_ = false;  // check_waiting() is going to be called
  uint64_t last_ = 0;
  uint64_t submitted_before_ = 0;
  std::map<uint64_t, int64_t> presents_;
};

}  // namespace test
