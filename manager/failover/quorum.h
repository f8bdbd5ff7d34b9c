// How long a manager with a witness may rule, and the term that the witness gives it. Pure; steady
// times are arguments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "sail/core/text/limits.h"

namespace manager {

// A manager with a witness rules only while the witness or the standby has lately confirmed it.
// Each confirmation is a promise for kPromiseNs: the witness gives the lease to nobody else, and
// the standby does not take over. The promise begins when the question arrives, so the manager
// counts from the time before it was asked.
class Quorum {
 public:
  static constexpr int64_t kPromiseNs = 3'000'000'000;
  // A tenth for clocks that drift, and for the time until the manager has stopped.
  static constexpr int64_t kMarginNs = kPromiseNs / 10;

  static constexpr bool lasts(int64_t asked_ns, int64_t now_ns) {
    return now_ns - asked_ns < kPromiseNs - kMarginNs;
  }
  void confirmed(int64_t asked_ns) {
    if (!asked_ns_ || asked_ns > *asked_ns_) asked_ns_ = asked_ns;
  }
  bool holds(int64_t now_ns) const { return asked_ns_ && lasts(*asked_ns_, now_ns); }

 private:
  std::optional<int64_t> asked_ns_;
};

// What the witness stores. Terms; 0: none.
struct WitnessTerms {
  uint64_t ruler = 0;  // term of the lease, while it lasts
  uint64_t last = 0;   // term of the last lease; never removed
};

// A manager's wish for the lease.
struct Claim {
  enum class Term : uint8_t {
    kNew,        // nobody had the term
    kResumed,    // this manager had the term before it ended; a later one is welcome
    kUnchanged,  // this manager rules with the term, and had the lease for it
    kVoted,      // this manager rules with the term by the other manager's vote
  };
  uint64_t term = 1;  // or a later one
  Term kind = Term::kNew;

  bool operator==(const Claim&) const = default;
};

// The term with which the manager may have the lease, which it does not have now; empty: it may
// not, because another manager has the lease or had it since, or because no later term is left. The
// lease of a manager's former process counts as the manager's own.
inline std::optional<uint64_t> claimable_term(const Claim& claim, const WitnessTerms& stored) {
  const bool known = claim.kind != Claim::Term::kNew;
  const bool rules = claim.kind == Claim::Term::kUnchanged || claim.kind == Claim::Term::kVoted;
  const bool former = known && claim.kind != Claim::Term::kUnchanged && stored.ruler == claim.term;
  if (stored.ruler != 0 && !former) return std::nullopt;
  if (known && stored.last <= claim.term) return claim.term;
  if (rules) return std::nullopt;
  const uint64_t term = std::max(claim.term, stored.last + 1);
  return term <= sail::kMaxCounter ? std::optional(term) : std::nullopt;
}

}  // namespace manager
