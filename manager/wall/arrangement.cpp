#include "manager/wall/arrangement.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "manager/wall/arrange.h"

namespace manager {
namespace {

// Whether both sizes fill the rectangle alike, to a pixel.
bool alike(sail::Size one, sail::Size other, const sail::Rect& rect) {
  const sail::Rect of_one = fit_into(one, rect);
  const sail::Rect of_other = fit_into(other, rect);
  return std::abs(of_one.width - of_other.width) <= 1 &&
         std::abs(of_one.height - of_other.height) <= 1;
}

}  // namespace

History& Arrangement::history() {
  touched_.history = true;
  return history_;
}

void Arrangement::set(const WallSwitches& switches) {
  if (switches == switches_) return;
  touched_.switches = true;
  if (switches.blank != switches_.blank || switches.blank_text != switches_.blank_text ||
      switches.blank_areas != switches_.blank_areas) {
    touched_.layout = true;
  }
  switches_ = switches;
}

bool Arrangement::silenced(const Window& window) const {
  const WindowCover& cover = window.cover;
  if (window.hidden || switches_.blank || cover.blank || (cover.frozen && cover.mute)) return true;
  return std::ranges::any_of(switches_.blank_areas, [&](const BlankArea& area) {
    return sail::intersect(area.wall_rect, window.wall_rect) == window.wall_rect;
  });
}

bool Arrangement::is_blank(const Decoration& curtain) const {
  if (curtain.blank_window != 0) {
    const Window* window = windows_.find(curtain.blank_window);
    return window != nullptr && window->cover.blank && !window->hidden;
  }
  if (curtain.blank_area.empty()) return switches_.blank;
  return std::ranges::any_of(switches_.blank_areas, [&](const BlankArea& area) {
    return area.wall_rect == curtain.blank_area;
  });
}

std::vector<sail::SceneBlank> Arrangement::blanks() const {
  std::vector<sail::SceneBlank> blanks;
  if (switches_.blank) {
    if (switches_.blank_text.empty()) return blanks;
    return {
        {.wall_rect = {0, 0, wall_size_.width, wall_size_.height}, .text = switches_.blank_text}};
  }
  // Areas cover texts of windows. Of too many, texts are missing: their windows are black, too.
  const size_t areas = std::min(switches_.blank_areas.size(), sail::kMaxBlanks);
  for (const Window& window : windows_.bottom_to_top()) {
    if (window.hidden || !window.cover.blank || window.cover.blank->empty()) continue;
    if (blanks.size() + areas == sail::kMaxBlanks) break;
    blanks.push_back({.wall_rect = window.wall_rect, .text = *window.cover.blank});
  }
  for (const BlankArea& area : std::span(switches_.blank_areas).first(areas)) {
    const bool black = std::ranges::none_of(windows_.bottom_to_top(), [&](const Window& window) {
      return window.is_curtain() && window.content->decoration->blank_area == area.wall_rect &&
             !window.hidden && !window.blended();
    });
    blanks.push_back({.wall_rect = area.wall_rect, .black = black, .text = area.text});
  }
  return blanks;
}

sail::Result<const Window*> Arrangement::open(Window window) {
  if (window.place.empty()) window.place = window.wall_rect;
  find_partition(window);
  const auto opened = windows_.open(std::move(window));
  if (!opened) return opened.error();
  touched_.windows.push_back((*opened)->number);
  touched_.streams.push_back((*opened)->number);
  touched_.order = touched_.layout = true;
  return *opened;
}

const Window& Arrangement::replace(uint32_t number, Window window) {
  const Window& former = *windows_.find(number);
  if (former.decorates()) {
    if (!window.content) window.content = former.content;
    window.content->decoration = former.content->decoration;
  }
  window.look = sail::fitted_view_transform(former.look, former.frame_size, window.frame_size);
  WindowPlacement placement = former.placement();
  if (former.filled() && former.wall_rect == former.place) {
    window.look.crop = {};
    window.look = window.filling(former.place);
    placement.shape = window.shown_size(window.look);  // Fills the place up to the crop's rounding.
  }
  placement.look = window.look;
  window.apply(fitted(window, placement));
  window.changed_by = former.changed_by;
  window.holder = former.holder;
  window.cover = former.cover;
  window.hidden = former.hidden;
  window.unsaved = former.unsaved;
  find_partition(window);
  touched_.windows.push_back(number);
  touched_.streams.push_back(number);
  touched_.layout = true;
  return *windows_.replace(number, std::move(window));
}

void Arrangement::set_owner(uint32_t number, uint32_t stream, uint64_t owner) {
  Window& window = *windows_.find(number);
  if (WindowPart* part = window.part(stream)) part->owner = owner;
  if (stream == window.stream) window.owner = owner;
  if (window.lost) touched_.layout = true;
  window.lost.reset();
  touched_.windows.push_back(number);
  touched_.streams.push_back(number);
}

void Arrangement::replace_part(uint32_t number, size_t rank, WindowPart part) {
  windows_.replace_part(number, rank, std::move(part));
  touched_.windows.push_back(number);
  if (rank == 0) touched_.streams.push_back(number);
  touched_.layout = true;
}

void Arrangement::lose_parts(uint32_t number, uint64_t owner, int64_t since_s) {
  for (WindowPart& part : windows_.find(number)->parts) {
    if (part.owner != owner) continue;
    if (!part.absent()) part.since_s = since_s;
    part.owner = 0;
  }
  touched_.windows.push_back(number);
  touched_.layout = true;
}

bool Arrangement::set_silent(uint32_t number, size_t rank, bool silent, int64_t since_s) {
  Window& window = *windows_.find(number);
  WindowPart& part = window.parts[rank];
  if (!part.absent()) part.since_s = since_s;
  if (std::exchange(part.silent, silent) == silent) return false;
  touched_.windows.push_back(number);
  if (window.absent == sail::AbsentPart::kDark) touched_.layout = true;
  return true;
}

void Arrangement::set_lost(uint32_t number, LostProgram lost) {
  Window& window = *windows_.find(number);
  if (!window.lost) touched_.layout = true;
  window.owner = 0;
  window.lost = std::move(lost);
  window.stats.reset();
  touched_.windows.push_back(number);
}

void Arrangement::remove(uint32_t number) {
  windows_.remove(number);
  touched_.removed.push_back(number);
  touched_.layout = true;
}

void Arrangement::lose(uint32_t number) {
  const Window& window = *windows_.find(number);
  const bool ended = window.playback && window.playback->ended;
  if (history_.forget(number) || window.content) {
    if (!ended) history_.note({}, fmt::format("'{}' left the wall", window.title));
    touched_.history = true;
  }
  remove(number);
}

void Arrangement::set_playback(uint32_t number, const sail::Playback& playback) {
  Window& window = *windows_.find(number);
  const bool ends = window.playback && !window.playback->ended && playback.ended;
  // Dimming starts or ends.
  if (window.no_signal() != playback.no_signal()) touched_.layout = true;
  // People set the volume before the application could tell its own.
  const bool set_before =
      (!window.playback || !window.playback->volume) && window.sound.volume != WindowSound().volume;
  window.playback = playback;
  // Until the application confirms the volume set here, that volume wins over the reported one.
  if (playback.volume && window.volume_sent) {
    if (playback.volume == window.volume_sent) window.volume_sent.reset();
  } else if (const double audible = this->audible_volume(window);
             playback.volume && *playback.volume != audible && !set_before) {
    const double master = switches_.sound.audible();
    if (!window.sound.muted && master > 0 && !silenced(window)) {
      window.sound.volume = std::min(*playback.volume / master, 1.0);
    }
  }
  touched_.windows.push_back(number);
  if (ends) history().note({}, fmt::format("'{}' has ended", window.title));
}

void Arrangement::set_group(uint32_t number, const std::string& name) {
  windows_.find(number)->group = name;
  touched_.windows.push_back(number);
}

void Arrangement::set_author(uint32_t number, const Author& author) {
  windows_.find(number)->changed_by = author.name;
  touched_.windows.push_back(number);
}

void Arrangement::set_cover(uint32_t number, const WindowCover& cover) {
  Window& window = *windows_.find(number);
  if (window.cover == cover) return;
  window.cover = cover;
  touched_.windows.push_back(number);
  touched_.layout = true;
}

void Arrangement::set_driver(uint32_t number, std::optional<Driver> driver) {
  Window* window = windows_.find(number);
  if (window == nullptr) return;
  window->driver = std::move(driver);
  touched_.windows.push_back(number);
}

void Arrangement::set_unsaved(uint32_t number, bool unsaved) {
  Window* window = windows_.find(number);
  if (window == nullptr || window->unsaved == unsaved) return;
  window->unsaved = unsaved;
  touched_.windows.push_back(number);
}

WindowPlacement Arrangement::fitted(const Window& window, WindowPlacement placement) const {
  const sail::Size former = placement.shape;
  const sail::Size shown = window.shown_size(placement.look.value_or(window.look));
  placement.shape = shown;
  if (former == sail::Size() || shown == sail::Size() || alike(former, shown, placement.wall_rect))
    return placement;
  std::optional<sail::Rect>& before = placement.before_maximised;
  const sail::Rect place = placement.place.value_or(before.value_or(placement.wall_rect));
  placement.place = place;
  sail::Rect& rect = before ? *before : placement.wall_rect;
  const bool on_wall = is_on_wall(rect, wall_size_);
  const sail::Rect middle = fit_into(former, place);
  const bool kept_clear = rect != middle && rect == keep_clear(middle, place, gaps_);
  rect = fit_into(shown, place);
  if (on_wall) rect = onto_wall(rect, wall_size_);
  if (kept_clear) rect = keep_clear(rect, place, gaps_);
  if (before) placement.wall_rect = fit_into(shown, {0, 0, wall_size_.width, wall_size_.height});
  return placement;
}

void Arrangement::find_partition(Window& window) const {
  const Partition* around = window.hidden ? nullptr : partitions_.around(window.wall_rect);
  window.partition = around == nullptr ? "" : around->name;
}

bool Arrangement::change(const LayoutChange& wanted, const UndoLabel& undo_label,
                         const Author& author) {
  LayoutChange before = apply(wanted, author);
  if (before.empty()) return false;
  LayoutChange after = now(before);
  const bool holds = !undo_label.gesture.empty() && author.client != 0;
  if (!holds) release_all_of(author.client);
  for (const auto& [number, placement] : after.windows) {
    if (holds) hold(number, author);
  }
  const std::string title =
      before.windows.empty() ? "" : windows_.find(before.windows.rbegin()->first)->title;
  if (history_.record(author, undo_label, title, std::move(before), std::move(after))) {
    touched_.history = true;
  }
  return true;
}

LayoutChange Arrangement::now(const LayoutChange& named) const {
  LayoutChange now;
  for (const auto& [number, placement] : named.windows) {
    if (const Window* window = windows_.find(number)) {
      now.windows.emplace(number, window->placement());
    }
  }
  if (named.order) now.order = windows_.order();
  if (named.partitions) now.partitions = partitions_;
  if (named.drawing) now.drawing = drawing_;
  return now;
}

const HistoryEntry* Arrangement::next_step(bool back) const {
  return history_.next(back, [&](const HistoryEntry& entry) { return matters(entry, back); });
}

HistoryEntry* Arrangement::take_step(bool back) {
  HistoryEntry* const taken =
      history_.take(back, [&](const HistoryEntry& entry) { return matters(entry, back); });
  if (taken != nullptr) touched_.history = true;
  return taken;
}

History::Predicate Arrangement::own_steps(bool back, const Author& author) const {
  const HistoryEntry* const next = next_step(back);
  const uint64_t turn = next == nullptr ? 0 : next->number;
  return [this, back, key = author.key, turn](const HistoryEntry& entry) {
    return entry.author.key == key && is_about(entry, back, key) &&
           matters(entry, back, entry.number == turn);
  };
}

const HistoryEntry* Arrangement::next_step(bool back, const Author& author) const {
  return author.only_own ? history_.next(back, own_steps(back, author)) : next_step(back);
}

HistoryEntry* Arrangement::take_own_step(bool back, const Author& author) {
  const bool in_turn = history_.next(back, own_steps(back, author)) == next_step(back);
  HistoryEntry* const taken = history_.take_alone(back, own_steps(back, author));
  if (taken == nullptr) return nullptr;
  touched_.history = true;
  // Other clients have changed the stacking order since.
  if (!in_turn) {
    taken->before.order.reset();
    taken->after.order.reset();
  }
  return taken;
}

bool Arrangement::is_about(const HistoryEntry& entry, bool back, const std::string& opener) const {
  const auto is_theirs = [&](uint32_t number) {
    const Window* window = windows_.find(number);
    return window == nullptr || window->opener == opener;
  };
  const auto was_theirs = [&](const SavedWindow& window) {
    return is_theirs(window.number) && window.content && window.content->opener == opener;
  };
  // Nobody else has drawn since.
  const std::optional<Drawing>& drawn = back ? entry.after.drawing : entry.before.drawing;
  return !entry.before.partitions && (!drawn || *drawn == drawing_) &&
         std::ranges::all_of(entry.before.windows,
                             [&](const auto& one) { return is_theirs(one.first); }) &&
         std::ranges::all_of(entry.closed, was_theirs) &&
         std::ranges::all_of(entry.opened, was_theirs);
}

void Arrangement::hold(uint32_t number, const Author& author) {
  holds_[number] = kHoldTicks;
  const Holder holder{author.client, author.name};
  Window& window = *windows_.find(number);
  if (window.holder == holder) return;
  window.holder = holder;
  touched_.windows.push_back(number);
}

void Arrangement::tick_holds() {
  for (auto it = holds_.begin(); it != holds_.end();) {
    const auto held = it++;
    if (--held->second == 0) release(held->first);
  }
}

void Arrangement::release_all_of(uint64_t client) {
  for (auto it = holds_.begin(); it != holds_.end();) {
    const uint32_t number = (it++)->first;
    const Window* window = windows_.find(number);
    const bool others = window != nullptr && window->holder && window->holder->client != client;
    if (!others) release(number);
  }
}

void Arrangement::release(uint32_t number) {
  if (holds_.erase(number) == 0) return;
  Window* window = windows_.find(number);
  if (window == nullptr) return;
  window->holder.reset();
  touched_.windows.push_back(number);
}

bool Arrangement::matters(const HistoryEntry& entry, bool back, bool with_order) const {
  const auto is_here = [this](const SavedWindow& window) {
    return windows_.find(window.number) != nullptr;
  };
  const auto can_come = [](const SavedWindow& window) { return window.content.has_value(); };
  return (back && entry.removed) || would_change(back ? entry.before : entry.after, with_order) ||
         std::ranges::any_of(back ? entry.opened : entry.closed, is_here) ||
         std::ranges::any_of(back ? entry.closed : entry.opened, can_come);
}

bool Arrangement::would_change(const LayoutChange& wanted, bool with_order) const {
  if (wanted.partitions && *wanted.partitions != partitions_) return true;
  if (wanted.drawing && *wanted.drawing != drawing_) return true;
  if (with_order && wanted.order && windows_.would_reorder(*wanted.order)) return true;
  return std::ranges::any_of(wanted.windows, [this](const auto& one) {
    const Window* window = windows_.find(one.first);
    return window != nullptr && !window->has_placement(fitted(*window, one.second));
  });
}

LayoutChange Arrangement::apply(const LayoutChange& wanted, const Author& author) {
  LayoutChange before;
  auto placements = wanted.windows;
  if (wanted.partitions && *wanted.partitions != partitions_) {
    before.partitions = std::exchange(partitions_, *wanted.partitions);
    touched_.partitions = true;
    add_followers(*before.partitions, placements);
  }
  if (wanted.drawing && *wanted.drawing != drawing_) {
    before.drawing = std::exchange(drawing_, *wanted.drawing);
    touched_.drawing = true;
  }
  for (const auto& [number, as_it_was] : placements) {
    Window* window = windows_.find(number);
    if (window == nullptr) continue;
    const WindowPlacement placement = fitted(*window, as_it_was);
    if (window->has_placement(placement)) continue;
    before.windows.emplace(number, window->placement());
    const sail::ViewTransform look = placement.look.value_or(window->look);
    if (window->wall_rect != placement.wall_rect || window->look != look) touched_.layout = true;
    // Clients that leave out hidden windows need the order of those that come back.
    const bool appears = window->hidden != placement.hidden.value_or(window->hidden);
    if (appears) touched_.order = touched_.layout = true;
    window->apply(placement);
    window->changed_by = author.name;
    find_partition(*window);
    touched_.windows.push_back(number);
  }
  if (before.partitions) find_partitions();
  move_curtains();
  if (!wanted.order) return before;
  std::vector<uint32_t> order = windows_.order();
  if (!windows_.reorder(*wanted.order)) return before;
  before.order = std::move(order);
  touched_.order = touched_.layout = true;
  return before;
}

void Arrangement::add_followers(const Partitions& former,
                                std::map<uint32_t, WindowPlacement>& placements) const {
  for (const Window& window : windows_.bottom_to_top()) {
    if (!window.decorates()) continue;
    const Partition* from = former.find(window.content->decoration->area);
    const Partition* to = partitions_.find(window.content->decoration->area);
    if (from == nullptr || to == nullptr || from->rect == to->rect) continue;
    if (sail::intersect(window.wall_rect, from->rect) != window.wall_rect) continue;
    placements.emplace(window.number, window.following(from->rect, to->rect));
  }
}

void Arrangement::move_curtains() {
  for (const Window& curtain : windows_.bottom_to_top()) {
    if (!curtain.is_curtain()) continue;
    const Window* under = windows_.find(curtain.content->decoration->blank_window);
    if (under == nullptr || under->wall_rect == curtain.place) continue;
    Window& moved = *windows_.find(curtain.number);
    moved.look.crop = {};
    place_decoration(moved, under->wall_rect);
    touched_.windows.push_back(moved.number);
    touched_.layout = true;
  }
}

void Arrangement::find_partitions() {
  for (const uint32_t number : windows_.order()) {
    Window& window = *windows_.find(number);
    const std::string old = std::exchange(window.partition, {});
    find_partition(window);
    if (window.partition != old) touched_.windows.push_back(number);
  }
}

}  // namespace manager
