// The tours of the wall, and playlists that play: windows go through many sources, and each source
// is open before its turn. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "manager/tours/tour.h"
#include "manager/tours/tour_plan.h"
#include "manager/tours/waiting_windows.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;
class Players;
class WallArchive;
class WindowExchange;

class Tours {
 public:
  // All must outlive this object. opening_ms: how long a source may take to have a picture. paused:
  // whether no turn may happen now.
  Tours(int64_t opening_ms, Desk& desk, Players& players, WallArchive& archive,
        WindowExchange& exchange, std::function<bool()> paused, const sail::Log& log);

  struct Beginning {
    size_t first = 0;     // Index of the first source.
    uint32_t window = 0;  // The first cell's first turn replaces this window; 0: none.
    // If the playlist plays already, it stays where it is, instead of the plan's area.
    bool stays = false;
  };
  // Starts a tour. Calls `started` after its first turn, with its object for clients. A playlist
  // that plays already begins again. kConflict: there is a tour of this name, or the window is
  // pinned. kLimit: too many tours, or too many sources together. kNotFound: no source can be
  // shown; the tour ends.
  using Started = std::function<void(const sail::Result<sail::Json>&)>;
  void start(TourPlan plan, Beginning beginning, Started started);
  // Ends the tour; its windows stay. kNotFound.
  sail::Result<void> stop(const std::string& name);
  enum class Action : uint8_t { kHold, kGo, kNext, kPrevious };
  // kNotFound.
  sail::Result<void> control(const std::string& name, Action action);
  // Returns the tours for clients.
  sail::Json json() const;
  // A sentence for each tour that skips sources.
  std::vector<std::string> troubles() const;

  // Returns the tours for the next manager; null: none.
  sail::Json saved() const;
  // Continues the tours of an earlier manager.
  void resume(const sail::Json& saved);
  void tick();

 private:
  struct Running {
    std::unique_ptr<Tour> tour;
    Started started{};  // Empty once called.
  };
  // again: the tour that the new one replaces, or null.
  sail::Result<void> may_start(const TourPlan& plan, const Running* again = nullptr) const;
  // Returns the playlist of the plan's name if it plays; else null.
  const Running* playing(const TourPlan& plan) const;
  sail::Result<void> check_window(uint32_t number) const;
  sail::Result<std::list<Running>::iterator> find(const std::string& name);
  // Answers the client once the first turn is over. Returns false if the tour ends.
  bool answer(Running& running);
  TourOrder::Timing timing_of(const TourPlan& plan) const;

  const int64_t opening_ms_;
  Desk& desk_;
  WallArchive& archive_;
  const std::function<bool()> paused_;
  sail::Log log_;
  WaitingWindows waiting_;
  std::list<Running> tours_;
};

}  // namespace manager
