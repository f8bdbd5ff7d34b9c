// Switches the wall, or an area of it, to a saved session in one swap. Windows that show the same
// content stay open and move. Missing windows open hidden; then the layout changes,
// and the windows that are no longer wanted close. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manager/desk/desk.h"
#include "manager/programs/process_restarter.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/base/geometry.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/json.h"

namespace manager {

class WallArchive;
class WindowExchange;

// Whether a window with this rectangle belongs to the area; no area: the whole wall.
bool has_centre_in(const std::optional<sail::Rect>& area, const sail::Rect& rect);

class SceneSwitch {
 public:
  // All must outlive this object. opening_ms: how long the next window may take to open.
  SceneSwitch(sail::Loop& loop, int64_t opening_ms, Desk& desk, Players& players,
              WallArchive& archive, WindowExchange& exchange, ChangeFeed& changes);

  struct Result {
    std::vector<uint32_t> kept;
    std::vector<uint32_t> started;
    std::vector<uint32_t> closed;
    std::vector<uint32_t> forced;  // Those of `closed` that were closed by force.
    std::vector<RestartResult::Failure> failed;
  };
  using Done = std::function<void(const sail::Result<Result>&)>;
  // A saved session.
  struct Saved {
    std::string name;
    std::optional<sail::Rect> area{};
    int fade_ms = 0;  // 0: a cut.
  };
  // Shows the session's windows whose centre is in the area, in place of the open windows whose
  // centre is there, as one step of the history. No area: all windows, and the partitions. Calls
  // done once, when the former windows are closed. kNotFound. kConflict: another step is in
  // progress, or a later show() came before the windows were open.
  void show(const Saved& saved, const Author& author, Done done);
  struct Preview {
    SavedWall wall;                // windows that would stay open have their number, the others 0
    std::vector<uint32_t> closed;  // windows that would close
  };
  // Returns what show() would do now, if all windows open. kNotFound.
  sail::Result<Preview> preview(const Saved& saved) const;
  struct Scene {
    std::string name;  // For people.
    // Windows keep their numbers if they are open; 0: any open window with the same content.
    SavedWall wall;
    std::optional<sail::Rect> area{};
    std::string note{};  // The history gets this note in place of a step, if it is not empty.
    int fade_ms = 0;
    // Called with the change of the layout, with the windows of the scene by their numbers now.
    // Only if there is a note.
    std::function<void(const std::vector<SavedWindow>& windows)> on_swap{};
  };
  void show(Scene scene, const Author& author, Done done);
  // Why show() is refused now (kConflict); empty: it is not.
  std::optional<sail::Error> obstacle() const;
  // These windows are hidden, and not closed, when a scene does not contain them.
  void keep_open(std::set<uint32_t> numbers) { keep_open_ = std::move(numbers); }
  // Returns the last switch for clients; null: there was none.
  sail::Json json() const;

 private:
  // A switch whose windows are opening.
  struct Pending {
    std::string name;
    std::optional<sail::Rect> area;
    std::string note;
    int fade_ms;
    std::function<void(const std::vector<SavedWindow>& windows)> on_swap;
    Author author;
    Done done;
    Partitions partitions;
    std::vector<SavedWindow> windows;  // Bottom to top. Open ones have their current numbers.
    std::vector<uint32_t> kept;
    std::vector<uint32_t> opened;
  };
  // A switch whose layout is about to be shown.
  struct Swapping {
    Result result;
    Done done;
    int64_t silent_ns = 0;  // Steady time when the sound of the former windows has faded.
  };
  sail::Result<SavedWall> load(const std::string& name) const;
  // Returns the windows of the scene on this wall, in the area.
  SavedWall fitted(SavedWall wall, const std::optional<sail::Rect>& area) const;
  // Returns the number of an open window in the area for each of the scene's; 0: none.
  std::vector<uint32_t> find_open(const std::vector<SavedWindow>& windows,
                                  const std::optional<sail::Rect>& area) const;
  // Returns the windows that must be opened.
  std::vector<SavedWindow> find_missing(Pending& scene);
  void window_opened(const SavedWindow& saved, uint32_t number);
  void await_opening();
  void drop(const sail::Error& why);
  void switch_now(std::vector<RestartResult::Failure> failed);
  // Returns the change that shows the scene, and sets kept, started, closed and failed.
  LayoutChange change_for(const Pending& scene, Result& result);
  // Applies the change. Adds the step to the history.
  void apply(const LayoutChange& wanted, const Pending& scene, const Result& result);
  // Films that opened hidden start.
  void start_films(const Pending& scene);
  void close_when_shown();
  void close(Swapping swapping);
  // Returns the open windows that may leave the wall or stay on it.
  std::vector<const Window*> windows_in(const std::optional<sail::Rect>& area) const;
  bool is_open(uint32_t number) const;
  std::vector<uint32_t> open_ones(const std::vector<uint32_t>& numbers) const;
  // Whether windows are opening or closing; other steps must wait.
  bool is_at_work() const { return pending_ || !changing_.empty(); }
  void set_changing(const std::vector<uint32_t>& numbers, bool on);

  const int64_t opening_ms_;
  Desk& desk_;
  const Players& players_;
  WallArchive& archive_;
  WindowExchange& exchange_;
  ChangeFeed& changes_;
  ProcessRestarter restarter_;
  std::shared_ptr<Pending> pending_;  // Null: none.
  std::vector<Swapping> swapping_;
  std::set<uint32_t> changing_;  // Windows that are not shown yet, or about to close.
  std::set<uint32_t> keep_open_;
  std::string name_;  // name of the last session; empty: none
  std::vector<RestartResult::Failure> failed_;
  sail::Timer opening_;
  sail::Timer shown_;
  int ticks_ = 0;  // ticks of the timer `shown_`
};

}  // namespace manager
