#include "receiver/paint/overlay_layer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "receiver/paint/spotlight.h"
#include "receiver/paint/sprite.h"
#include "receiver/paint/strokes.h"
#include "receiver/paint/test_pattern.h"

namespace receiver {
namespace {

using sail::Rect;

Rect within(const Sprite& sprite, sail::Size upright) {
  return sail::intersect(sprite.rect, {0, 0, upright.width, upright.height});
}

// Adds the areas in which two sprite lists differ. Lists of equal length are compared item by item;
// otherwise everything between the first and the last difference is damaged.
void add_damage(const std::vector<Sprite>& before, const std::vector<Sprite>& after,
                sail::Size upright, std::vector<Rect>& damage) {
  const auto add = [&](const Sprite& sprite) {
    const Rect rect = within(sprite, upright);
    if (!rect.empty()) damage.push_back(rect);
    if (!sprite.enlarged.empty()) damage.push_back(sprite.enlarged);
  };
  if (before.size() == after.size()) {
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == after[i]) continue;
      add(before[i]);
      add(after[i]);
    }
    return;
  }
  const auto [old_begin, new_begin] =
      std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  const auto [old_end, new_end] =
      std::mismatch(before.rbegin(), std::make_reverse_iterator(old_begin), after.rbegin(),
                    std::make_reverse_iterator(new_begin));
  std::for_each(old_begin, old_end.base(), add);
  std::for_each(new_begin, new_end.base(), add);
}

std::string key_of(const sail::OverlayPointer& pointer, int unit) {
  return fmt::format("{} {:06x} {} {}", unit, pointer.colour, pointer.pressed ? 1 : 0,
                     sail::pointer_name(pointer));
}

// Lines contain no control characters, so newlines separate them unambiguously.
std::string key_of(const sail::OverlayLabel& label, int unit) {
  return fmt::format("{} {:06x} {}", unit, label.colour, fmt::join(label.lines, "\n"));
}

}  // namespace

// Reuses bitmaps of the previous drawing or draws new ones; unused bitmaps are freed.
class OverlayLayer::Drawing {
 public:
  explicit Drawing(Pictures& pictures) : before_(std::exchange(pictures, {})), now_(pictures) {}

  template <typename Draw>
  std::shared_ptr<const Bitmap> picture(const std::string& key, const Draw& draw) {
    auto& place = now_[key];
    if (place) return place;
    const auto known = before_.find(key);
    place = known != before_.end() ? known->second : std::make_shared<const Bitmap>(draw());
    return place;
  }

 private:
  Pictures before_;
  Pictures& now_;
};

void OverlayLayer::set_tiles(std::vector<Tile> tiles, OverlaidNode node) {
  node_ = std::move(node);
  tiles_.clear();
  for (Tile& tile : tiles) {
    tiles_.push_back({.tile = std::move(tile), .shown = {}, .lower = {}, .next = {}});
  }
  stroke_pictures_.clear();
  lower_pictures_.clear();
  lay_out_strokes();
  lay_out_lower();
  commit();
}

void OverlayLayer::set_displays(const std::vector<std::string>& names) {
  for (size_t i = 0; i < tiles_.size(); ++i) tiles_[i].tile.display = names[i];
  if (identify_) lay_out_lower();
}

void OverlayLayer::set(const sail::Overlay& overlay) {
  if (overlay.pointers) pointers_ = *overlay.pointers;
  if (overlay.drawings) {
    drawings_ = *overlay.drawings;
    lay_out_strokes();
  }
  if (overlay.labels) labels_ = *overlay.labels;
  if (overlay.labels || overlay.drawings) {
    lay_out_lower();
  } else {
    lay_out_pointers();
  }
}

void OverlayLayer::set_aids(bool identify, sail::TestPattern pattern,
                            const std::vector<sail::SceneBlank>& blanks) {
  if (identify == identify_ && pattern == pattern_ && blanks == blanks_) return;
  identify_ = identify;
  pattern_ = pattern;
  blanks_ = blanks;
  lay_out_lower();
}

void OverlayLayer::lay_out_strokes() {
  Drawing drawing(stroke_pictures_);
  for (TileState& state : tiles_) {
    state.strokes.clear();
    for (const StrokeCell& cell : stroke_cells(state.tile.view, drawings_)) {
      state.strokes.push_back({cell.rect, drawing.picture(cell.key, cell.draw)});
    }
  }
}

void OverlayLayer::lay_out_lower() {
  Drawing drawing(lower_pictures_);
  for (TileState& state : tiles_) {
    state.lower.clear();
    if (pattern_ != sail::TestPattern::kOff) add_pattern(state, drawing);
    add_labels(state, drawing);
    state.lower.insert(state.lower.end(), state.strokes.begin(), state.strokes.end());
    add_blanks(state, drawing);
    add_blank_texts(state, drawing);
    if (identify_) add_names(state, drawing);
  }
  lay_out_pointers();
}

// The keys below cannot collide with those of labels, which begin with a digit.
void OverlayLayer::add_pattern(TileState& state, Drawing& drawing) const {
  const sail::TileView& view = state.tile.view;
  const Rect& wall = view.wall_rect;
  const std::string key =
      fmt::format("pattern {} {} {} {} {} {} {}", sail::kTestPatterns.word(pattern_), wall.x,
                  wall.y, wall.width, wall.height, view.upright.width, view.upright.height);
  state.lower.push_back({{0, 0, view.upright.width, view.upright.height}, drawing.picture(key, [&] {
                           return test_pattern_bitmap(pattern_, view, node_.wall);
                         })});
}

void OverlayLayer::add_labels(TileState& state, Drawing& drawing) const {
  const sail::TileView& view = state.tile.view;
  const int unit = sail::overlay_magnification(view.upright);
  int64_t room = kMostLabelPixels * view.upright.width * view.upright.height;
  for (const sail::OverlayLabel& label : labels_) {
    Sprite sprite{.rect = sail::label_rect(view, label), .bitmap = {}};
    if (within(sprite, view.upright).empty()) continue;
    room -= int64_t{sprite.rect.width} * sprite.rect.height;
    if (room < 0) break;
    sprite.bitmap = drawing.picture(key_of(label, unit), [&] {
      return label_bitmap(label, {sprite.rect.width, sprite.rect.height}, unit);
    });
    state.lower.push_back(std::move(sprite));
  }
}

// The black sprites of a tile do not overlap, so they take no more memory than the tile.
void OverlayLayer::add_blanks(TileState& state, Drawing& drawing) const {
  const sail::TileView& view = state.tile.view;
  sail::Region free = {{0, 0, view.upright.width, view.upright.height}};
  for (const sail::SceneBlank& blank : blanks_) {
    const Rect on_tile = sail::intersect(blank.wall_rect, view.wall_rect);
    if (!blank.black || on_tile.empty()) continue;
    const Rect area = view.tile_pixels(on_tile);
    for (const Rect& part : free) {
      const Rect rect = sail::intersect(part, area);
      if (rect.empty()) continue;
      const sail::Size size{rect.width, rect.height};
      const std::string key = fmt::format("black {} {}", size.width, size.height);
      state.lower.push_back({rect, drawing.picture(key, [&] { return black_bitmap(size); })});
    }
    free = sail::subtract(free, area);
  }
}

void OverlayLayer::add_blank_texts(TileState& state, Drawing& drawing) const {
  const sail::TileView& view = state.tile.view;
  int64_t room = kMostLabelPixels * view.upright.width * view.upright.height;
  for (const sail::SceneBlank& blank : blanks_) {
    if (blank.text.empty()) continue;
    const sail::CentredLine line = sail::centred_line(view, blank.wall_rect, blank.text);
    Sprite sprite{.rect = sail::intersect(line.rect, line.area), .bitmap = {}};
    sprite.rect = within(sprite, view.upright);
    if (sprite.rect.empty()) continue;
    room -= int64_t{sprite.rect.width} * sprite.rect.height;
    if (room < 0) break;
    const Rect part{sprite.rect.x - line.rect.x, sprite.rect.y - line.rect.y, sprite.rect.width,
                    sprite.rect.height};
    const std::string key = fmt::format("line {} {} {} {} {} {}", line.unit, part.x, part.y,
                                        part.width, part.height, blank.text);
    sprite.bitmap =
        drawing.picture(key, [&] { return centred_line_bitmap(line, part, blank.text); });
    state.lower.push_back(std::move(sprite));
  }
}

void OverlayLayer::add_names(TileState& state, Drawing& drawing) const {
  const sail::Size upright = state.tile.view.upright;
  for (const Rect& bar : edge_bars(upright)) {
    if (bar.empty()) continue;
    const sail::Size size{bar.width, bar.height};
    const std::string key = fmt::format("edge {} {}", size.width, size.height);
    state.lower.push_back({bar, drawing.picture(key, [&] { return edge_bar_bitmap(size); })});
  }
  const std::string& display = state.tile.display;
  const std::string node = display.empty() ? node_.name : node_.name + " " + display;
  const NamePlate names{state.tile.name, node};
  const Rect plate = name_plate_rect(names, upright);
  const std::string key =
      fmt::format("name {} {} {}\n{}", plate.width, plate.height, names.tile, node);
  state.lower.push_back(
      {plate, drawing.picture(key, [&] { return name_plate_bitmap(names, upright); })});
}

void OverlayLayer::lay_out_pointers() {
  Drawing drawing(pointer_pictures_);
  for (TileState& state : tiles_) {
    const sail::TileView& view = state.tile.view;
    state.next = state.lower;
    for (const SpotlightCell& cell : spotlight_cells(view, pointers_)) {
      state.next.push_back({.rect = cell.rect, .bitmap = drawing.picture(cell.key, cell.draw)});
    }
    for (const sail::OverlayPointer& pointer : pointers_) add_pointer(state, drawing, pointer);
    state.damage.clear();
    add_damage(state.shown, state.next, view.upright, state.damage);
  }
}

void OverlayLayer::add_pointer(TileState& state, Drawing& drawing,
                               const sail::OverlayPointer& pointer) const {
  const sail::TileView& view = state.tile.view;
  const int unit = sail::overlay_magnification(view.upright);
  const auto add = [&](const Rect& rect, const Rect& enlarged, const std::string& key,
                       const auto& draw) {
    Sprite sprite{.rect = rect, .bitmap = {}, .enlarged = enlarged};
    if (within(sprite, view.upright).empty()) return;
    sprite.bitmap = drawing.picture(key, [&] { return draw(sail::Size{rect.width, rect.height}); });
    state.next.push_back(std::move(sprite));
  };
  const auto add_dot = [&](int x, int y, size_t age) {
    const Rect rect = sail::laser_rect(view, x, y, age);
    add(rect, {}, fmt::format("laser {} {:06x} {}", rect.width, pointer.colour, age),
        [&](sail::Size size) { return laser_bitmap(pointer.colour, size, age); });
  };
  switch (pointer.style) {
    case sail::PointerStyle::kArrow:
      return add(sail::pointer_rect(view, pointer), {}, key_of(pointer, unit),
                 [&](sail::Size size) { return pointer_bitmap(pointer, size, unit); });
    case sail::PointerStyle::kLaser:
      for (size_t i = pointer.trail.size() / 2; i > 0; --i) {
        add_dot(pointer.trail[2 * i - 2], pointer.trail[2 * i - 1], i);
      }
      return add_dot(pointer.x, pointer.y, 0);
    case sail::PointerStyle::kMagnifier: {
      const sail::Lens lens = sail::lens_on(view, pointer);
      if (lens.source.empty()) return;
      return add(lens.rect, lens.source,
                 fmt::format("lens {} {} {:06x}", lens.rect.width, unit, pointer.colour),
                 [&](sail::Size size) { return lens_bitmap(pointer.colour, size, unit); });
    }
    case sail::PointerStyle::kSpotlight:
      return;  // see spotlight_cells()
  }
}

bool OverlayLayer::changed() const {
  return std::any_of(tiles_.begin(), tiles_.end(),
                     [](const TileState& state) { return !state.damage.empty(); });
}

void OverlayLayer::commit() {
  for (TileState& state : tiles_) {
    state.shown = state.next;
    state.damage.clear();
  }
}

}  // namespace receiver
