// The contents of a node's tiles: the layout, the newest frame of each window, the overlays, and
// the regions that are not painted yet. Each display implementation paints from this.
//
// Not thread-safe. Owns the frames shown. Allocates memory only when the layout changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "receiver/frame/frame.h"
#include "receiver/frame/tile_layout.h"
#include "receiver/paint/overlay_layer.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/receiver_messages.h"

namespace receiver {

// A rectangle to paint: a piece of a window's frame, or black.
struct Part {
  sail::Rect tile_rect;
  const sail::SceneWindow* window = nullptr;  // null: background
  const Piece* piece = nullptr;               // null: background
  const Frame* frame = nullptr;               // null: black
  // Only bands that intersect these blocks changed since the last paint; null: all bands.
  const BlockSet* changed = nullptr;
};

// Changes of one tile, in upright pixels.
struct TileChanges {
  const TileLayout* layout = nullptr;
  std::vector<Part> parts;  // in painting order
  // All overlays of the tile, bottom to top; redraw them within the damage.
  const std::vector<Sprite>* sprites = nullptr;
  std::vector<sail::Rect> damage;  // regions that changed; they contain all parts
};

struct Changes {
  bool new_layout = false;         // pieces of the previous layout are no longer valid
  std::vector<TileChanges> tiles;  // one entry per tile
};

enum class SceneChange {
  kNone,     // nothing that people see; routing maps may differ
  kStreams,  // other streams in the same places, such as pictures that are drawn again
  kLayout,
};

class Composition {
 public:
  // set_tiles() and set_all_changed() mark everything for repainting.
  void set_tiles(const std::vector<sail::TileInfo>& tiles, OverlaidNode node = {});
  void set_all_changed();
  // Sets the names of the displays that show the tiles, for show_overlay().
  void set_displays(const std::vector<std::string>& names) { overlay_.set_displays(names); }
  // Presents the whole tile with the next changes, although nothing is painted.
  void set_damaged(size_t tile) { tiles_[tile].damaged = true; }
  // Makes this the current layout. Moves frames of windows that it does not contain to `released`.
  // Returns how it differs from the previous one for people, anywhere on the wall.
  SceneChange set_scene(const sail::Scene& scene, std::vector<std::unique_ptr<Frame>>& released);
  // Whether the last set_scene() changed what this tile shows.
  bool scene_changed(size_t tile) const { return tiles_[tile].scene_changed; }
  // Makes this the newest frame of its window. Moves the unused one to `released`: the previous
  // frame, or this one if the layout has no such window or the window is frozen. Returns kNone if a
  // tile shows the frame, or why none does.
  sail::DropCause set_frame(std::unique_ptr<Frame> frame,
                            std::vector<std::unique_ptr<Frame>>& released);

  // Sets the overlays. They take effect with show_overlay() or the next set_scene().
  void set_overlay(const sail::Overlay& overlay) { overlay_.set(overlay); }
  bool overlay_waits() const { return overlay_.changed(); }
  // Returns the regions of a tile that show_overlay() would change.
  const std::vector<sail::Rect>& overlay_damage(size_t tile) const { return overlay_.damage(tile); }
  void show_overlay();

  // Returns the changes since the last call. Valid until the next non-const call.
  const Changes& take_changes();

  // Returns the windows visible on a tile, with their frame numbers.
  std::vector<sail::PictureBegin::WindowFrame> windows_on(size_t tile) const;

 private:
  struct TileState {
    sail::TileView view;
    std::vector<LaidWindow> laid_out{};  // windows that intersect the tile, as last laid out
    TileLayout layout{};
    bool all_dirty = true;
    bool damaged = false;  // see set_damaged()
    bool scene_changed = false;
    std::vector<sail::Rect> overlay_damage{};  // since the last take_changes()
  };
  struct WindowState {
    sail::SceneWindow window;
    std::unique_ptr<Frame> frame;  // null before the first frame
    BlockSet changed;              // since the last take_changes()
    BlockSet given;                // the changes that the last take_changes() returned
    bool freezes = false;          // frozen from the next frame of the current map on

    bool frozen() const { return window.frozen && !freezes; }
  };

  static void forget(WindowState& state, std::vector<std::unique_ptr<Frame>>& released);
  void lay_out_all();
  void set_window(WindowState& state, const sail::SceneWindow& window,
                  std::vector<std::unique_ptr<Frame>>& released);
  BlockSet stale_blocks(const WindowState& state) const;
  BlockSet unseen_blocks(const WindowState& state) const;
  void hide_unseen_blocks(WindowState& state) const;
  bool needs_all(const TileState& tile) const;
  void collect(TileState& tile, const std::vector<Sprite>& sprites, TileChanges& changes) const;

  std::vector<TileState> tiles_;
  sail::Scene scene_;
  OverlayLayer overlay_;
  std::map<uint32_t, WindowState> windows_;  // windows of the scene, by number
  bool new_layout_ = true;
  Changes changes_;  // kept for its capacity
};

}  // namespace receiver
