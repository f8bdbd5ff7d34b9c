// Looks at random pixels of a wall at random instants while a window is moved, and compares them
// with what the layout says, by the reference that judges the tests' pictures. It knows the windows
// that are marked (marked_picture.h), with their picture's number as their title; where another one
// is on top, anything is right. One thread.
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
  // What it saw. All tiles are to show one layout, the one before the move or the one after it, and
  // of each stream one frame; a receiver that a busy machine lets hear of a swap too late does not.
  struct Seen {
    uint64_t looks = 0;
    uint64_t pixels = 0;
    uint64_t wrong = 0;       // pixels that neither layout has there
    uint64_t torn = 0;        // looks that saw some tiles before the move and others after it
    uint64_t mixed = 0;       // looks that saw two frames of a stream
    uint64_t incomplete = 0;  // looks that some receivers gave no pictures for
  };
  PixelOracle(sail::RpcClient& client, uint64_t seed) : client_(client), random_(seed) {}

  // When the wall is at rest: moves a window somewhere, and looks before that is done, or just
  // after. Nobody else may change the layout meanwhile.
  sail::Result<void> verify();
  const Seen& seen() const { return seen_; }

 private:
  struct Window {
    uint32_t number = 0;
    std::optional<uint32_t> picture;  // nothing: it is not marked
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
