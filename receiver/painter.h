// Paints a node's tiles: the visible part of each window, decoded from the blocks of its frame,
// straight into the tiles' canvases. Black where no window is and where no block came.
//
// Thread: one, with the pool's workers inside paint(). Owns the frames shown. Canvases are upright
// and belong to the presenter. Paints only what changed; once a layout stands, paint() takes no
// memory.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "codecs/cpu.h"
#include "codecs/image.h"
#include "receiver/canvas.h"
#include "receiver/frame.h"
#include "receiver/tile_layout.h"
#include "sail/base/worker_pool.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/data_messages.h"

namespace receiver {

class Painter {
 public:
  // The pool must outlive this.
  Painter(sail::WorkerPool& pool, codecs::CpuLevel cpu);

  // One canvas a tile, in the same order. Everything is to be painted anew.
  void set_tiles(const std::vector<sail::TileInfo>& tiles, std::vector<Canvas> canvases);
  // The layout from now on. Frames of windows that are gone go to `released`.
  void set_scene(const sail::Scene& scene, std::vector<std::unique_ptr<Frame>>& released);
  // The newest frame of its window. What is not needed any more goes to `released`: the frame
  // before, or this one when the scene has no such window. Whether any tile shows the window.
  bool set_frame(std::unique_ptr<Frame> frame, std::vector<std::unique_ptr<Frame>>& released);

  // Paints what changed since the last time.
  void paint();
  // What the last paint() painted of each tile, in its upright pixels.
  const std::vector<std::vector<sail::Rect>>& damage() const { return damage_; }

  // The windows that a tile shows and their frames.
  std::vector<sail::PictureBegin::WindowFrame> windows_on(size_t tile) const;

 private:
  struct TileState {
    std::string name;
    sail::TileView view;
    Canvas canvas;
    TileLayout layout;
    bool all_dirty = true;
  };
  struct WindowState {
    sail::SceneWindow window;
    std::unique_ptr<Frame> frame;  // null before the first
    bool dirty = false;
  };
  struct Work {
    const TileState* tile = nullptr;
    const Frame* frame = nullptr;  // null: black
    const Piece* piece = nullptr;  // null: background
    const Band* band = nullptr;    // null: the whole rectangle of the background
    sail::Rect tile_rect;
  };
  // What one thread needs at a time.
  struct Lane {
    std::vector<uint8_t> source;   // decoded pixels of a band
    std::vector<uint8_t> scratch;  // of resample_bilinear
  };

  void lay_out_all();
  void collect(size_t tile);
  void run(const Work& work, Lane& lane) const;
  void decode(const Frame& frame, const sail::Rect& source_rect, codecs::BgraTarget target) const;
  void paint_name(size_t tile);

  sail::WorkerPool& pool_;
  const codecs::CpuLevel cpu_;
  std::vector<TileState> tiles_;
  sail::Scene scene_;
  std::map<uint32_t, WindowState> windows_;  // of the scene
  std::vector<Lane> lanes_;
  std::vector<Work> work_;  // reused
  std::vector<std::vector<sail::Rect>> damage_;
};

}  // namespace receiver
