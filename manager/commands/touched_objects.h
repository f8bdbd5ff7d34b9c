// Checks the objects that one request is about, one after the other, and keeps the first refusal.
// The functions name what the request touches: an area touches the partitions that it overlaps, a
// window those of its rectangle, and the sources that it shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manager/rights/object_rights.h"
#include "manager/wall/history.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace manager {

class Desk;
class SourceLibrary;
struct SavedWall;
class WallArchive;

class TouchedObjects {
 public:
  // The rights, and the components that know the objects.
  struct Parts {
    const ObjectRights& rights;
    const Desk& desk;
    const WallArchive& archive;
    const SourceLibrary& library;
  };
  TouchedObjects(const Parts& parts, Asker asker);

  const std::optional<sail::Error>& refusal() const { return refusal_; }

  void partition(Act act, const std::string& name);
  // A tile or a partition, by its name; empty: the whole wall.
  void area(Act act, const std::string& name);
  void rect(Act act, const sail::Rect& rect);
  // The whole wall with all windows on it.
  void wall(Act act);
  // Touches nothing if there is no such window.
  void window(Act act, uint32_t number);
  // A source, by id, medium or title; or the sources of a pattern.
  void source(const std::string& name, Act act = Act::kDisplay);
  // What a saved session brings to the whole wall of this size: windows and partitions.
  void brings(const SavedWall& wall);
  void scene(Act act, const std::string& name);
  // Shows the scene in the tile or partition, or on the whole wall: touches what the scene brings,
  // and the windows that it replaces.
  void shown_scene(const std::string& name, const std::string& area_name);
  void shown_scene(const std::string& name, const sail::Rect& area, bool whole_wall = false);
  // The partitions that the layout brings back.
  void layout(const std::string& name);
  // The effects of undoing (back) or redoing the step.
  void step(const HistoryEntry& step, bool back);

 private:
  const Partitions& partitions() const;
  void take(const sail::Result<void>& checked);
  // of: a window or a PlayRequest.
  template <typename Content>
  void content(Act act, const Content& of);
  // A window that opens as it was saved.
  void opens(const SavedWindow& window);
  void order(const std::vector<uint32_t>& wanted);
  void changed_partitions(const Partitions& wanted);

  const Parts parts_;
  const Asker asker_;
  std::optional<sail::Error> refusal_;
};

}  // namespace manager
