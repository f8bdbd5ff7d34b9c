// Decides when a standby takes over: its manager has been silent for a while, and more than half of
// that manager's receivers have recently connected to the standby. If only the connection between
// the two managers is cut, nothing happens, because the receivers stay where they are.
//
// If the wall has a witness, the standby takes over instead when it has the lease, which it may not
// ask for before its own promise to the manager has ended (quorum.h). Pure; steady times are
// arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/failover/quorum.h"

namespace manager {

// Who agrees to a takeover.
enum class Votes : uint8_t { kReceivers, kWitness };

class FailoverPolicy {
 public:
  explicit FailoverPolicy(Votes votes = Votes::kReceivers) : votes_(votes) {}

  // A restarted manager is back within this time.
  static constexpr int64_t kWaitTimeoutNs = 1'000'000'000;
  // A receiver whose last try is longer ago may have reconnected to its manager: receivers try both
  // managers in turn, and each answers within a second.
  static constexpr int64_t kLatelyNs = 2'000'000'000;

  // The manager is connected and followed.
  void followed();
  // Sets the receivers that are connected to the manager. More than half of them must come.
  void set_receivers(const std::vector<std::string>& names);
  // The wall is shut down on purpose.
  void primary_is_ending() { ending_ = true; }
  // The manager has been silent since since_ns.
  void lost(int64_t since_ns);
  // The receiver tried this standby because its manager did not answer.
  void receiver_arrived(const std::string& name, int64_t now_ns);

  // Whether this standby has the witness's lease.
  void set_lease(bool held) { leased_ = held; }
  // Another manager asks for this standby's vote: promises not to take over for
  // Quorum::kPromiseNs. False: this standby is about to take over.
  bool promise(int64_t now_ns);

  // Whether the standby is to ask the witness for the lease.
  bool wants_lease(int64_t now_ns) const { return votes_ == Votes::kWitness && is_time(now_ns); }
  bool due(int64_t now_ns) const;
  // Whether the manager is lost and the takeover waits only for receivers, or the witness.
  bool waits(int64_t now_ns) const;
  size_t arrived_receivers(int64_t now_ns) const;
  size_t receivers() const { return receivers_.size(); }

 private:
  // Whether the manager has been lost for long enough.
  bool is_time(int64_t now_ns) const;

  Votes votes_;
  bool leased_ = false;
  bool ending_ = false;
  std::optional<int64_t> lost_ns_;
  std::set<std::string> receivers_;
  std::map<std::string, int64_t> arrived_ns_;  // Time of each receiver's last attempt.
};

}  // namespace manager
