// A saved wall: a layout (the positions of windows) or a session (also what plays in them, to
// restart it). Comes from files, so everything is checked. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "manager/wall/history.h"
#include "manager/wall/partitions.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

constexpr size_t kMostTours = 8;

struct SavedWall {
  int64_t saved_at_s = 0;  // Seconds since 1970.
  sail::Size wall_size;
  std::vector<SavedWindow> windows;  // Bottom to top.
  Partitions partitions;
  // Saved at shutdown: the windows' programs ended as well, so none will reconnect.
  bool ended = false;
  Drawing drawing{};                       // On the wall. Only in the autosave.
  std::optional<WallSwitches> switches{};  // Only in the autosave.
  sail::Json history{};                    // Only in the autosave: see SavedHistory; or null.
  sail::Json events{};                     // Only in the autosave: see EventScenes; or null.
  sail::Json tours{};                      // Only in the autosave: see Tours; or null.
  std::deque<uint64_t> refused{};          // Only in the autosave: see Desk::refused().
};

enum class SavedKind { kLayout, kSession };
const char* saved_kind_name(SavedKind kind);

// A layout leaves out the content of windows.
sail::Json to_json(const SavedWall& wall, SavedKind kind);
// kBadData: damaged, of another kind, or of a newer version.
sail::Result<SavedWall> saved_wall_from_json(const sail::Json& document, SavedKind kind);
// Whether a newer version of Vitrail wrote the document.
bool is_newer(const sail::Json& document);

// Parts that the saved history uses as well.
sail::Json to_json(const WindowPlacement& placement);
sail::Json to_json(const SavedWindow& window, SavedKind kind);
sail::Json to_json(const Partitions& partitions);
// Adds "drawing", unless nothing is drawn.
void add_drawing(sail::Json& object, const Drawing& drawing);
Drawing read_drawing(sail::JsonFields& of_object);
WindowPlacement read_placement(sail::JsonFields& fields);
sail::Result<SavedWindow> saved_window_from_json(const sail::Json& value, std::string where);
sail::Result<Partitions> read_partitions(sail::JsonFields& fields, sail::Size wall_size);

// Scales windows and partitions to a wall of that size.
SavedWall on_wall_of(SavedWall wall, sail::Size wall_size);

// The undo history in the session "autosave", for the next manager. Comes from a file, so
// everything is checked. Pure.
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
