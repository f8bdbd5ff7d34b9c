// What a node's tiles show: the layout, the newest frame of each window, what lies over them, and
// what of that is not painted yet. The displays paint it, each in its own way.
//
// Thread: one. Owns the frames shown. Once a layout stands, nothing here takes memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "receiver/block_set.h"
#include "receiver/frame.h"
#include "receiver/overlay_layer.h"
#include "receiver/tile_layout.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/data_messages.h"

namespace receiver {

// A rectangle to paint: a piece of a window from the window's frame, or black.
struct Part {
  sail::Rect tile_rect;
  const sail::SceneWindow* window = nullptr;  // null: background
  const Piece* piece = nullptr;               // null: background
  const Frame* frame = nullptr;               // null: black
  // Only bands that touch these differ from what was painted before; null: all of them do.
  const BlockSet* changed = nullptr;
};

// In upright pixels.
struct TileChanges {
  const TileLayout* layout = nullptr;
  std::vector<Part> parts;  // in the order in which to paint them
  // All that lies over them, bottom to top; to be drawn anew where the tile is damaged.
  const std::vector<Sprite>* sprites = nullptr;
  std::vector<sail::Rect> damage;  // what has changed; parts lie within
};

struct Changes {
  bool new_layout = false;         // what was known of pieces does not hold any more
  std::vector<TileChanges> tiles;  // of each tile
};

class Composition {
 public:
  // Everything is to be painted anew.
  void set_tiles(const std::vector<sail::TileInfo>& tiles);
  void set_all_changed();
  // The layout from now on. Frames of windows that are gone go to `released`.
  void set_scene(const sail::Scene& scene, std::vector<std::unique_ptr<Frame>>& released);
  // The newest frame of its window. What is not needed any more goes to `released`: the frame
  // before, or this one when the scene has no such window. Whether any tile shows the window.
  bool set_frame(std::unique_ptr<Frame> frame, std::vector<std::unique_ptr<Frame>>& released);

  // What lies over the windows. It waits until show_overlay() or the next set_scene(), whose swap
  // is alone on the tiles.
  void set_overlay(const sail::Overlay& overlay) { overlay_.set(overlay); }
  bool overlay_waits() const { return overlay_.changed(); }
  // What of a tile show_overlay() would change.
  const std::vector<sail::Rect>& overlay_damage(size_t tile) const { return overlay_.damage(tile); }
  void show_overlay();

  // What is to be painted since the last time. Good until the next call that is not const.
  const Changes& take_changes();

  // The windows that a tile shows and their frames.
  std::vector<sail::PictureBegin::WindowFrame> windows_on(size_t tile) const;

 private:
  struct TileState {
    sail::TileView view;
    std::vector<LaidWindow> laid_out{};  // the windows that meet it, as they were then
    TileLayout layout{};
    bool all_dirty = true;
    std::vector<sail::Rect> overlay_damage{};  // since the last take_changes()
  };
  struct WindowState {
    sail::SceneWindow window;
    std::unique_ptr<Frame> frame;  // null before the first
    BlockSet changed;              // since the last take_changes()
    BlockSet given;                // what that gave out
  };

  static void forget(WindowState& state, std::vector<std::unique_ptr<Frame>>& released);
  void lay_out_all();
  BlockSet stale_blocks(const WindowState& state) const;
  bool needs_all(const TileState& tile) const;
  void collect(TileState& tile, const std::vector<Sprite>& sprites, TileChanges& changes) const;

  std::vector<TileState> tiles_;
  sail::Scene scene_;
  OverlayLayer overlay_;
  std::map<uint32_t, WindowState> windows_;  // of the scene
  bool new_layout_ = true;
  Changes changes_;  // reused
};

}  // namespace receiver
