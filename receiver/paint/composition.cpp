#include "receiver/paint/composition.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "receiver/frame/canvas.h"

namespace receiver {
namespace {

// Adds the changed bands of a piece to `damage`; if all changed, adds the piece as one rectangle.
// Returns false if none changed.
bool add_damage(const Piece& piece, const BlockSet& changed, std::vector<sail::Rect>& damage) {
  const size_t before = damage.size();
  for (const Band& band : piece.bands) {
    if (changed.touch(band.source_rect)) damage.push_back(band.tile_rect);
  }
  const size_t added = damage.size() - before;
  if (added == piece.bands.size()) {
    damage.resize(before);
    damage.push_back(piece.tile_rect);
  }
  return added > 0;
}

// Lenses over damaged pixels show them, too.
void add_lens_damage(const std::vector<Sprite>& sprites, std::vector<sail::Rect>& damage) {
  for (const Sprite& sprite : sprites) {
    const bool changes = std::ranges::any_of(damage, [&](const sail::Rect& rect) {
      return !sail::intersect(sprite.enlarged, rect).empty();
    });
    if (changes) damage.push_back(sprite.rect);
  }
}

bool have_equal_aids(const sail::Scene& a, const sail::Scene& b) {
  return a.identify == b.identify && a.pattern == b.pattern && a.blanks == b.blanks;
}

// Ignores streams and routing maps.
bool have_equal_places(const sail::Scene& a, const sail::Scene& b) {
  return std::ranges::equal(
      a.windows, b.windows, [](const sail::SceneWindow& one, const sail::SceneWindow& other) {
        return one.wall_rect == other.wall_rect && one.look == other.look &&
               one.part == other.part && one.dark == other.dark && one.frozen == other.frozen;
      });
}

SceneChange change_between(const sail::Scene& a, const sail::Scene& b) {
  if (!have_equal_aids(a, b) || !have_equal_places(a, b)) return SceneChange::kLayout;
  const bool same_streams = std::ranges::equal(a.windows, b.windows, {}, &sail::SceneWindow::window,
                                               &sail::SceneWindow::window);
  return same_streams ? SceneChange::kNone : SceneChange::kStreams;
}

}  // namespace

void Composition::set_tiles(const std::vector<sail::TileInfo>& tiles, OverlaidNode node) {
  tiles_.clear();
  std::vector<OverlayLayer::Tile> overlaid;
  for (const sail::TileInfo& tile : tiles) {
    const sail::TileView view{tile.wall_rect, upright_size(tile)};
    tiles_.push_back({.view = view, .layout = lay_out(view, {})});
    overlaid.push_back({.name = tile.name, .view = view});
  }
  overlay_.set_tiles(std::move(overlaid), std::move(node));
  changes_.tiles.assign(tiles.size(), {});
  lay_out_all();
}

void Composition::set_all_changed() {
  for (TileState& tile : tiles_) tile.all_dirty = true;
}

SceneChange Composition::set_scene(const sail::Scene& scene,
                                   std::vector<std::unique_ptr<Frame>>& released) {
  std::vector<uint32_t> numbers;
  for (const sail::SceneWindow& window : scene.windows) {
    numbers.push_back(window.window);
    set_window(windows_[window.window], window, released);
  }
  std::sort(numbers.begin(), numbers.end());
  for (auto it = windows_.begin(); it != windows_.end();) {
    const bool stays = std::binary_search(numbers.begin(), numbers.end(), it->first);
    if (!stays) forget(it->second, released);
    it = stays ? std::next(it) : windows_.erase(it);
  }
  const bool equal_aids = have_equal_aids(scene, scene_);
  const SceneChange change = change_between(scene_, scene);
  scene_ = scene;
  overlay_.set_aids(scene.identify, scene.pattern, scene.blanks);
  show_overlay();
  for (TileState& tile : tiles_) tile.scene_changed = !equal_aids;
  lay_out_all();
  return change;
}

// A window freezes with the first frame of its new map, which all receivers show in one swap. A
// window that this receiver has not shown before has no such frame and stays black.
void Composition::set_window(WindowState& state, const sail::SceneWindow& window,
                             std::vector<std::unique_ptr<Frame>>& released) {
  const bool known = state.window.secret == window.secret;
  if (!known) forget(state, released);
  state.freezes = window.frozen && known && (state.freezes || !state.window.frozen);
  state.window = window;
}

// Called when the window now shows another stream, or is gone.
void Composition::forget(WindowState& state, std::vector<std::unique_ptr<Frame>>& released) {
  if (state.frame) released.push_back(std::move(state.frame));
  state.changed.clear();
  state.given.clear();
}

// Uses the grids of the frames that are shown. Until the first frame of a new routing map arrives,
// a window shows the last frame of the previous map, which may have another reduction.
void Composition::lay_out_all() {
  std::vector<LaidWindow> windows;
  windows.reserve(scene_.windows.size());
  for (const sail::SceneWindow& window : scene_.windows) {
    const WindowState& state = windows_.at(window.window);
    windows.push_back(
        {window,
         state.frame ? state.frame->grid() : sail::BlockGrid(window.frame_size, window.block_size),
         stale_blocks(state)});
  }
  for (TileState& tile : tiles_) {
    std::vector<LaidWindow> on_tile;
    std::copy_if(windows.begin(), windows.end(), std::back_inserter(on_tile),
                 [&tile](const LaidWindow& laid) {
                   return !sail::intersect(laid.window.wall_rect, tile.view.wall_rect).empty();
                 });
    if (std::ranges::equal(on_tile, tile.laid_out, &LaidWindow::looks_like)) continue;
    tile.all_dirty |= lay_out_again(tile.layout, tile.view, on_tile);
    tile.laid_out = std::move(on_tile);
    tile.scene_changed = true;
    new_layout_ = true;
  }
}

// Returns the blocks that may be outdated. None, if the frame was sent for this layout or a later
// one. For an older frame: the blocks that the previous layout did not show, because a sender that
// is now stalled may have sent newer versions to other nodes only.
BlockSet Composition::stale_blocks(const WindowState& state) const {
  if (!state.frame || state.frozen() || state.frame->key().epoch >= state.window.epoch) return {};
  return unseen_blocks(state);
}

// The sender may have sent newer versions of these blocks to other nodes only. A frozen picture
// must not contain parts of older pictures, wherever it is shown later.
void Composition::hide_unseen_blocks(WindowState& state) const {
  const BlockSet unseen = unseen_blocks(state);
  const sail::BlockGrid& grid = state.frame->grid();
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      if (unseen.touch(grid.block_rect(column, row))) state.frame->hide(column, row);
    }
  }
}

// Returns the blocks of the frame that no tile shows now.
BlockSet Composition::unseen_blocks(const WindowState& state) const {
  BlockSet blocks;
  blocks.fill(state.frame->grid());
  for (const TileState& tile : tiles_) {
    for (const WindowPart& part : tile.layout.windows) {
      if (part.window().window != state.window.window) continue;
      for (const Piece& piece : part.pieces) {
        if (piece.stale) continue;
        for (const Band& band : piece.bands) blocks.remove(band.source_rect);
      }
    }
  }
  return blocks;
}

sail::DropCause Composition::set_frame(std::unique_ptr<Frame> frame,
                                       std::vector<std::unique_ptr<Frame>>& released) {
  const auto it = windows_.find(frame->stream());
  if (it == windows_.end() || it->second.frozen()) {
    released.push_back(std::move(frame));
    return it == windows_.end() ? sail::DropCause::kHidden : sail::DropCause::kFrozen;
  }
  const uint32_t number = frame->stream();
  WindowState& state = it->second;
  const sail::BlockGrid laid_out =
      state.frame ? state.frame->grid()
                  : sail::BlockGrid(state.window.frame_size, state.window.block_size);
  const bool other_grid = laid_out != frame->grid();
  state.changed.add_changed(state.frame.get(), *frame);
  std::swap(state.frame, frame);
  if (frame) released.push_back(std::move(frame));
  if (other_grid) lay_out_all();
  const bool of_this_layout = state.frame->key().epoch >= state.window.epoch;
  bool shown = false;
  for (TileState& tile : tiles_) {
    const auto part = std::ranges::find(tile.layout.windows, number,
                                        [](const WindowPart& one) { return one.window().window; });
    if (part == tile.layout.windows.end()) continue;
    shown = true;
    if (of_this_layout) tile.all_dirty |= part->refresh();
  }
  if (of_this_layout && std::exchange(state.freezes, false)) hide_unseen_blocks(state);
  return shown ? sail::DropCause::kNone : sail::DropCause::kHidden;
}

void Composition::show_overlay() {
  for (size_t i = 0; i < tiles_.size(); ++i) {
    const std::vector<sail::Rect>& damage = overlay_.damage(i);
    tiles_[i].overlay_damage.insert(tiles_[i].overlay_damage.end(), damage.begin(), damage.end());
  }
  overlay_.commit();
}

const Changes& Composition::take_changes() {
  changes_.new_layout = std::exchange(new_layout_, false);
  for (auto& [number, state] : windows_) {
    std::swap(state.given, state.changed);
    state.changed.clear();
  }
  for (size_t i = 0; i < tiles_.size(); ++i) {
    collect(tiles_[i], overlay_.sprites(i), changes_.tiles[i]);
  }
  return changes_;
}

// Returns true if the whole tile must be repainted, such as below a blended window that changed.
bool Composition::needs_all(const TileState& tile) const {
  if (tile.all_dirty) return true;
  bool blended = false;
  bool changed = false;
  for (const WindowPart& part : tile.layout.windows) {
    blended |= part.window().blended();
    changed |= windows_.at(part.window().window).given.any();
  }
  return blended && changed;
}

// Collects the parts of a tile to paint and the damage that this causes.
void Composition::collect(TileState& tile, const std::vector<Sprite>& sprites,
                          TileChanges& changes) const {
  changes.layout = &tile.layout;
  changes.sprites = &sprites;
  changes.parts.clear();
  changes.damage.clear();
  std::swap(changes.damage, tile.overlay_damage);
  tile.all_dirty = needs_all(tile);
  if (tile.all_dirty) {
    for (const sail::Rect& rect : tile.layout.background) {
      changes.parts.push_back({.tile_rect = rect});
    }
    changes.damage = {{0, 0, tile.view.upright.width, tile.view.upright.height}};
  }
  for (const WindowPart& part : tile.layout.windows) {
    const WindowState& state = windows_.at(part.window().window);
    if (!tile.all_dirty && !state.given.any()) continue;
    for (const Piece& piece : part.pieces) {
      if (!tile.all_dirty && !add_damage(piece, state.given, changes.damage)) continue;
      const Frame* frame = state.window.dark || piece.stale ? nullptr : state.frame.get();
      changes.parts.push_back({piece.tile_rect, &part.window(), &piece, frame,
                               tile.all_dirty ? nullptr : &state.given});
    }
  }
  add_lens_damage(sprites, changes.damage);
  if (std::exchange(tile.damaged, false)) {
    changes.damage = {{0, 0, tile.view.upright.width, tile.view.upright.height}};
  }
  tile.all_dirty = false;
}

std::vector<sail::PictureBegin::WindowFrame> Composition::windows_on(size_t tile) const {
  std::vector<sail::PictureBegin::WindowFrame> shown;
  for (const WindowPart& part : tiles_[tile].layout.windows) {
    const WindowState& state = windows_.at(part.window().window);
    const bool stale = std::ranges::all_of(part.pieces, &Piece::stale);
    if (state.frame && !stale) shown.push_back({part.window().window, state.frame->key().number});
  }
  return shown;
}

}  // namespace receiver
