// Compares random pixels of a wall at random times, while a window is moved, with the layout, by
// the tests' reference compositor. Knows marked windows (marked_picture.h), whose title is their
// picture's number; under another window any pixel is accepted. Single-threaded.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "ui/client/wall_picture.h"

namespace bench {

class PixelOracle {
 public:
  // Results. All tiles should show one layout, the one before the move or the one after it, and one
  // frame of each stream; a receiver that learns of a swap too late, on a busy machine, fails to.
  struct Seen {
    uint64_t looks = 0;
    uint64_t pixels = 0;
    uint64_t wrong = 0;       // pixels that match neither layout
    uint64_t torn = 0;        // checks with tiles from both before and after the move
    uint64_t mixed = 0;       // checks with two frames of a stream
    uint64_t incomplete = 0;  // checks with missing receivers
  };
  PixelOracle(sail::RpcClient& client, uint64_t seed) : client_(client), random_(seed) {}

  // When the wall is at rest: moves a window somewhere, and looks before that is done, or just
  // after. Nobody else may change the layout meanwhile.
  sail::Result<void> verify();
  const Seen& seen() const { return seen_; }

 private:
  struct Window {
    uint32_t number = 0;
    std::optional<uint32_t> picture;  // empty optional: not marked
    sail::Size frame_size;
    sail::Rect wall_rect;
  };
  using Layout = std::vector<Window>;  // bottom to top
  sail::Result<Layout> layout_at_rest();
  void judge(const ui::TilePictures& tiles, const Layout& before, const Layout& after,
             size_t moved);
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

  sail::RpcClient& client_;
  std::mt19937_64 random_;
  Seen seen_;
};

}  // namespace bench
