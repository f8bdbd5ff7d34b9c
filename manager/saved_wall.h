// A wall as it was: a layout (where windows stand) or a session (and what plays in them, to have it
// again). Read from files, so everything is checked. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/partitions.h"
#include "manager/saved_window.h"
#include "manager/window_stack.h"
#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace manager {

struct SavedWall {
  int64_t saved_at_s = 0;  // since 1970
  sail::Size wall_size;
  std::vector<SavedWindow> windows;  // bottom to top
  Partitions partitions;
  // The manager was ending, and its windows' programs with it: none of them is left to come back.
  bool ended = false;
  sail::Json history{};  // of the autosave: see saved_history.h; or null
};

enum class SavedKind { kLayout, kSession };
const char* saved_kind_name(SavedKind kind);

// A layout is told without what plays in its windows.
sail::Json to_json(const SavedWall& wall, SavedKind kind);
// kBadData when it is damaged, of another kind, or of a later version.
sail::Result<SavedWall> saved_wall_from_json(const sail::Json& document, SavedKind kind);
// Whether a newer version of Vitrail wrote it.
bool is_newer(const sail::Json& document);

// The parts of it that the saved history has as well.
sail::Json to_json(const Standing& standing);
sail::Json to_json(const SavedWindow& window, SavedKind kind);
sail::Json to_json(const Partitions& partitions);
Standing read_standing(sail::JsonFields& fields);
sail::Result<SavedWindow> saved_window_from_json(const sail::Json& value, std::string where);
sail::Result<Partitions> read_partitions(sail::JsonFields& fields, sail::Size wall_size);

// Its windows and partitions as they would stand on a wall of that size.
SavedWall on_wall_of(SavedWall wall, sail::Size wall_size);

// Which window of the stack is which saved one: by number with the same title, then by title, then
// in the order of opening. One for each saved window: its number now, 0 when none is left for it.
std::vector<uint32_t> match_windows(const std::vector<SavedWindow>& saved,
                                    const WindowStack& windows);

}  // namespace manager
