// Takes pictures of the whole wall, one after another, for scripts/bench operation. Prints a line
// of JSON for each: when it was taken, a hash of all tiles, the number of black pixels, and whether
// tiles show different frames of a window. Runs until killed.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "sail/core/command_line/command_line.h"
#include "sail/core/rpc/rpc_client.h"
#include "ui/client/wall_picture.h"

namespace {

// Hash of the pixels of all tiles, whatever the order in which the receivers answered.
size_t hash_of(const sail::Snapshot& snapshot) {
  size_t hash = 0;
  for (const sail::TilePicture& tile : snapshot.pictures) {
    std::string bytes = tile.tile;
    bytes.append(reinterpret_cast<const char*>(tile.bgra.data()), tile.bgra.size());
    hash += std::hash<std::string>{}(bytes);
  }
  return hash >> 12;  // an integer that every JSON reader keeps
}

size_t black_pixels(const sail::Snapshot& snapshot) {
  size_t black = 0;
  for (const sail::TilePicture& tile : snapshot.pictures) {
    for (size_t i = 0; i + 3 < tile.bgra.size(); i += 4) {
      black += tile.bgra[i] + tile.bgra[i + 1] + tile.bgra[i + 2] == 0 ? 1 : 0;
    }
  }
  return black;
}

sail::Result<void> look(const std::string& manager) {
  const auto address = sail::manager_address(manager);
  if (!address) return address.error();
  auto client = sail::RpcClient::connect(*address);
  if (!client) return client.error();
  for (;;) {
    const auto taken = ui::take_tile_pictures(**client, 1);
    if (!taken) return taken.error();
    int64_t taken_ns = 0;
    for (const sail::TilePicture& tile : taken->snapshot.pictures) {
      taken_ns = std::max(taken_ns, tile.taken_ns);
    }
    fmt::print("{{\"taken_ns\": {}, \"tiles\": {}, \"hash\": {}, \"black\": {}, \"mixed\": {}}}\n",
               taken_ns, taken->snapshot.pictures.size(), hash_of(taken->snapshot),
               black_pixels(taken->snapshot), !ui::agrees(taken->snapshot));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("seen_pictures", "Tells when the picture of the whole wall changes.");
  std::string manager;
  line.option("--manager", manager, "its address").form("HOST:PORT");
  return line.run(argc, argv, [&] { return look(manager); });
}
