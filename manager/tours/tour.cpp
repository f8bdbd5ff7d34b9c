#include "manager/tours/tour.h"

#include <fmt/core.h>

#include <utility>

#include "manager/desk/desk.h"
#include "manager/media/media_facts.h"

namespace manager {
namespace {

constexpr size_t kMostDeadListed = 100;
constexpr int64_t kUntilItsEnd = int64_t{1} << 50;  // Milliseconds.

}  // namespace

bool is_pinned(const Window& window) {
  return window.locked || window.before_maximised || window.cover.frozen || window.holder;
}

Tour::Tour(TourPlan plan, TourOrder order, const std::vector<TourCell>& cells, Desk& desk,
           WaitingWindows& waiting)
    : plan_(std::move(plan)), order_(std::move(order)), desk_(desk), waiting_(waiting) {
  for (const TourCell& cell : cells) cells_.push_back({.at = cell});
}

Tour::~Tour() {
  for (Cell& cell : cells_) drop(cell);
}

void Tour::drop(Cell& cell) {
  if (cell.ticket != 0) waiting_.drop(std::exchange(cell.ticket, 0));
}

void Tour::tick(int64_t now_ms) {
  for (size_t i = 0; i < cells_.size(); ++i) {
    follow(i);
    check_next(i);
  }
  if (plan_.playlist) set_stay();
  order_.choose();
  for (size_t i = 0; i < cells_.size(); ++i) open_next(i);
  const uint64_t turns_before = order_.turns();
  const std::vector<size_t> turned = order_.turn(now_ms);
  const bool is_alone = turned.empty() && order_.turns() != turns_before && !order_.over();
  if (is_alone && plan_.playlist) play_again();
  if (turned.empty()) return;
  std::vector<WaitingWindows::Turn> turns;
  for (const size_t i : turned) {
    Cell& cell = cells_[i];
    turns.push_back({.ticket = std::exchange(cell.ticket, 0),
                     .former = cell.at.window,
                     .area = cell.at.area,
                     .sound = cell.sound});
  }
  const std::vector<uint32_t> numbers = waiting_.show(turns);
  for (size_t i = 0; i < turned.size(); ++i) cells_[turned[i]].at.window = numbers[i];
}

// The cell is where people put its window.
void Tour::follow(size_t cell) {
  Cell& of = cells_[cell];
  const Window* window = desk_.windows().find(of.at.window);
  if (window == nullptr) {
    if (of.at.window != 0) order_.lose(cell);
    of.at.window = 0;
    return;
  }
  // A scene is about to close it.
  const bool leaves = desk_.closes(window->number) || window->hidden;
  order_.pin(cell, leaves || is_pinned(*window));
  if (leaves) return;
  // Before the first turn, the cell may have a window at another place, which the turn replaces.
  if (order_.cells()[cell].shown) of.at.area = window->place;
  of.sound = window->sound;
}

int64_t Tour::stay_ms(Cell& cell, const PlaylistItem& shown) const {
  const Window* window = desk_.windows().find(cell.at.window);
  if (window == nullptr) return plan_.every_ms;
  const auto& playback = window->playback;
  const bool ended = playback && playback->ended;
  if (!ended) cell.again = false;
  if (ended && !cell.again) return 0;
  if (shown.stay_ms > 0) return shown.stay_ms;
  const bool ends = playback && !playback->live && playback->page == 0 && playback->duration_s > 0;
  return ends ? kUntilItsEnd : plan_.every_ms;
}

void Tour::set_stay() {
  const auto& shown = order_.cells().front().shown;
  if (shown) order_.stay(stay_ms(cells_.front(), plan_.sources[*shown]));
}

// No other item can be shown.
void Tour::play_again() {
  Cell& cell = cells_.front();
  const Window* window = desk_.windows().find(cell.at.window);
  if (window == nullptr || !window->playback || !window->playback->ended) return;
  cell.again = true;
  desk_.notify_application(*window, "resume");
}

void Tour::check_next(size_t cell) {
  Cell& of = cells_[cell];
  if (of.ticket == 0) return;
  if (order_.cells()[cell].next != of.source) return drop(of);
  const WaitingWindows::State state = waiting_.state(of.ticket);
  if (state.why.empty()) return order_.set_ready(cell, state.ready);
  order_.fail(cell, state.why);
  drop(of);
}

void Tour::open_next(size_t cell) {
  Cell& of = cells_[cell];
  const auto& next = order_.cells()[cell].next;
  if (of.ticket != 0 || !next) return;
  PlayRequest request;
  request.media = {plan_.sources[*next].medium};
  const bool has_end = plan_.playlist && !is_still(plan_.sources[*next].medium);
  request.at_end = has_end ? AtEnd::kHold : AtEnd::kLoop;
  request.opener = plan_.opener;
  request.place = of.at.area;
  of.ticket = waiting_.open(std::move(request));
  of.source = *next;
}

void Tour::closing(uint32_t window) {
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].at.window != window || !order_.cells()[i].shown) continue;
    cells_[i].at.window = 0;
    order_.leave(i);
  }
}

void Tour::renumber(uint32_t former, uint32_t number) {
  for (Cell& cell : cells_) {
    if (cell.at.window == former) cell.at.window = number;
  }
}

sail::Json Tour::json() const {
  sail::Json cells = sail::Json::array();
  for (size_t i = 0; i < cells_.size(); ++i) {
    const TourOrder::Cell& of = order_.cells()[i];
    if (of.left) continue;
    sail::Json cell = {{"rect", sail::rect_json(cells_[i].at.area)}};
    if (cells_[i].at.window != 0) cell["window"] = cells_[i].at.window;
    if (of.shown) cell["source"] = plan_.sources[*of.shown].text();
    if (of.next) cell["next"] = plan_.sources[*of.next].text();
    if (of.pinned) cell["pinned"] = true;
    cells.push_back(std::move(cell));
  }
  sail::Json failed = sail::Json::array();
  for (const auto& [source, why] : order_.dead()) {
    if (failed.size() == kMostDeadListed) break;
    failed.push_back({{"title", plan_.sources[source].text()}, {"why", why}});
  }
  sail::Json json = {{"name", plan_.name},
                     {"sources", plan_.sources.size()},
                     {"dead", order_.dead().size()},
                     {"failed", std::move(failed)},
                     {"every_s", static_cast<double>(plan_.every_ms) / 1000},
                     {"cells", std::move(cells)}};
  if (order_.held()) json["held"] = true;
  if (plan_.playlist) {
    json["playlist"] = true;
    json["loop"] = plan_.course.loop;
    json["shuffle"] = plan_.course.shuffle != 0;
    if (const auto& shown = order_.cells().front().shown) json["item"] = *shown + 1;
  }
  return json;
}

std::string Tour::trouble() const {
  if (order_.dead().empty()) return "";
  const auto& [source, why] = *order_.dead().begin();
  const size_t more = order_.dead().size() - 1;
  return fmt::format("the {} '{}' skips “{}”{}: {}", plan_.playlist ? "playlist" : "tour",
                     plan_.name, plan_.sources[source].text(),
                     more == 0 ? "" : fmt::format(" and {} more (`vitrail tour ls`)", more), why);
}

SavedTour Tour::saved() const {
  SavedTour saved{.plan = plan_, .order = order_.state(), .cells = {}};
  for (const Cell& cell : cells_) saved.cells.push_back(cell.at);
  return saved;
}

}  // namespace manager
