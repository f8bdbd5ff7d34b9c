// What people have concealed (blank, frozen) while an event is shown. The event uncovers what it
// shows; all else that is concealed stays so, and afterwards everything is concealed as before.
// Runs on the loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "manager/sessions/saved_wall.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;

// Prepares a wall for the actions of events. In it, WindowPlacement::hidden says for each
// window: false: an event shows it; true: it is under `blanks`, so it is hidden while they are
// uncovered; empty: it stays as it is. of_event: an event shows the windows without a number,
// those of its scene. Pure.
void hide_concealed(const WallSwitches& blanks, bool of_event, SavedWall& shown);
// Leaves out the windows that are hidden during the event, and returns what it uncovers. Pure.
WallSwitches uncovered(WallSwitches blanks, SavedWall& shown);

class EventCovers {
 public:
  // desk must outlive this object.
  explicit EventCovers(Desk& desk) : desk_(desk) {}

  // All blanks, as they would be without events.
  WallSwitches blanks() const;
  // The blanks that are not shown.
  WallSwitches uncovered_blanks() const { return blanks_.value_or(WallSwitches()); }
  // Called with the layout of an event: uncovers these blanks and the windows that it shows, which
  // are now open. What people have blanked while they opened stays blank.
  void uncover(const WallSwitches& lifted, const std::vector<SavedWindow>& windows);
  // Called with a layout without events: everything is blank again.
  void restore();
  // Called when receivers have shown that layout. They have no picture of a window that was not on
  // the wall, so windows freeze again only then.
  void freeze_again();

  void renumber(uint32_t former, uint32_t number);
  // Adds "covers" for the next manager, unless nothing is uncovered.
  void add_to(sail::Json& events) const;
  // kBadData: damaged.
  sail::Result<void> resume(const sail::Json& saved);

 private:
  // How people have covered the window, also if it is uncovered now.
  WindowCover full_cover(const Window& window) const;
  void set(uint32_t number, const WindowCover& full, const WindowCover& now);
  // Receivers forget the pictures of hidden windows.
  void thaw_hidden();
  // Hides curtains whose place is not blank, and shows them when their place is blank again.
  void hide_curtains();

  Desk& desk_;
  std::optional<WallSwitches> blanks_;      // Uncovered; empty: nothing.
  std::map<uint32_t, SavedWindow> covers_;  // Windows that are uncovered, with their covers.
};

}  // namespace manager
