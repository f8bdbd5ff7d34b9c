// A picture of the whole wall, assembled from snapshots of all tiles at one instant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/client/session/snapshot.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"

namespace ui {

struct WallPicture {
  sail::Size size;              // wall pixels
  std::vector<uint8_t> pixels;  // B, G, R, 255; areas without a tile are black
  struct TileFrame {
    std::string tile;
    uint32_t window = 0;
    uint64_t frame = 0;
  };
  std::vector<TileFrame> frames;     // the frame of each window that each tile showed
  std::vector<std::string> missing;  // tiles whose receiver sent no picture
  sail::Json frozen{};               // windows that are frozen; null: none
};

// Display pixels of every tile at one instant, before rotation is undone.
struct TilePictures {
  sail::Wall wall;
  sail::Snapshot snapshot;
  sail::Json frozen{};  // windows that are frozen; null: none
  int64_t at_ns = 0;    // the instant asked for, wall time; a busy receiver takes its picture later
};
// Asks the manager for an instant and all receivers for their tiles at that instant. A receiver on
// a busy machine may get a swap too late; then tiles show different frames of a window, and the
// snapshot is repeated, `tries` times at most. The last snapshot is returned even if tiles
// disagree.
sail::Result<TilePictures> take_tile_pictures(sail::RpcClient& client, int tries = 5);

// Returns true if all tiles show the same frame of each window.
bool agrees(const sail::Snapshot& snapshot);

// Rotates the tiles upright and assembles them.
WallPicture wall_picture(const TilePictures& tiles);

// Returns the kind of picture by the path's file extension. Empty optional: another extension.
enum class PictureKind : uint8_t { kPng, kJpeg };
constexpr const char* kPictureExtensions = ".png, .jpg or .jpeg";
std::optional<PictureKind> picture_kind(const std::string& path);

// Writes the kind of picture that the path's file extension selects.
sail::Result<void> write_picture(const WallPicture& picture, const std::string& path);
sail::Json picture_json(const WallPicture& picture, const std::string& path);
std::string picture_text(const WallPicture& picture, const std::string& path);

}  // namespace ui
