// The undo history in the session "autosave", for the next manager. Comes from a file, so
// everything is checked. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "manager/wall/history.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

struct SavedHistory {
  std::vector<HistoryEntry> entries;  // Oldest first.
  size_t done = 0;                    // Number of entries that are not undone.
};

// Limit of the saved history; the oldest entries are left out.
constexpr size_t kMostSavedHistoryBytes = 1 << 20;
sail::Json to_json(const History& history);
// kBadData: damaged.
sail::Result<SavedHistory> saved_history_from_json(const sail::Json& value);

// Gives new numbers to all windows in the history: those of the map, or else numbers from `next`.
void renumber(SavedHistory& history, std::map<uint32_t, uint32_t> numbers,
              const std::function<uint32_t()>& next);

}  // namespace manager
