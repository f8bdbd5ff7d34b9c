// A starting manager of a wall with a witness. It refuses all peers, with the reason, until the
// witness gives it the lease, the other manager votes for it while the witness does not answer, or
// the other manager turns out to rule. It votes for the other manager, too. Runs on the loop
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/failover/other_manager.h"
#include "manager/failover/quorum.h"
#include "manager/failover/witness_lease.h"
#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"

namespace manager {

struct CandidateOptions {
  sail::Address listen;
  sail::WallKey key;
  std::shared_ptr<WitnessLease> lease;
  std::string witness;  // address of the witness, for people
  Claim claim;
  // The state folder was a standby's, which may have promised its manager not to rule.
  bool promised = false;
  // See ask_other(); vote: the term, or 0.
  std::function<OtherManager(uint64_t vote)> ask_other;
  // Stores the vote for this term in the state folder. Returns the claim of this manager from now
  // on; empty: it does not vote for this term.
  std::function<std::optional<Claim>(uint64_t term)> keep_vote;
};

class Candidate {
 public:
  struct Handlers {
    // One of the first two is called, once. Destroy this object soon after. voted_ns: the lease is
    // not held, but the other manager has voted, and was asked at this steady time.
    std::function<void(uint64_t term, std::optional<int64_t> voted_ns)> on_elected;
    std::function<void()> on_other;
    // Called once if the decision takes longer than a start usually does.
    std::function<void()> on_waiting;
  };
  // Starts to listen. kConflict: the port is in use.
  static sail::Result<std::unique_ptr<Candidate>> start(sail::Loop& loop, CandidateOptions options,
                                                        Handlers handlers, const sail::Log& log);

  sail::Address address() const { return service_.address(); }
  // Why this manager does not rule.
  std::string sentence() const;

 private:
  Candidate(sail::Loop& loop, CandidateOptions options, Handlers handlers, const sail::Log& log);
  void tick();
  // Says why this manager does not rule: when the reason changes, and every 10 s.
  void log_why(const WitnessLease::State& state, int64_t now_ns);
  void look_for_other(const WitnessLease::State& state, int64_t now_ns);
  bool is_promised(int64_t now_ns) const {
    return promised_ns_ && now_ns - *promised_ns_ < Quorum::kPromiseNs;
  }
  bool vote(uint64_t term);

  const CandidateOptions options_;
  Handlers handlers_;
  const sail::Log log_;
  const int64_t begun_ns_;
  Claim claim_;
  std::optional<int64_t> promised_ns_;  // the last promise not to rule
  int64_t looked_ns_;
  bool asked_vote_ = false;
  std::string logged_;
  int64_t logged_ns_ = 0;
  sail::RpcService service_;
  sail::Timer tick_;
};

}  // namespace manager
