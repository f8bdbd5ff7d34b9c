#include "manager/tours/tour_plan.h"

#include <fmt/core.h>

#include <limits>
#include <utility>

#include "manager/media/play_request.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

sail::Rect read_tour_area(sail::JsonFields& fields) {
  return fields.rect("area", sail::kMaxWindowOffset, sail::kMaxWindowSide);
}

constexpr int64_t kFarthestPlace{sail::kMaxCounter};

void read_places(sail::JsonFields& fields, TourOrder::State& order) {
  order.first = fields.integer("first", -kFarthestPlace, kFarthestPlace);
  order.after = fields.integer("after", -kFarthestPlace, kFarthestPlace);
  if (order.after < order.first) fields.mistake("after", "must not be before 'first'");
}

void read_playlist_plan(sail::JsonFields& fields, TourPlan& plan) {
  plan.playlist = fields.boolean_or("playlist", false);
  plan.course.loop = fields.boolean_or("loop", true);
  plan.course.shuffle = static_cast<uint64_t>(fields.integer_or("shuffle", 0, kFarthestPlace, 0));
  if (plan.playlist && plan.cells() != 1) fields.mistake("playlist", "must have one cell");
}

// The cell's place, window and source.
sail::Result<void> read_tour_cell(const sail::Json& value, SavedTour& tour) {
  constexpr int64_t kMostWindow = std::numeric_limits<uint32_t>::max();
  sail::JsonFields fields(value, "cell");
  TourOrder::Cell cell{.left = fields.boolean_or("left", false)};
  if (fields.has("shown")) {
    const auto last = static_cast<int64_t>(tour.plan.sources.size()) - 1;
    cell.shown = static_cast<size_t>(fields.integer("shown", 0, last));
  }
  tour.order.cells.push_back(cell);
  tour.cells.push_back(
      {.area = read_tour_area(fields),
       .window = static_cast<uint32_t>(fields.integer_or("window", 0, kMostWindow, 0))});
  if (auto error = fields.finish_open()) return *error;
  return {};
}

sail::Result<SavedTour> read_saved_tour(const sail::Json& value) {
  sail::JsonFields fields(value, "tour");
  SavedTour tour;
  tour.plan.name = fields.string("name", sail::kMaxNameLength);
  tour.plan.opener = fields.string_or("opener", sail::kMaxKeyName, "");
  tour.plan.area = read_tour_area(fields);
  read_tour_shape(fields, tour.plan);
  read_playlist_plan(fields, tour.plan);
  for (const sail::Json& item : fields.array("sources", kMostTourSources)) {
    auto source = read_playlist_item(item, "source");
    if (!source) return source.error();
    tour.plan.sources.push_back(*std::move(source));
  }
  if (tour.plan.sources.empty()) fields.mistake("sources", "must not be empty");
  read_places(fields, tour.order);
  tour.order.held = fields.boolean_or("held", false);
  for (const sail::Json& cell : fields.array("cells", kMostTourCells)) {
    if (auto read = read_tour_cell(cell, tour); !read) return read.error();
  }
  if (tour.cells.size() != tour.plan.cells()) fields.mistake("cells", "must fill the grid");
  if (auto error = fields.finish_open()) return *error;
  return tour;
}

}  // namespace

void read_tour_shape(sail::JsonFields& fields, TourPlan& plan) {
  constexpr auto kMostCells = static_cast<int64_t>(kMostTourCells);
  plan.columns = static_cast<int>(fields.integer_or("columns", 1, kMostCells, 1));
  plan.rows = static_cast<int>(fields.integer_or("rows", 1, kMostCells, 1));
  if (plan.cells() > kMostTourCells) {
    fields.mistake("rows", fmt::format("times 'columns' must be at most {} cells", kMostCells));
  }
  plan.every_ms = static_cast<int64_t>(
      1000 * fields.number_or("every_s", kMinTurnSeconds, kMaxTurnSeconds, 10));
}

sail::Json to_json(const SavedTour& tour) {
  sail::Json sources = sail::Json::array();
  for (const PlaylistItem& source : tour.plan.sources) sources.push_back(to_json(source));
  sail::Json cells = sail::Json::array();
  for (size_t i = 0; i < tour.cells.size(); ++i) {
    sail::Json cell = {{"area", sail::rect_json(tour.cells[i].area)},
                       {"window", tour.cells[i].window}};
    if (const auto& shown = tour.order.cells[i].shown) cell["shown"] = *shown;
    if (tour.order.cells[i].left) cell["left"] = true;
    cells.push_back(std::move(cell));
  }
  return {{"name", tour.plan.name},
          {"opener", tour.plan.opener},
          {"area", sail::rect_json(tour.plan.area)},
          {"columns", tour.plan.columns},
          {"rows", tour.plan.rows},
          {"every_s", static_cast<double>(tour.plan.every_ms) / 1000},
          {"playlist", tour.plan.playlist},
          {"loop", tour.plan.course.loop},
          {"shuffle", tour.plan.course.shuffle},
          {"sources", std::move(sources)},
          {"first", tour.order.first},
          {"after", tour.order.after},
          {"held", tour.order.held},
          {"cells", std::move(cells)}};
}

sail::Result<SavedTour> saved_tour_from_json(const sail::Json& value) {
  auto tour = read_saved_tour(value);
  if (tour) return tour;
  return sail::fail(sail::ErrorCode::kBadData,
                    "not the tour of a manager: " + tour.error().message);
}

}  // namespace manager
