#include "tests/bench/film/panel_films.h"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "sail/core/wall/wall.h"
#include "sail/media/film/film_cut.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/pictures/planar_yuv.h"

namespace bench {
namespace {

constexpr uint64_t kFrames = 30;

// Writes YUV4MPEG2, which every film reader supports: a text line, then frames of planes.
sail::Result<void> write_planes(const std::string& name, sail::Size size, int fps) {
  const MovingPicture picture(size);
  const PlanarYuv planes(picture.whole(), picture.stride(), picture.whole_size());
  std::ofstream file(name, std::ios::binary);
  file << fmt::format("YUV4MPEG2 W{} H{} F{}:1 Ip A1:1 C420mpeg2\n", size.width, size.height, fps);
  for (uint64_t n = 0; n < kFrames; ++n) {
    file << "FRAME\n";
    const auto [x, y] = MovingPicture::offset(n);
    const sail_frame frame = planes.frame(x, y);
    for (int plane = 0; plane < 3; ++plane) {
      const int half = plane == 0 ? 1 : 2;
      for (int row = 0; row < size.height / half; ++row) {
        const uint8_t* bytes = frame.planes[plane] + row * frame.strides[plane];
        file.write(reinterpret_cast<const char*>(bytes), size.width / half);
      }
    }
  }
  if (file.flush()) return {};
  return sail::fail(sail::ErrorCode::kIo, fmt::format("cannot write {}", name));
}

}  // namespace

sail::Result<std::vector<Panel>> make_panels(BenchWall& wall, const std::string& film,
                                             const std::string& codec, int fps) {
  const std::string wall_file = wall.folder() + "/wall.json";
  const auto tiles = sail::load_wall(wall_file);
  if (!tiles) return tiles.error();
  std::string source = film;
  if (film.empty()) {
    source = wall.folder() + "/film.y4m";
    if (auto written = write_planes(source, tiles->size, fps); !written) return written.error();
  }
  const std::string output = wall.folder() + "/panel.vmov";
  auto made = wall.run_program("vitrail",
                               {"convert", source, output, "--wall", wall_file, "--codec", codec});
  if (film.empty()) std::filesystem::remove(source);
  if (!made) return made.error();
  std::vector<Panel> panels;
  for (const sail::Tile& tile : tiles->tiles) {
    panels.push_back({sail::panel_name(output, tile.name), tile.wall_rect});
  }
  return panels;
}

}  // namespace bench
