// The rule of a manager with a witness: renews the quorum, and ends the manager before the quorum
// has ended. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manager/failover/quorum.h"
#include "manager/failover/witness_lease.h"
#include "sail/core/loop/loop.h"

namespace manager {

class JournalServer;

class Ruling {
 public:
  struct Handlers {
    std::function<void()> on_trouble;  // trouble() has changed
    // One of these is called, once: this manager must end at once. lost: neither the witness nor
    // the standby has confirmed it. outrun: the witness gave this later term to another manager.
    std::function<void()> on_lost;
    std::function<void(uint64_t term)> on_outrun;
  };
  // All must outlive this object. The lease is held, with this manager's term; or the other manager
  // has voted for it, and was asked at the steady time voted_ns.
  Ruling(sail::Loop& loop, std::shared_ptr<WitnessLease> lease, uint64_t term,
         std::optional<int64_t> voted_ns, JournalServer& journal_server, Handlers handlers);

  // Why the witness does not confirm this manager, as a sentence; empty: it does.
  const std::string& trouble() const { return trouble_; }

 private:
  void tick();
  void ask_standby(int64_t now_ns);

  const std::shared_ptr<WitnessLease> lease_;
  const uint64_t term_;
  JournalServer& journal_server_;
  const Handlers handlers_;
  Quorum quorum_;
  int64_t asked_standby_ns_ = 0;
  std::string trouble_;
  sail::Timer tick_;
};

}  // namespace manager
