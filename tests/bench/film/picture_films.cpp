#include "tests/bench/film/picture_films.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "sail/core/base/worker_pool.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/wall.h"
#include "sail/media/film/film_cut.h"
#include "sail/media/film/picture_queue.h"
#include "sail/media/vmov/vmov_writer.h"
#include "tests/bench/pictures/moving_picture.h"

namespace bench {
namespace {

constexpr uint64_t kFrames = 30;

}  // namespace

sail::Result<void> write_film(const std::string& name, const ServerFilm& film,
                              const MovingPicture& picture) {
  const auto spec = sail::parse_codec_spec(film.codec);
  if (!spec) return spec.error();
  const sail::VmovHeader header{
      .codec = spec->codec,
      .block_size = sail::default_block_size(spec->codec.id),
      .frame_size = film.size,
      .display_size = film.size,
      .rate = {static_cast<uint32_t>(film.fps), 1},
      .color = film.yuv
                   ? codecs::PictureColor{codecs::ColorMatrix::kBt709, codecs::ColorRange::kLimited}
                   : codecs::PictureColor{},
      .recipe = 0,
      .made_with = film.codec,
      .source = "moving picture"};
  auto writer = sail::VmovWriter::begin(name, header, true);
  if (!writer) return writer.error();
  std::optional<PlanarYuv> yuv;
  if (film.yuv) yuv.emplace(picture.whole(), picture.stride(), picture.whole_size());
  sail::WorkerPool pool(sail::WorkerPool::default_threads());
  std::vector<sail::PictureEncoder> encoders;
  for (int i = 0; i <= pool.threads(); ++i) encoders.emplace_back(*spec);
  sail::PictureBlocks blocks({film.size, header.block_size});
  sail::PictureQueue queue(blocks.grid(), frame_budget(*spec, film.size, header.rate));
  const bool terminal = isatty(STDERR_FILENO) == 1;
  for (uint64_t n = 0; n < kFrames; ++n) {
    sail::Picture frame;
    frame.size = film.size;
    frame.pixels.format = SAIL_BGRA;
    frame.pixels.planes[0] = picture.frame(n);
    frame.pixels.strides[0] = picture.stride();
    const auto [x, y] = MovingPicture::offset(n);
    if (yuv) frame.pixels = yuv->frame(x, y);
    if (yuv) frame.pixels.matrix = SAIL_BT709;
    if (yuv) frame.pixels.range = SAIL_LIMITED;
    queue.begin({&frame, 1}, {&blocks, 1});
    pool.for_each(encoders.size(), [&](size_t lane) { queue.work(encoders[lane]); });
    blocks.join();
    const int64_t time_ns = sail::kSecondNs / film.fps;
    auto done = writer->append(static_cast<int64_t>(n) * time_ns, time_ns, blocks.lengths(),
                               blocks.bytes());
    if (!done) return done;
    if (terminal) fmt::print(stderr, "\rEncoding the film: {} of {} frames", n + 1, kFrames);
  }
  if (terminal) fmt::print(stderr, "\n");
  return writer->finish();
}

sail::Result<pid_t> play_from_server(BenchWall& wall, const ServerFilm& film,
                                     const MovingPicture& picture) {
  const std::string films = wall.folder() + "/films";
  std::filesystem::create_directory(films);
  if (auto written = write_film(films + "/film.vmov", film, picture); !written) {
    return written.error();
  }
  const std::string port_file = wall.folder() + "/server-port";
  auto server = wall.start_program(
      "vitrail-server", {"--films", films, "--listen", "127.0.0.1:0", "--port-file", port_file,
                         "--manager", wall.manager_address(), "--log-level", "warning"});
  if (!server) return server;
  const auto port = BenchWall::wait_for_port(port_file);
  if (!port) return port.error();
  auto player = wall.start_program(
      "bplay", {fmt::format("server://127.0.0.1:{}/film.vmov", *port), "--manager",
                wall.manager_address(), "--loop", "--quiet", "--place",
                fmt::format("0,0,{}x{}", film.size.width, film.size.height)});
  if (!player) return player;
  return server;
}

namespace {

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
