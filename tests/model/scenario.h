// What happens on a modelled wall, and what its tiles are excused for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace model {

// Cases in which a tile may show another frame than the others, until it has caught up. They are
// the exceptions that sail/client/sync/README.md names. Without one, the explorer reports its case
// as a violation, if it goes far enough.
enum class Allowance : uint8_t {
  kStoppedReceiver,  // its process is stopped
  kLateMessage,      // a `frame_show`, `go` or scene to it arrives after its time
  kCutReceiver,      // it has no connection to the sender or to the manager
  kLeftBehind,       // the barrier no longer waits for it
  kDyingSender,      // the sender ended between the writes of one decision
};
inline std::set<Allowance> all_allowances() {
  return {Allowance::kStoppedReceiver, Allowance::kLateMessage, Allowance::kCutReceiver,
          Allowance::kLeftBehind, Allowance::kDyingSender};
}

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
  bool suspects = true;  // a sender takes a receiver for unreachable
  std::set<Allowance> allowed = all_allowances();
};

}  // namespace model
