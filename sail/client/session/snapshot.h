// Fetches pictures of what the tiles show at one instant from the receivers' data ports
// (PROTOCOL.md, "snapshot"). The caller gets the instant and the secret from the manager's
// "snapshot" verb. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"

namespace sail {

// One receiver to fetch from.
struct SnapshotSource {
  struct Tile {
    std::string name;
    Size size;  // in the display's own pixels
  };
  std::string receiver;
  Address data_address;
  uint64_t secret = 0;
  // Expected tiles, once each. Anything else is rejected before memory is allocated.
  std::vector<Tile> tiles;
};

struct TilePicture {
  std::string tile;
  Size size;
  int64_t taken_ns = 0;  // wall time
  std::vector<PictureBegin::WindowFrame> windows;
  std::vector<uint8_t> bgra;  // B, G, R, 255; rows top to bottom without padding
};

struct Snapshot {
  std::vector<TilePicture> pictures;  // complete ones, in the order of sources and tiles
  struct Failure {
    std::string receiver;
    Error error;
  };
  std::vector<Failure> failures;  // receivers that did not deliver all their tiles
};

// Asks all receivers at once. Calls back once, when each has answered or failed or at the timeout.
// Destroying the returned guard cancels.
std::shared_ptr<void> take_snapshot(Loop& loop, const std::vector<SnapshotSource>& sources,
                                    int64_t at_ns, int64_t timeout_ms,
                                    std::function<void(Snapshot)> callback);

}  // namespace sail
