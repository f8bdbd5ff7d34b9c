// The term of a manager (sail/wire/standby.h), in its state folder: whoever goes on with the folder
// must not begin with a lower one, and asks the other manager whether it rules. There is no file
// where nobody ever stood by.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "sail/base/log.h"
#include "sail/base/result.h"

namespace manager {

struct SavedTerm {
  uint64_t term = 1;
  // The folder was a standby's, and what is there is of a manager of that term.
  bool followed = false;
  // "host:port" of the other manager of the wall, that stood by last or was followed; empty: there
  // was none.
  std::string other{};

  bool operator==(const SavedTerm&) const = default;
  // With which a manager begins that goes on with the folder.
  uint64_t next() const { return followed ? term + 1 : term; }
  // Whether a manager of that term, if it is there, is to be followed rather than replaced.
  bool is_outrun_by(uint64_t theirs) const { return theirs > term || (followed && theirs == term); }
};

// kBadData: the file is damaged.
sail::Result<SavedTerm> load_term(const std::filesystem::path& state_folder);
// The same at a start. Nothing: the file is damaged, it is set aside, and the log says so.
std::optional<SavedTerm> load_term_at_start(const std::filesystem::path& state_folder,
                                            const sail::Log& log);
sail::Result<void> save_term(const std::filesystem::path& state_folder, const SavedTerm& saved);

}  // namespace manager
