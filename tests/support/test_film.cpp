#include "tests/support/test_film.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "sail/apps/play/test_card.h"
#include "sail/media/film/picture_queue.h"
#include "sail/media/source/picture_encoder.h"
#include "sail/media/vmov/vmov_writer.h"
#include "tests/support/card_reader.h"

namespace test {

void write_test_film(const std::string& name, const TestFilm& film) {
  const sail::CodecSpec spec = sail::parse_codec_spec(film.codec).value();
  const int64_t frame_time_ns = 1'000'000'000 / film.fps;
  const sail::VmovHeader header{.codec = spec.codec,
                                .block_size = sail::default_block_size(spec.codec.id),
                                .frame_size = film.size,
                                .display_size = film.size,
                                .rate = {static_cast<uint32_t>(film.fps), 1},
                                .color = {},
                                .recipe = 0,
                                .made_with = film.codec,
                                .source = "test card"};
  auto writer = sail::VmovWriter::begin(name, header, false);
  ASSERT_TRUE(writer) << writer.error().message;
  sail::TestCard card(film.size, film.fps);
  sail::PictureEncoder encoder(spec);
  sail::PictureBlocks blocks({film.size, header.block_size});
  sail::PictureQueue queue(blocks.grid(), frame_budget(spec, film.size, header.rate));
  for (uint64_t n = 1; n <= film.frames; ++n) {
    const codecs::ImageView view = card.paint(n);
    sail::Picture picture;
    picture.size = film.size;
    picture.pixels.format = SAIL_BGRA;
    picture.pixels.planes[0] = view.planes[0];
    picture.pixels.strides[0] = view.strides[0];
    queue.begin({&picture, 1}, {&blocks, 1});
    queue.work(encoder);
    blocks.join();
    ASSERT_TRUE(writer->append(static_cast<int64_t>(n - 1) * frame_time_ns, frame_time_ns,
                               blocks.lengths(), blocks.bytes()));
  }
  ASSERT_TRUE(writer->finish());
}

void write_test_cards(const std::string& name, const TestFilm& film, const std::string& encoder) {
  const std::string command =
      fmt::format("ffmpeg -v error -y -f rawvideo -pix_fmt bgra -s {}x{} -r {} -i - {} '{}'",
                  film.size.width, film.size.height, film.fps, encoder, name);
  FILE* pipe = popen(command.c_str(), "w");
  ASSERT_NE(pipe, nullptr);
  sail::TestCard card(film.size, film.fps);
  for (uint64_t n = 1; n <= film.frames; ++n) {
    const codecs::ImageView view = card.paint(n);
    for (int y = 0; y < view.height; ++y) {
      const auto bytes = static_cast<size_t>(view.width) * 4;
      ASSERT_EQ(fwrite(view.planes[0] + y * view.strides[0], 1, bytes, pipe), bytes);
    }
  }
  ASSERT_EQ(pclose(pipe), 0);
}

reference::Picture test_card(sail::Size size, uint64_t number) {
  sail::TestCard painter(size, 30);
  const codecs::ImageView view = painter.paint(number);
  reference::Picture picture = reference::black_picture(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    std::copy_n(view.planes[0] + y * view.strides[0], ptrdiff_t{size.width} * 4, picture.at(0, y));
  }
  return picture;
}

std::set<uint32_t> cards_on(const sail::TilePicture& tile) {
  codecs::ImageView view;
  view.format = codecs::PixelFormat::kBgra;
  view.width = tile.size.width;
  view.height = tile.size.height;
  view.planes[0] = tile.bgra.data();
  view.strides[0] = ptrdiff_t{tile.size.width} * 4;
  std::set<uint32_t> cards;
  for (const FoundPatch& patch : read_test_card(view)) cards.insert(patch.frame);
  return cards;
}

std::map<std::string, std::set<uint32_t>> shown_cards(HeadlessWall& wall) {
  std::map<std::string, std::set<uint32_t>> shown;
  for (const sail::TilePicture& tile : wall.tiles().snapshot.pictures) {
    shown[tile.tile] = cards_on(tile);
  }
  return shown;
}

std::set<uint32_t> cards_on_all_tiles(HeadlessWall& wall) {
  std::set<uint32_t> all;
  for (const auto& [tile, cards] : shown_cards(wall)) {
    if (cards.empty()) return {};
    all.insert(cards.begin(), cards.end());
  }
  return all;
}

}  // namespace test
