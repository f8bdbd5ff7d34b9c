// Receivers, senders and a manager whose messages arrive in any order between connections, and
// whose processes are killed, stopped and back at any step. The code that decides is the product's:
// SwapPlan, LayoutGate, ReadyFrames, SwapSchedule, Director and SyncCoordinator.
//
// Time passes in steps: to the next frame, check or swap. Messages arrive before time passes,
// unless their connection is held or their process is stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manager/wall/director.h"
#include "receiver/groups/sync_coordinator.h"
#include "tests/model/explorer.h"
#include "tests/model/model_receiver.h"
#include "tests/model/model_sender.h"
#include "tests/model/network.h"

namespace model {

// Cases in which a tile may show another frame than the others, until it has caught up. They are
// the exceptions that sail/client/sync/README.md names. Without one, the explorer reports its case
// as a violation, if it goes far enough.
enum class Allowance : uint8_t {
  kStoppedReceiver,  // its process is stopped
  kLateMessage,      // a `frame_show` or `go` to it arrives after its time
  kCutReceiver,      // it has no connection to the sender or to the manager
  kLeftBehind,       // the barrier no longer waits for it
  kDyingSender,      // the sender ended between the writes of one decision
};
const std::set<Allowance>& all_allowances();

struct Scenario {
  size_t nodes = 2;
  size_t senders = 1;
  bool grouped = false;
  std::vector<int> places{500, 400};  // x of the windows: at first, and after each move
  int faults = 1;
  // The faults that happen.
  bool kills_receivers = true;
  bool kills_senders = true;
  bool kills_manager = true;
  bool stops = true;
  bool holds = true;
  bool cuts = true;
  std::set<Allowance> allowed = all_allowances();
};

class ModelWall final : public World {
 public:
  explicit ModelWall(const Scenario& scenario);

  size_t choices() override;
  void choose(size_t choice) override;
  void finish() override;
  uint64_t fingerprint() const override;

  // --- for senders
  struct Node {
    Process process;
    std::unique_ptr<ModelReceiver> receiver;
    std::unique_ptr<receiver::SyncCoordinator> coordinator;
    uint64_t secret = 0;      // of the group that it coordinates
    std::set<size_t> joined;  // senders with a connection to the coordinator
    bool met = false;         // it has a session with the manager
    int session = 0;          // number of that session
    int known = 0;            // the session that the manager knows; 0: none
    int laid_out = 0;         // the session in which it got its last layout
  };
  Network& network() { return network_; }
  Node& node(size_t number) { return *nodes_[number]; }
  static std::pair<size_t, int> node_at(uint16_t port);
  size_t stream_line(size_t sender, size_t node) const { return stream_lines_[sender][node]; }
  size_t group_line(size_t sender, size_t node) const { return group_lines_[sender][node]; }
  void report_ready(size_t sender, const sail::EpochReady& ready);
  void join_group(size_t sender, size_t node, uint64_t secret);
  void vote(size_t sender, size_t node, const sail::GroupReady& ready);
  // Whether the coordinator's heartbeats arrive.
  bool coordinator_answers(size_t sender, size_t node) const;

 private:
  enum class Step : uint8_t {
    kDeliver,
    kPass,
    kMove,
    kBack,
    kGoOn,
    kRelease,
    kStop,
    kHold,
    kCut,
    kKill,
    kKillUnsent,
    kKillLosing
  };
  struct Choice {
    Step step{};
    size_t which = 0;
    size_t detail = 0;
  };
  void connect_all();
  bool list_deliveries();
  void list_returns();
  void list_faults();
  void list_kills(size_t process);
  bool may_be_killed(size_t process) const;
  void perform(const Choice& choice);
  void perform_fault(const Choice& choice);
  std::string name(const Choice& choice) const;

  // --- the manager
  void begin_rule();
  void carry_out_orders();
  void execute(const manager::Order& order);
  void to_node(size_t node, const char* what, std::function<void()> arrives, uint64_t epoch);
  void evaluate_group();
  void set_group(size_t node, const sail::CoordinatedGroup& group);
  manager::Window window_of(size_t sender) const;
  void move_windows();
  void meet(Node& node, size_t number);
  void meet(ModelSender& sender, size_t number);
  void node_left(size_t number, int session);

  // --- processes
  Process& process(size_t number);
  void start_receiver(size_t number);
  void after_step(const Process& process);
  void send_decisions(size_t node);
  void kill(size_t number);
  void kill_node(size_t number);
  void kill_sender(size_t number);
  void kill_manager();
  void back(size_t number);
  void cut(size_t line);
  std::function<void()> on_closed(size_t line);
  void pass();
  void tick();

  // --- what must hold
  void look();
  void look_at_layouts();
  bool layouts_differ() const;
  bool excused(size_t node, size_t sender) const;
  bool excuses(Allowance allowance, bool is_so) const {
    return is_so && scenario_.allowed.contains(allowance);
  }
  bool decision_is_late(size_t line) const;
  std::optional<std::string> difference(bool with_late) const;
  std::string unwell() const;
  std::string pictures() const;

  const Scenario scenario_;
  Network network_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<std::unique_ptr<ModelSender>> senders_;
  sail::Wall tiles_;
  Process ruler_;
  std::unique_ptr<manager::WindowStack> windows_;
  std::unique_ptr<manager::Director> director_;
  std::vector<size_t> node_lines_;    // from the manager, by node
  std::vector<size_t> sender_lines_;  // from the manager, by sender
  std::vector<std::vector<size_t>> stream_lines_;
  std::vector<std::vector<size_t>> group_lines_;
  std::optional<size_t> coordinator_;  // its node
  uint64_t group_secret_ = 0;
  std::vector<uint32_t> members_;  // of the group, as sent to the coordinator
  std::vector<Choice> choices_;
  int faults_left_ = 0;
  size_t moves_ = 0;
  int64_t frame_at_ns_ = 0;
  int64_t ruler_died_ns_ = 0;
  bool sender_died_writing_ = false;
  std::vector<std::vector<bool>> late_;  // by node and sender: it may differ until it has caught up
};

}  // namespace model
