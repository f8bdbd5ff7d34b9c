// The history as the session "autosave" keeps it, for the manager that comes after this one. Read
// from a file, so everything is checked. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "manager/history.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace manager {

struct SavedHistory {
  std::vector<HistoryEntry> entries;  // oldest first
  size_t done = 0;                    // of them that are not undone
};

// The newest entries, as many as kMostSavedHistoryBytes have room for.
constexpr size_t kMostSavedHistoryBytes = 1 << 20;
sail::Json to_json(const History& history);
// kBadData when it is damaged.
sail::Result<SavedHistory> saved_history_from_json(const sail::Json& value);

// All windows that it knows have other numbers now: these, or (the others) what `next` gives.
void renumber(SavedHistory& history, std::map<uint32_t, uint32_t> numbers,
              const std::function<uint32_t()>& next);

}  // namespace manager
