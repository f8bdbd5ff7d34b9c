#include "manager/tours/tours.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/sessions/wall_archive.h"
#include "manager/sessions/window_exchange.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

int64_t tour_now_ms() {
  return sail::steady_now_ns() / sail::kMillisecondNs;
}

}  // namespace

Tours::Tours(int64_t opening_ms, Desk& desk, Players& players, WallArchive& archive,
             WindowExchange& exchange, std::function<bool()> paused, const sail::Log& log)
    : opening_ms_(opening_ms),
      desk_(desk),
      archive_(archive),
      paused_(std::move(paused)),
      log_(log),
      waiting_(opening_ms, desk, players) {
  archive.add_tours([this] { return saved(); });
  exchange.watch_numbers([this](uint32_t former, uint32_t number) {
    for (Running& running : tours_) running.tour->renumber(former, number);
  });
  desk.watch_closing([this](uint32_t window) {
    if (paused_()) return;
    for (Running& running : tours_) running.tour->closing(window);
  });
}

// --- what people ask

sail::Result<void> Tours::may_start(const TourPlan& plan, const Running* again) const {
  const auto has_name = [&](const Running& one) {
    return &one != again && one.tour->plan().name == plan.name;
  };
  if (std::ranges::any_of(tours_, has_name)) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("there is a tour '{}': stop it, or choose another name", plan.name));
  }
  if (tours_.size() >= kMostTours && again == nullptr) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("there are {} tours, the maximum: stop one", kMostTours));
  }
  size_t bytes = plan.bytes();
  for (const Running& running : tours_) {
    if (&running != again) bytes += running.tour->plan().bytes();
  }
  if (bytes <= kMostTourBytes) return {};
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the names of the sources of all tours have {} bytes, the maximum "
                                "is {}: use fewer sources, or stop a tour",
                                bytes, kMostTourBytes));
}

TourOrder::Timing Tours::timing_of(const TourPlan& plan) const {
  return {.every_ms = plan.every_ms, .opening_ms = opening_ms_};
}

const Tours::Running* Tours::playing(const TourPlan& plan) const {
  const auto found = std::ranges::find_if(tours_, [&](const Running& one) {
    return plan.playlist && one.tour->plan().playlist && one.tour->plan().name == plan.name;
  });
  return found == tours_.end() ? nullptr : &*found;
}

sail::Result<void> Tours::check_window(uint32_t number) const {
  const Window* window = desk_.windows().find(number);
  if (window == nullptr || !is_pinned(*window)) return {};
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("window {} is locked, maximised, frozen or being moved: end that "
                                "first",
                                number));
}

void Tours::start(TourPlan plan, Beginning beginning, Started started) {
  const Running* again = playing(plan);
  if (again != nullptr) {
    const TourCell& now = again->tour->first_cell();
    if (beginning.stays) plan.area = now.area;
    if (beginning.window == 0) beginning.window = now.window;
  }
  const auto may = check_window(beginning.window).and_then([&] { return may_start(plan, again); });
  if (!may) return started(may.error());
  if (again != nullptr) (void)stop(plan.name);
  std::vector<TourCell> cells;
  for (const sail::Rect& area : grid_cells(plan.area, plan.columns, plan.rows, desk_.tile_gaps())) {
    cells.push_back({.area = area});
  }
  cells.front().window = beginning.window;
  TourOrder order(plan.sources.size(), cells.size(), timing_of(plan), tour_now_ms(), plan.course,
                  static_cast<int64_t>(beginning.first));
  log_.info("tour '{}' of {} sources begins", plan.name, plan.sources.size());
  tours_.push_back(
      {std::make_unique<Tour>(std::move(plan), std::move(order), cells, desk_, waiting_),
       std::move(started)});
}

sail::Result<std::list<Tours::Running>::iterator> Tours::find(const std::string& name) {
  const auto found = std::ranges::find_if(
      tours_, [&](const Running& one) { return one.tour->plan().name == name; });
  if (found != tours_.end()) return found;
  return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no tour '{}'", name));
}

sail::Result<void> Tours::stop(const std::string& name) {
  const auto found = find(name);
  if (!found) return found.error();
  const Started started = (*found)->started;
  tours_.erase(*found);
  archive_.wall_changed();
  if (started) {
    started(sail::fail(sail::ErrorCode::kConflict,
                       fmt::format("the tour '{}' was stopped before its first turn", name)));
  }
  return {};
}

sail::Result<void> Tours::control(const std::string& name, Action action) {
  const auto found = find(name);
  if (!found) return found.error();
  TourOrder& order = (*found)->tour->order();
  if (action == Action::kHold || action == Action::kGo) {
    order.hold(action == Action::kHold, tour_now_ms());
  } else {
    order.step(action == Action::kPrevious, tour_now_ms());
  }
  archive_.wall_changed();
  return {};
}

sail::Json Tours::json() const {
  sail::Json list = sail::Json::array();
  for (const Running& running : tours_) list.push_back(running.tour->json());
  return list;
}

std::vector<std::string> Tours::troubles() const {
  std::vector<std::string> sentences;
  for (const Running& running : tours_) {
    std::string trouble = running.tour->trouble();
    if (!trouble.empty()) sentences.push_back(std::move(trouble));
  }
  return sentences;
}

// --- the next manager

sail::Json Tours::saved() const {
  if (tours_.empty()) return nullptr;
  sail::Json list = sail::Json::array();
  for (const Running& running : tours_) list.push_back(to_json(running.tour->saved()));
  return list;
}

void Tours::resume(const sail::Json& saved) {
  if (!saved.is_array()) return;
  for (const sail::Json& item : saved) {
    auto tour = saved_tour_from_json(item);
    if (!tour || !may_start(tour->plan)) {
      log_.error("cannot continue a tour of the former manager, whose windows stay: {}",
                 tour ? "there are too many tours" : tour.error().message);
      continue;
    }
    TourOrder order(tour->plan.sources.size(), tour->order, timing_of(tour->plan), tour_now_ms(),
                    tour->plan.course);
    tours_.push_back({std::make_unique<Tour>(std::move(tour->plan), std::move(order), tour->cells,
                                             desk_, waiting_)});
  }
}

// --- turns

void Tours::tick() {
  if (paused_()) return;
  const int64_t now_ms = tour_now_ms();
  waiting_.tick(now_ms);
  for (auto it = tours_.begin(); it != tours_.end();) {
    it->tour->tick(now_ms);
    const bool shows = answer(*it);
    if (shows && !it->tour->order().over()) {
      ++it;
      continue;
    }
    log_.info("tour '{}' ends", it->tour->plan().name);
    it = tours_.erase(it);
    archive_.wall_changed();
  }
}

bool Tours::answer(Running& running) {
  if (!running.started || running.tour->order().turns() == 0) return true;
  const Started started = std::exchange(running.started, nullptr);
  const auto& cells = running.tour->order().cells();
  if (std::ranges::any_of(cells, [](const auto& cell) { return cell.shown.has_value(); })) {
    started(running.tour->json());
    return true;
  }
  started(sail::fail(sail::ErrorCode::kNotFound,
                     fmt::format("no source can be shown: {}", running.tour->trouble())));
  return false;
}

}  // namespace manager
