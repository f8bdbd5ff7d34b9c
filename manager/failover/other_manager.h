// The wall's other manager: the terms that decide which of the two is active, and the contact with
// the other one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/auth/wall_key.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

// The term of a manager (sail/core/wire/standby.h), stored in its state folder. A manager that
// continues with the folder must not start with a lower term, and first asks the other manager
// whether that one is active. No file: term 1, and no other manager.
struct SavedTerm {
  uint64_t term = 1;
  // The folder was a standby's; its content comes from a manager of that term.
  bool followed = false;
  // "host:port" of the wall's other manager: the last standby, or the one followed; empty: none.
  std::string other{};
  // Changes that only this manager knew when the other one replaced it, as texts.
  std::vector<std::string> lost{};

  bool operator==(const SavedTerm&) const = default;
  // The term of a manager that starts with this folder.
  uint64_t next() const { return followed ? term + 1 : term; }
  // Whether the other manager may still run with an earlier term than a manager that starts with
  // this folder, which must then report its term. It also applies to a manager that took over: it
  // may have ended before the other one or any peer knew of it.
  bool outruns_other() const { return !other.empty() && next() > SavedTerm().term; }
  // Whether a manager of term `theirs`, if it runs, must be followed rather than replaced; also
  // whether a manager with this folder, which does not rule, may vote for that term (W5).
  bool is_fenced_by(uint64_t theirs) const { return theirs > term || (followed && theirs == term); }
};

// kBadData: the file is damaged. kIo: it cannot be read.
sail::Result<SavedTerm> load_term(const std::filesystem::path& state_folder);
// Like load_term(), at startup. Renames a file that it cannot use; the error says what that means
// and what to do.
sail::Result<SavedTerm> load_term_at_start(const std::filesystem::path& state_folder);
// Whether the folder has the file of the term.
bool keeps_term(const std::filesystem::path& state_folder);
sail::Result<void> save_term(const std::filesystem::path& state_folder, const SavedTerm& saved);

// What the wall's other manager, named in the state folder, answers to a manager that starts.
enum class OtherManager : uint8_t {
  kSilent,  // it does not answer, or neither rules nor votes
  kRules,   // it must be followed
  kVoted,   // it does not rule, and promises not to rule for Quorum::kPromiseNs
};
// vote: the term for which this manager asks the other one's vote; 0: none. Blocks for at most 1 s
// for the connection, and as long for the answer.
OtherManager ask_other(const SavedTerm& saved, uint64_t least_term, const sail::WallKey& key,
                       uint64_t vote = 0);

// The answer to the hello of a starting manager that asks this one's vote. `promise` is called if
// the peer may ask; it returns whether this manager gives its promise. Empty: no vote.
std::optional<sail::Json> answer_vote(const sail::ServicePeer& peer,
                                      const std::function<bool(uint64_t term)>& promise);

// Reports the new term to the replaced manager, should it return. Loop thread only.
class FencedPrimary {
 public:
  // term: this manager's term. on_fenced: the other manager's term is higher after all.
  FencedPrimary(sail::Loop& loop, const sail::Address& at, uint64_t term,
                std::function<void(uint64_t term)> on_fenced, const sail::Log& log);

 private:
  sail::ManagerLink link_;
};

// For a standby that will follow this manager: returns its wall with host names as seen from this
// host, and without its standby, which is this process. Blocks until the answer. kUnavailable: the
// manager does not answer, or is itself a standby.
sail::Result<sail::Wall> wall_of(const sail::Address& manager);

}  // namespace manager
