// The health of windows, hosts and the whole wall, from the reports of programs. Pure; times are
// arguments.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manager/monitor/diagnosis.h"
#include "manager/peers/receiver_roster.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/stats.h"

namespace manager {

class Director;

// The load of the machines that run applications, receivers and this manager, from their latest
// reports. Times are steady ns.
class Hosts {
 public:
  // peer: id in the control protocol; kManager: this manager.
  static constexpr uint64_t kManager = 0;
  void record(uint64_t peer, const sail::HostStats& stats, int64_t now_ns) {
    reports_[peer] = {stats, now_ns};
  }
  void peer_left(uint64_t peer) { reports_.erase(peer); }
  // Null: no recent report.
  const sail::HostStats* of(uint64_t peer, int64_t now_ns) const;
  // Returns each machine once, for the verb "stats".
  sail::Json json(int64_t now_ns) const;

 private:
  struct LastReport {
    sail::HostStats stats;
    int64_t at_ns = 0;
  };
  std::map<uint64_t, LastReport> reports_;
};

// Everything known besides the window itself, and the times.
struct Reports {
  const sail::Wall& wall;
  const ReceiverRoster& receivers;
  const Hosts& hosts;
  const Director* director = nullptr;  // null: layouts are unknown.
  WallSwitches switches{};
  int64_t now_ns = 0;  // Steady.
  int64_t now_s = 0;   // Seconds since 1970.
  int64_t wall_ns = 0;
};

// Whether a receiver that has reported has now sent nothing for too long.
bool is_stalled(const ReceiverEntry& receiver, int64_t now_ns);

Flow flow_of(const Window& window, const Reports& reports);

// Judge a window's health from the reports of its application, of the receivers that show it, and
// of their machines.
//
// The window's application has reported.
void take_stats(Window& window, const sail::StreamStats& stats, const Reports& reports);
// Time has passed, or a peer has come or gone.
void evaluate_window(Window& window, const Reports& reports);

// Problems of neither a window nor a receiver.
struct Troubles {
  std::string disk{};                   // Why saving fails; empty: it works.
  std::string journal{};                // Why the journal is not written; empty: it is.
  std::vector<std::string> hanging{};   // A sentence for each player that does not answer.
  std::vector<std::string> damaged{};   // A sentence for each file that cannot be read.
  std::vector<std::string> opening{};   // Titles of media that have long been opening.
  std::vector<std::string> tours{};     // A sentence for each tour that skips sources.
  std::vector<std::string> scenes{};    // A sentence for rules, and for entries of the schedule.
  std::vector<std::string> webhooks{};  // A sentence for each webhook that fails.
  std::string witness{};                // Why the witness does not confirm the manager.
  bool has_standby = false;             // A standby follows the manager.
};

// Absent or stalled receivers, late windows, a failing disk.
class WallHealth {
 public:
  struct Problem {
    Grade grade = Grade::kWell;
    Cause cause = Cause::kNone;
    uint32_t window = 0;   // 0: not about a window.
    std::string receiver;  // Empty: not about a receiver.
    std::string sentence;  // Without figures, which change every second.

    bool operator==(const Problem&) const = default;
  };

  // Collects the problems from verdicts and reports. Returns whether they have changed.
  bool evaluate(const Reports& reports, const WindowStack& windows, const Troubles& troubles);

  // Worst first.
  const std::vector<Problem>& problems() const { return problems_; }
  Grade grade() const { return problems_.empty() ? Grade::kWell : problems_.front().grade; }
  std::string sentence() const;

 private:
  std::vector<Problem> problems_;
};

sail::Json to_json(const WallHealth& health);

}  // namespace manager
