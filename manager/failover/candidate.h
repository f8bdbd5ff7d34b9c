// A starting manager of a wall with a witness. It refuses all peers, with the reason, until the
// witness gives it the lease, or the other manager turns out to rule. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

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
  // Whether the other manager rules; may block for a second.
  std::function<bool()> other_rules;
};

class Candidate {
 public:
  struct Handlers {
    // One of the first two is called, once. Destroy this object soon after.
    std::function<void(uint64_t term)> on_elected;
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
  void look_for_other(int64_t now_ns);

  const CandidateOptions options_;
  Handlers handlers_;
  const sail::Log log_;
  const int64_t begun_ns_;
  int64_t looked_ns_;
  std::string logged_;
  int64_t logged_ns_ = 0;
  sail::RpcService service_;
  sail::Timer tick_;
};

}  // namespace manager
