// Reads the number drawn into the pictures of a page that scripts/bench guest shares, as visible on
// the wall. Prints it with the time as a line of JSON for each check. Runs until killed.
#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <optional>
#include <random>
#include <string>

#include "sail/core/command_line/command_line.h"
#include "sail/core/rpc/rpc_client.h"
#include "ui/client/wall_picture.h"

namespace {

// As drawn by tests/page/bench/guest_bench.js: a square for each bit, highest first, after a white
// and a black square.
constexpr int kBits = 22;
constexpr int kSide = 64;

std::optional<uint32_t> number_in(const sail::TilePicture& tile) {
  if (tile.size.width < (kBits + 2) * kSide || tile.size.height < kSide) return std::nullopt;
  const auto is_white = [&tile](int square) -> std::optional<bool> {
    const int x = square * kSide + kSide / 2;
    const int level = tile.bgra[static_cast<size_t>(kSide / 2 * tile.size.width + x) * 4 + 1];
    constexpr int kSure = 64;  // margin in levels, after two codecs
    if (level > kSure && level < 255 - kSure) return std::nullopt;
    return level > 127;
  };
  if (is_white(0) != true || is_white(1) != false) return std::nullopt;
  uint32_t number = 0;
  for (int bit = 0; bit < kBits; ++bit) {
    const auto white = is_white(bit + 2);
    if (!white) return std::nullopt;
    number = number << 1 | (*white ? 1U : 0U);
  }
  return number;
}

sail::Result<void> look(const std::string& manager, double per_second) {
  const auto address = sail::manager_address(manager);
  if (!address) return address.error();
  auto client = sail::RpcClient::connect(*address);
  if (!client) return client.error();
  // At times unrelated to the arrival of pictures.
  std::mt19937 generator(1);
  std::exponential_distribution<double> pause_s(per_second);
  for (;;) {
    const auto taken = ui::take_tile_pictures(**client, 1);
    if (!taken) return taken.error();
    for (const sail::TilePicture& tile : taken->snapshot.pictures) {
      if (const auto number = number_in(tile)) {
        fmt::print("{{\"taken_ns\": {}, \"number\": {}}}\n", tile.taken_ns, *number);
        std::fflush(stdout);
      }
    }
    const auto lost = (*client)->wait(std::llround(1000 * pause_s(generator)));
    if (lost) return *lost;
  }
}

}  // namespace

int main(int argc, char** argv) {
  sail::CommandLine line("seen_frames", "Tells which frames of a shared page the wall shows.");
  std::string manager;
  double per_second = 10;
  line.option("--manager", manager, "its address").form("HOST:PORT");
  line.option("--per-second", per_second, "looks, on average").positive().form("N").shows_default();
  return line.run(argc, argv, [&] { return look(manager, per_second); });
}
