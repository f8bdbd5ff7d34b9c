#include "manager/events/event_covers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "manager/desk/desk.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

bool overlap(const sail::Rect& one, const sail::Rect& other) {
  return !sail::intersect(one, other).empty();
}

bool is_among(const std::vector<BlankArea>& areas, const sail::Rect& rect) {
  return std::ranges::find(areas, rect, &BlankArea::wall_rect) != areas.end();
}

bool is_concealed(const WallSwitches& blanks, const sail::Rect& rect) {
  return blanks.blank || std::ranges::any_of(blanks.blank_areas, [&](const BlankArea& area) {
           return overlap(area.wall_rect, rect);
         });
}

// The blanks of `all` without those of `left`.
WallSwitches difference(const WallSwitches& all, const WallSwitches& left) {
  WallSwitches rest;
  rest.blank = all.blank && !left.blank;
  if (rest.blank) rest.blank_text = all.blank_text;
  for (const BlankArea& area : all.blank_areas) {
    if (!is_among(left.blank_areas, area.wall_rect)) rest.blank_areas.push_back(area);
  }
  return rest;
}

void set_blanks(Arrangement& arrangement, const WallSwitches& blanks) {
  WallSwitches switches = blanks;
  switches.sound = arrangement.switches().sound;
  arrangement.set(switches);
}

}  // namespace

void hide_concealed(const WallSwitches& blanks, bool of_event, SavedWall& shown) {
  for (SavedWindow& window : shown.windows) {
    std::optional<bool>& hidden = window.placement.hidden;
    hidden.reset();
    if (of_event && window.number == 0) {
      hidden = false;
      window.cover = {};
    } else if (is_concealed(blanks, window.placement.wall_rect)) {
      hidden = true;
    }
  }
}

WallSwitches uncovered(WallSwitches blanks, SavedWall& shown) {
  std::vector<sail::Rect> rects;
  for (const SavedWindow& window : shown.windows) {
    if (window.placement.hidden == false) rects.push_back(window.placement.wall_rect);
  }
  if (rects.empty()) return {};
  std::erase_if(blanks.blank_areas, [&](const BlankArea& area) {
    return std::ranges::none_of(
        rects, [&](const sail::Rect& rect) { return overlap(area.wall_rect, rect); });
  });
  std::erase_if(shown.windows, [&](const SavedWindow& window) {
    return window.placement.hidden == true && is_concealed(blanks, window.placement.wall_rect);
  });
  return blanks;
}

WallSwitches EventCovers::blanks() const {
  WallSwitches all = desk_.arrangement().switches();
  if (!blanks_) return all;
  if (blanks_->blank && !all.blank) {
    all.blank = true;
    all.blank_text = blanks_->blank_text;
  }
  std::ranges::copy(difference(*blanks_, all).blank_areas, std::back_inserter(all.blank_areas));
  if (all.blank_areas.size() > sail::kMaxBlanks) {
    all.blank_areas.resize(sail::kMaxBlanks);
    all.blank = true;  // Receivers draw no more areas, and nothing may appear.
  }
  return all;
}

WindowCover EventCovers::full_cover(const Window& window) const {
  WindowCover cover = window.cover;
  const auto former = covers_.find(window.number);
  if (former == covers_.end()) return cover;
  const WindowCover& before = former->second.cover;
  if (!cover.blank) cover.blank = before.blank;
  if (!cover.frozen && before.frozen) {
    cover.frozen = true;
    cover.mute = before.mute;
  }
  return cover;
}

void EventCovers::set(uint32_t number, const WindowCover& full, const WindowCover& now) {
  covers_.erase(number);
  if (full != now) {
    SavedWindow window = saved_window(*desk_.windows().find(number), 0);
    window.cover = full;
    covers_.emplace(number, std::move(window));
  }
  desk_.change([&](Arrangement& arrangement) { arrangement.set_cover(number, now); });
}

void EventCovers::uncover(const WallSwitches& lifted, const std::vector<SavedWindow>& windows) {
  desk_.change([&](Arrangement& arrangement) {
    const WallSwitches all = blanks();
    const WallSwitches left = difference(all, lifted);
    const WallSwitches rest = difference(all, left);
    blanks_.reset();
    if (rest != WallSwitches()) blanks_ = rest;
    set_blanks(arrangement, left);
    for (const SavedWindow& shown : windows) {
      const Window* window = desk_.windows().find(shown.number);
      if (window == nullptr) continue;
      const WindowCover full = full_cover(*window);
      WindowCover now = full;
      if (!window->cover.frozen) now.frozen = now.mute = false;
      if (shown.placement.hidden == false) now = {};
      set(shown.number, full, now);
    }
    thaw_hidden();
    hide_curtains();
  });
}

void EventCovers::restore() {
  desk_.change([&](Arrangement& arrangement) {
    set_blanks(arrangement, blanks());
    blanks_.reset();
    for (const auto& [number, saved] : std::map(covers_)) {
      const Window* window = desk_.windows().find(number);
      if (window == nullptr) {
        covers_.erase(number);
        continue;
      }
      const WindowCover full = full_cover(*window);
      WindowCover now = full;
      if (!window->cover.frozen) now.frozen = now.mute = false;
      set(number, full, now);
    }
    thaw_hidden();
    hide_curtains();
  });
}

void EventCovers::freeze_again() {
  for (const auto& [number, saved] : std::map(covers_)) {
    const Window* window = desk_.windows().find(number);
    if (window == nullptr) {
      covers_.erase(number);
    } else if (!window->hidden) {
      const WindowCover full = full_cover(*window);
      set(number, full, full);
    }
  }
}

void EventCovers::thaw_hidden() {
  std::vector<uint32_t> frozen;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (window.hidden && window.cover.frozen) frozen.push_back(window.number);
  }
  for (const uint32_t number : frozen) {
    const WindowCover full = full_cover(*desk_.windows().find(number));
    set(number, full, {.blank = full.blank});
  }
}

void EventCovers::hide_curtains() {
  LayoutChange change;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (!window.is_curtain() || desk_.closes(window.number)) continue;
    const bool hidden = !desk_.arrangement().is_blank(*window.content->decoration);
    if (hidden == window.hidden) continue;
    change.windows.emplace(window.number, window.placement()).first->second.hidden = hidden;
  }
  if (change.windows.empty()) return;
  desk_.change([&](Arrangement& arrangement) { arrangement.apply(change, {}); });
}

void EventCovers::renumber(uint32_t former, uint32_t number) {
  auto cover = covers_.extract(former);
  if (cover.empty()) return;
  cover.key() = cover.mapped().number = number;
  covers_.insert(std::move(cover));
}

void EventCovers::add_to(sail::Json& events) const {
  if (!blanks_ && covers_.empty()) return;
  SavedWall saved{
      .wall_size = desk_.wall().size, .windows = {}, .partitions = {}, .switches = blanks_};
  for (const auto& [number, window] : covers_) saved.windows.push_back(window);
  events["covers"] = to_json(saved, SavedKind::kSession);
}

sail::Result<void> EventCovers::resume(const sail::Json& saved) {
  auto read = saved_wall_from_json(saved, SavedKind::kSession);
  if (!read) return read.error();
  SavedWall wall = on_wall_of(std::move(*read), desk_.wall().size);
  blanks_ = std::move(wall.switches);
  for (SavedWindow& window : wall.windows) {
    covers_.insert_or_assign(window.number, std::move(window));
  }
  return {};
}

}  // namespace manager
