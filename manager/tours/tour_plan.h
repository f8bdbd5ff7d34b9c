// A tour as a person requested it, and its form in the session "autosave". Comes from files, so
// everything is checked. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "manager/media/playlists.h"
#include "manager/tours/tour_order.h"
#include "manager/tours/tour_rounds.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

constexpr size_t kMostTourSources = 1000;
constexpr size_t kMostTourCells = 64;
constexpr size_t kMostTourBytes = kMostItemBytes;  // bytes of the sources' names in all tours

struct TourPlan {
  std::string name;
  PlaylistItems sources;
  int columns = 1;
  int rows = 1;
  int64_t every_ms = 10'000;
  // In the only cell, films play to their end, and each source stays for its own time.
  bool playlist = false;
  TourCourse course{};
  sail::Rect area{};     // On the wall.
  std::string opener{};  // Name of the key that opens its windows.

  size_t cells() const { return static_cast<size_t>(columns) * static_cast<size_t>(rows); }
  size_t bytes() const { return bytes_of(sources); }
};

// Reads "columns" and "rows", whose product is at most kMostTourCells, and "every_s".
void read_tour_shape(sail::JsonFields& fields, TourPlan& plan);

// A cell's place, which people may have changed.
struct TourCell {
  sail::Rect area{};
  uint32_t window = 0;  // 0: none.
};
struct SavedTour {
  TourPlan plan;
  TourOrder::State order;
  std::vector<TourCell> cells;
};
sail::Json to_json(const SavedTour& tour);
// kBadData: damaged.
sail::Result<SavedTour> saved_tour_from_json(const sail::Json& value);

}  // namespace manager
