#include "manager/failover/ruling.h"

#include <utility>

#include "manager/failover/journal_server.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kQuorumCheckMs = 50;
constexpr int64_t kAskStandbyNs = 500'000'000;

}  // namespace

Ruling::Ruling(sail::Loop& loop, std::shared_ptr<WitnessLease> lease, uint64_t term,
               std::optional<int64_t> voted_ns, JournalServer& journal_server, Handlers handlers)
    : lease_(std::move(lease)),
      term_(term),
      journal_server_(journal_server),
      handlers_(std::move(handlers)),
      tick_(loop) {
  using Term = Claim::Term;
  lease_->claim({.term = term_, .kind = voted_ns ? Term::kVoted : Term::kUnchanged});
  if (voted_ns) quorum_.confirmed(*voted_ns);
  tick_.start(0, kQuorumCheckMs, [this] { tick(); });
}

void Ruling::tick() {
  // The wall ends, and so does the standby.
  if (journal_server_.is_shutting_down()) return;
  const int64_t now_ns = sail::steady_now_ns();
  const WitnessLease::State state = lease_->state();
  if (state.asked_ns) {
    quorum_.confirmed(*state.asked_ns);
    lease_->claim({.term = term_, .kind = Claim::Term::kUnchanged});
  }
  if (state.trouble != trouble_) {
    trouble_ = state.trouble;
    handlers_.on_trouble();
  }
  ask_standby(now_ns);
  // A manager with a copy of the state folder has the same term.
  if (state.other_term >= term_) {
    tick_.stop();
    return handlers_.on_outrun(state.other_term);
  }
  if (quorum_.holds(now_ns)) return;
  tick_.stop();
  handlers_.on_lost();
}

void Ruling::ask_standby(int64_t now_ns) {
  if (now_ns - asked_standby_ns_ < kAskStandbyNs) return;
  asked_standby_ns_ = now_ns;
  journal_server_.ask_standby([this, now_ns] { quorum_.confirmed(now_ns); });
}

}  // namespace manager
