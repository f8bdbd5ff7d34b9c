// The term of a manager (sail/wire/standby.h), in its state folder: whoever goes on with the folder
// must not begin with a lower one. There is no file where no manager has ever taken over.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sail/base/result.h"

namespace manager {

struct SavedTerm {
  uint64_t term = 1;
  // The folder was a standby's, and what is there is of a manager of that term.
  bool followed = false;

  // With which a manager begins that goes on with the folder.
  uint64_t next() const { return followed ? term + 1 : term; }
};

// kBadData: the file is damaged.
sail::Result<SavedTerm> load_term(const std::filesystem::path& state_folder);
sail::Result<void> save_term(const std::filesystem::path& state_folder, const SavedTerm& saved);

}  // namespace manager
