// Two managers and their receivers: partitions, deaths, standstills and takeovers in any order. The
// code that decides is the product's: FailoverPolicy, Quorum, claimable_term() and SavedTerm. The
// rules of peers and of a starting manager are those of manager/failover/README.md (F1 to F6, W1 to
// W5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manager/failover/failover_policy.h"
#include "manager/failover/other_manager.h"
#include "manager/failover/quorum.h"
#include "tests/model/explorer.h"

namespace model {

struct Reigns {
  size_t receivers = 3;
  int faults = 2;
  bool witness = false;
  // With a witness, in percent: how much slower one manager's clock runs than those of the others.
  int drift = 0;
  size_t slow = 0;  // that manager
  // With a witness: in the end it is lost for ever.
  bool lost_witness = false;
  // Managers forget whom they voted for: must lead to a violation.
  bool forgetful = false;
};

class Succession final : public World {
 public:
  explicit Succession(const Reigns& reigns);

  size_t choices() override;
  void choose(size_t choice) override;
  void finish() override;
  uint64_t fingerprint() const override;

 private:
  uint64_t witness_fingerprint(uint64_t hash) const;
  enum class Step : uint8_t {
    kTry,           // a receiver without a manager says hello to one
    kMiss,          // a receiver notices that its manager is silent
    kMissReceiver,  // a manager notices that a receiver is gone
    kFollow,        // a standby follows the other manager
    kMissPrimary,   // a standby notices that its primary is silent
    kReport,        // a manager reports its term to the manager that it replaced
    kAskVote,       // a starting manager that does not reach the witness asks the other one
    kBack,
    kGoOn,
    kHeal,
    kPass,
    kKill,
    kStop,
    kCut,
    kRestart  // a receiver, which then knows no term
  };
  struct Choice {
    Step step{};
    size_t one = 0;
    size_t other = 0;
  };
  struct Ruler {
    bool up = true;
    bool stopped = false;
    bool rules = false;
    bool followed = false;    // a standby that follows its primary
    bool reports = false;     // it replaced the other manager
    bool takes_over = false;  // started as a standby, and has not taken over yet
    uint64_t term = 0;        // that it has, or follows
    uint64_t seen_term = 0;   // the highest that its connection to the primary has seen
    manager::SavedTerm folder{};
    manager::FailoverPolicy policy{};
    std::set<size_t> receivers{};
    // With a witness:
    bool candidate = false;  // started, and does not rule yet
    std::optional<int64_t> promised_ns{};
    std::optional<int64_t> heard_ns{};  // a standby's primary, last
    std::optional<int64_t> confirmed_ns{};
    manager::Quorum quorum{};
    // Repeats the policy's state for the fingerprint.
    std::optional<int64_t> lost_ns{};
    std::map<size_t, int64_t> arrived_ns{};
    std::set<size_t> expected{};
  };
  struct Lease {
    size_t holder = 0;
    int64_t renewed_ns = 0;
  };
  struct Display {
    std::optional<size_t> at{};  // its manager
    uint64_t term = 0;           // highest term that it knows
  };
  static size_t other(size_t manager) { return 1 - manager; }
  static std::string receiver_name(size_t receiver) { return "r" + std::to_string(receiver); }
  // Peers: the two managers, then the receivers, then the witness.
  size_t witness() const { return 2 + displays_.size(); }
  // The manager's clock.
  int64_t clock(size_t manager) const {
    return manager == bounds_.slow ? now_ns_ / 100 * (100 - bounds_.drift) : now_ns_;
  }
  bool cut(size_t one, size_t two) const {
    return cut_.contains({std::min(one, two), std::max(one, two)});
  }
  bool runs(size_t peer) const { return peer > 1 || (rulers_[peer].up && !rulers_[peer].stopped); }
  bool reaches(size_t one, size_t two) const { return runs(one) && runs(two) && !cut(one, two); }
  void list_receivers();
  void list_managers();
  void list_returns();
  void list_faults();
  std::string name(const Choice& choice) const;
  void perform(const Choice& choice);
  void say_hello(size_t receiver, size_t manager);
  void tell_standby(size_t manager);
  void expect(size_t standby, const std::set<size_t>& receivers);
  void follow(size_t standby);
  void end(size_t manager);
  void start(size_t manager);
  void rule(size_t manager, uint64_t term);
  void pass();
  void pass_with_witness();
  void lose_quorum(size_t manager);
  void renew(size_t manager);
  void stand_for_election(size_t manager);
  void claim(size_t manager, const manager::Claim& claim);
  bool may_get_vote(size_t manager) const;
  void get_vote(size_t manager);
  // A candidate may have promised not to rule.
  bool promised(size_t manager) const {
    const Ruler& ruler = rulers_[manager];
    return ruler.promised_ns && clock(manager) - *ruler.promised_ns < manager::Quorum::kPromiseNs;
  }
  void look();
  bool well() const;

  const Reigns bounds_;
  std::array<Ruler, 2> rulers_;
  std::optional<Lease> lease_;
  manager::WitnessTerms stored_{};
  std::vector<Display> displays_;
  std::set<std::pair<size_t, size_t>> cut_;
  std::map<uint64_t, size_t> reigns_;  // which manager had the term
  std::vector<Choice> choices_;
  int64_t now_ns_ = 0;
  int faults_left_ = 0;
  bool witness_lost_ = false;
};

}  // namespace model
