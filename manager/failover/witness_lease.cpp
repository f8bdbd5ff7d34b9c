#include "manager/failover/witness_lease.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

constexpr int64_t kRenewNs = 1'000'000'000;
constexpr int64_t kWitnessPauseNs = 100'000'000;  // shortest pause between two rounds

// The slowest servers are fast enough: three requests for the lease, two to renew it; or two to
// renew it, one for a new token, and two to renew it. Only a token that etcd refuses takes longer.
static_assert(Quorum::lasts(0,
                            5 * EtcdClient::kTimeoutMs * sail::kMillisecondNs + kWitnessPauseNs));

}  // namespace

WitnessLease::WitnessLease(const sail::Witness& witness, const std::string& wall)
    : name_(witness.text()), client_(witness, wall), thread_([this] { run(); }) {}

WitnessLease::~WitnessLease() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    claim_.reset();
  }
  changed_.notify_one();
  thread_.join();
}

void WitnessLease::claim(const Claim& claim) {
  {
    const std::lock_guard lock(mutex_);
    if (claim_ == claim) return;
    claim_ = claim;
  }
  changed_.notify_one();
}

void WitnessLease::release() {
  {
    const std::lock_guard lock(mutex_);
    if (!claim_) return;
    claim_.reset();
    state_ = {};
  }
  changed_.notify_one();
}

WitnessLease::State WitnessLease::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void WitnessLease::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (!claim_) {
      lock.unlock();
      give_back();
      lock.lock();
      changed_.wait(lock, [this] { return claim_ || ending_; });
      if (!claim_) return;
    }
    const Claim claim = *claim_;
    lock.unlock();
    const auto known = client_.sign_in();
    const int64_t asked_ns = sail::steady_now_ns();
    const auto round = known ? try_once(claim) : sail::Result<Round>(known.error());
    // After an error, another server may answer before the lease ends.
    const int64_t soon_ns = sail::steady_now_ns() + kWitnessPauseNs;
    const int64_t next_ns = round ? std::max(asked_ns + kRenewNs, soon_ns) : soon_ns;
    lock.lock();
    if (claim_ != claim) continue;
    note(asked_ns, round);
    changed_.wait_for(lock, std::chrono::nanoseconds(next_ns - sail::steady_now_ns()),
                      [&] { return claim_ != claim; });
  }
}

sail::Result<WitnessLease::Round> WitnessLease::try_once(const Claim& claim) {
  constexpr int64_t kLifeS = Quorum::kPromiseNs / 1'000'000'000;
  if (!lease_.empty()) {
    const auto lives = client_.keep_alive(lease_);
    if (!lives) return lives.error();
    if (!*lives) lease_.clear();
  }
  if (lease_.empty()) {
    auto granted = client_.grant(kLifeS);
    if (!granted) return granted.error();
    lease_ = std::move(*granted);
  }
  const auto stored = client_.read();
  if (!stored) return stored.error();
  // A former request may have been obeyed although its answer was lost.
  if (stored->lease == lease_) return Round{.term = stored->terms.ruler};
  const auto term = claimable_term(claim, stored->terms);
  if (!term && stored->terms.ruler == 0 && stored->terms.last >= sail::kMaxCounter) {
    return sail::fail(
        sail::ErrorCode::kBadData,
        fmt::format("the key {}term holds the greatest term, so no later one is left: give the "
                    "wall a prefix of its own",
                    client_.prefix()));
  }
  if (!term) return Round{.other = std::max(stored->terms.ruler, stored->terms.last)};
  const auto put = client_.put(*term, lease_, *stored);
  if (!put) return put.error();
  return *put ? Round{.term = *term} : Round{};
}

void WitnessLease::note(int64_t asked_ns, const sail::Result<Round>& round) {
  if (!round) {
    // Each server of the cluster may have another reason: only the first server's is reported.
    const size_t server = client_.failed_server();
    if (!state_.trouble.empty() && server != trouble_server_) return;
    trouble_server_ = server;
    const bool away = round.error().code == sail::ErrorCode::kUnavailable;
    state_.trouble =
        fmt::format("the witness {} {}: {}", name_, away ? "does not answer" : "cannot be used",
                    round.error().message);
    return;
  }
  state_.trouble.clear();
  state_.other_term = round->other;
  state_.term = round->term;
  state_.asked_ns = round->term == 0 ? std::nullopt : std::optional(asked_ns);
}

void WitnessLease::give_back() {
  // If this fails, the lease ends after its life.
  if (!lease_.empty()) (void)client_.revoke(lease_);
  lease_.clear();
}

}  // namespace manager
