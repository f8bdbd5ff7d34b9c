#include "manager/failover/quorum.h"

#include <algorithm>

namespace manager {

std::optional<uint64_t> claimable_term(const Claim& claim, const WitnessTerms& stored) {
  const bool known = claim.kind != Claim::Term::kNew;
  if (stored.ruler != 0 && !(known && stored.ruler == claim.term)) return std::nullopt;
  if (known && stored.last <= claim.term) return claim.term;
  if (claim.kind == Claim::Term::kUnchanged) return std::nullopt;
  return std::max(claim.term, stored.last + 1);
}

}  // namespace manager
