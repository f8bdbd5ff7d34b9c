#include "manager/tours/tour_order.h"

#include <algorithm>

namespace manager {

TourOrder::TourOrder(size_t sources, size_t cells, Timing timing, int64_t now_ms, TourCourse course,
                     int64_t first)
    : sources_(sources),
      rounds_(sources, course),
      timing_(timing),
      cells_(cells),
      first_(first),
      after_(first),
      plan_(first),
      stay_ms_(timing.every_ms),
      due_ms_(now_ms) {}

TourOrder::TourOrder(size_t sources, const State& state, Timing timing, int64_t now_ms,
                     TourCourse course)
    : sources_(sources),
      rounds_(sources, course),
      timing_(timing),
      cells_(state.cells),
      first_(state.first),
      after_(state.after),
      plan_(state.after),
      held_(state.held),
      stay_ms_(timing.every_ms),
      due_ms_(now_ms),
      turns_(1) {
  if (std::ranges::any_of(cells_, [](const Cell& cell) { return cell.shown.has_value(); })) {
    due_ms_ += timing_.every_ms;
  }
}

TourOrder::State TourOrder::state() const {
  State state{.first = first_, .after = after_, .held = held_};
  for (const Cell& cell : cells_) state.cells.push_back({.shown = cell.shown, .left = cell.left});
  return state;
}

bool TourOrder::over() const {
  return finished_ || std::ranges::all_of(cells_, &Cell::left);
}

// --- the next sources

bool TourOrder::in_use(size_t source) const {
  return std::ranges::any_of(cells_, [source](const Cell& cell) {
    return !cell.left && (cell.shown == source || cell.next == source);
  });
}

// Many dead sources must not start many programs. The first turn may try them all.
bool TourOrder::may_try_more() const {
  return turns_ == 0 || failed_.size() < 2 * cells_.size();
}

std::optional<size_t> TourOrder::take() {
  int64_t place = plan_;
  for (size_t tried = 0; tried < sources_; ++tried) {
    const auto source = rounds_.source_at(back_ ? place - 1 : place);
    if (!source) return std::nullopt;
    place += back_ ? -1 : 1;
    if (in_use(*source) || failed_.contains(*source)) continue;
    plan_ = place;
    return source;
  }
  return std::nullopt;
}

// Cells whose picture is the oldest come first, so that all change in turn if there are fewer than
// two sources per cell.
void TourOrder::choose() {
  std::vector<size_t> free;
  for (size_t i = 0; i < cells_.size(); ++i) {
    const Cell& cell = cells_[i];
    if (!cell.left && !cell.pinned && !cell.next) free.push_back(i);
  }
  std::ranges::stable_sort(free, {}, [this](size_t i) { return cells_[i].since; });
  if (back_) std::ranges::reverse(free);
  for (const size_t i : free) {
    if (may_try_more()) cells_[i].next = take();
    if (!cells_[i].next) return;
  }
}

void TourOrder::set_ready(size_t cell, bool ready) {
  cells_[cell].ready = ready;
  if (ready) dead_.erase(*cells_[cell].next);
}

void TourOrder::fail(size_t cell, const std::string& why) {
  Cell& of = cells_[cell];
  if (!of.next) return;
  dead_[*of.next] = why;
  failed_.insert(*of.next);
  of.next.reset();
  of.ready = false;
}

void TourOrder::drop_next() {
  for (Cell& cell : cells_) {
    cell.next.reset();
    cell.ready = false;
  }
}

// --- turns

std::vector<size_t> TourOrder::turn(int64_t now_ms) {
  if (now_ms < due_ms_ || (held_ && !asked_)) return {};
  const int64_t patience_ms =
      turns_ == 0 ? timing_.opening_ms : std::min(timing_.every_ms, timing_.opening_ms);
  const bool any_opening =
      std::ranges::any_of(cells_, [](const Cell& cell) { return cell.next && !cell.ready; });
  const bool any_ready = std::ranges::any_of(cells_, &Cell::ready);
  if (any_opening && (!any_ready || now_ms < due_ms_ + patience_ms)) return {};

  ++turns_;
  std::vector<size_t> turned;
  for (size_t i = 0; i < cells_.size(); ++i) {
    Cell& cell = cells_[i];
    if (!cell.ready) continue;
    cell.shown = cell.next;
    cell.next.reset();
    cell.ready = false;
    cell.since = turns_;
    turned.push_back(i);
  }
  if (!turned.empty()) {
    const int64_t from = back_ ? first_ : after_;
    first_ = back_ ? plan_ : from;
    after_ = back_ ? from : plan_;
  } else if (!back_) {
    finished_ = !rounds_.source_at(plan_);
  }
  if (back_) {
    drop_next();
    plan_ = after_;
  }
  back_ = asked_ = false;
  failed_.clear();
  stay_ms_ = timing_.every_ms;
  due_ms_ = now_ms + stay_ms_;
  return turned;
}

void TourOrder::stay(int64_t ms) {
  if (asked_) return;
  due_ms_ += ms - stay_ms_;
  stay_ms_ = ms;
}

// --- what people do

void TourOrder::pin(size_t cell, bool on) {
  Cell& of = cells_[cell];
  of.pinned = on;
  if (!on) return;
  of.next.reset();
  of.ready = false;
}

void TourOrder::lose(size_t cell) {
  cells_[cell] = {.next = cells_[cell].next, .ready = cells_[cell].ready};
}

void TourOrder::leave(size_t cell) {
  cells_[cell] = {.left = true};
}

void TourOrder::hold(bool on, int64_t now_ms) {
  if (held_ == on) return;
  held_ = on;
  if (!on) due_ms_ = now_ms + stay_ms_;
}

void TourOrder::step(bool back, int64_t now_ms) {
  asked_ = true;
  due_ms_ = std::min(due_ms_, now_ms);
  if (back == back_) return;
  back_ = back;
  drop_next();
  plan_ = back ? first_ : after_;
}

}  // namespace manager
