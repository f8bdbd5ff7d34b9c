// Pictures of what the tiles show at one instant, asked from the receivers' data ports
// (ARCHITECTURE.md, "Time"). Who wants them has the instant and the secret from the manager's
// "snapshot" verb. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"

namespace sail {

// One receiver to ask.
struct SnapshotSource {
  struct Tile {
    std::string name;
    Size size;  // of its picture: the display's own pixels
  };
  std::string receiver;
  Address data_address;
  uint64_t secret = 0;
  std::vector<Tile> tiles;  // each comes once; anything else is refused before memory is taken
};

struct TilePicture {
  std::string tile;
  Size size;
  int64_t taken_ns = 0;  // wall time
  std::vector<PictureBegin::WindowFrame> windows;
  std::vector<uint8_t> bgra;  // B, G, R, 255; rows top to bottom without gaps
};

struct Snapshot {
  std::vector<TilePicture> pictures;  // whole ones, in the order of the sources and their tiles
  struct Failure {
    std::string receiver;
    Error error;
  };
  std::vector<Failure> failures;  // receivers that did not give all of their tiles
};

// Asks all receivers at once. The callback comes once, when each has answered or failed or the time
// is up, unless the returned guard is destroyed before: that cancels.
std::shared_ptr<void> take_snapshot(Loop& loop, const std::vector<SnapshotSource>& sources,
                                    int64_t at_ns, int64_t timeout_ms,
                                    std::function<void(Snapshot)> callback);

}  // namespace sail
