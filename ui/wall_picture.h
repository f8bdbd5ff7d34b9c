// The whole wall as one picture, put together from what each tile shows at one instant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/client/snapshot.h"
#include "sail/net/rpc_client.h"
#include "sail/wall/wall.h"
#include "sail/wire/json.h"

namespace ui {

struct WallPicture {
  sail::Size size;              // wall pixels
  std::vector<uint8_t> pixels;  // B, G, R, 255; what no tile shows is black
  struct TileFrame {
    std::string tile;
    uint32_t window = 0;
    uint64_t frame = 0;
  };
  std::vector<TileFrame> frames;     // which frame of which window each tile showed
  std::vector<std::string> missing;  // tiles whose receiver gave no picture
};

// What every tile's display shows at one instant: its own pixels, rotation included.
struct TilePictures {
  sail::Wall wall;
  sail::Snapshot snapshot;
};
// Asks the manager for an instant and all receivers for their tiles at it. A receiver on a busy
// machine may hear of a swap too late for the instant: when tiles show different frames of a window
// the picture is taken again, up to so many times; what they showed is in the result in any case.
sail::Result<TilePictures> take_tile_pictures(sail::RpcClient& client, int tries = 5);

// Whether all tiles show the same frame of each window.
bool agrees(const sail::Snapshot& snapshot);

// Turned upright and put together.
WallPicture wall_picture(const TilePictures& tiles);

sail::Result<void> write_png(const WallPicture& picture, const std::string& path);
sail::Json picture_json(const WallPicture& picture, const std::string& path);
std::string picture_text(const WallPicture& picture, const std::string& path);

}  // namespace ui
