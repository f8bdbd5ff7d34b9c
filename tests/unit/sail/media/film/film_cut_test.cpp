#include "sail/media/film/film_cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sail/media/vmov/vmov_reader.h"
#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

using Pixel = std::array<int, 3>;  // B, G, R

ConvertOptions raw_options(const std::string& input, const std::string& output) {
  ConvertOptions options;
  options.input = input;
  options.output = output;
  options.codec = parse_codec_spec("raw").value();
  options.threads = 2;
  options.overwrite = true;
  return options;
}

Wall wall_of(const std::string& text) {
  auto wall = parse_wall(text);
  EXPECT_TRUE(wall) << wall.error().message;
  return wall ? *wall : Wall();
}

std::string run_all(Result<std::vector<std::unique_ptr<FilmConverter>>> panels) {
  if (!panels) return panels.error().message;
  for (bool more = true; more;) {
    more = false;
    for (const auto& panel : *panels) {
      const auto step = panel->step();
      if (!step) return step.error().message;
      more |= *step;
    }
  }
  for (const auto& panel : *panels) {
    if (const auto finished = panel->finish(); !finished) return finished.error().message;
  }
  return "";
}

// Reads pixels of a film in the raw codec.
class RawFilm {
 public:
  explicit RawFilm(const std::string& name) {
    auto reader = VmovReader::open(name);
    EXPECT_TRUE(reader) << reader.error().message;
    if (reader) reader_.emplace(std::move(*reader));
  }
  size_t frames() const { return reader_ ? reader_->frame_count() : 0; }
  Size size() const { return reader_ ? reader_->header().frame_size : Size(); }
  void load(size_t number) { ASSERT_TRUE(reader_->read(number, frame_)); }
  Pixel at(int x, int y) const {
    const BlockGrid grid(size(), reader_->header().block_size);
    size_t offset = 0;
    for (int row = 0; row < grid.rows(); ++row) {
      for (int column = 0; column < grid.columns(); ++column) {
        const Rect rect = grid.block_rect(column, row);
        if (rect.contains(x, y)) {
          const auto in_block = static_cast<size_t>((y - rect.y) * rect.width + x - rect.x);
          const auto bytes = frame_.bytes.subspan(offset + 4 * in_block, 4);
          return {bytes[0], bytes[1], bytes[2]};
        }
        offset += 4 * static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height);
      }
    }
    return {-1, -1, -1};
  }

 private:
  std::optional<VmovReader> reader_;
  VmovFrame frame_;
};

// Pictures whose red encodes the column, green the row, and blue the frame.
constexpr const char* kTellingPixels =
    "-f lavfi -i \"nullsrc=s=200x120:r=25,format=gbrp,geq=r=X:g=Y:b=10*N\" -frames:v 20 ";

void expect_each_tile_to_get_its_pixels(const TempFolder& folder, const std::string& film) {
  const Wall wall =
      wall_of(R"({"grid": {"columns": 2, "rows": 1, "resolution": [97, 120], "mullion": [6, 0]}})");
  ASSERT_EQ(wall.size, (Size{200, 120}));
  const std::string output = folder.file("cut.vmov");
  ASSERT_EQ(run_all(open_panels(raw_options(film, output), wall)), "");
  for (const Tile& tile : wall.tiles) {
    RawFilm panel(panel_name(output, tile.name));
    ASSERT_EQ(panel.frames(), 20U);
    ASSERT_EQ(panel.size(), (Size{97, 120}));
    for (int n = 0; n < 20; ++n) {
      panel.load(static_cast<size_t>(n));
      for (int y = 0; y < 120; y += 7) {
        for (int x = 0; x < 97; x += 3) {
          ASSERT_EQ(panel.at(x, y), (Pixel{10 * n, y, tile.wall_rect.x + x})) << x << "," << y;
        }
      }
    }
  }
}

TEST(FilmCut, EachTileGetsItsPixelsOfEachPicture) {
  const TempFolder folder;
  expect_each_tile_to_get_its_pixels(
      folder, make_clip(folder, "film.mkv", kTellingPixels + std::string("-c:v ffv1")));
}

TEST(FilmCut, PicturesOfAFolderAreCutAlike) {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "scans");
  make_clip(folder, "scans/picture-%d.png", kTellingPixels);  // 10 must follow 9
  expect_each_tile_to_get_its_pixels(folder, folder.file("scans"));
}

TEST(FilmCut, SubsampledPicturesAreCutWithTheirChroma) {
  const TempFolder folder;
  const std::string film = make_clip(
      folder, "film.mp4", "-f lavfi -i testsrc2=s=256x128:r=25 -frames:v 3 -pix_fmt yuv420p");
  const Wall wall = wall_of(
      R"({"grid": {"columns": 2, "rows": 2, "resolution": [120, 60], "mullion": [16, 8]}})");
  ASSERT_EQ(wall.size, (Size{256, 128}));
  const std::string output = folder.file("cut.vmov");
  ASSERT_EQ(run_all(open_panels(raw_options(film, output), wall)), "");
  std::vector<std::unique_ptr<FilmConverter>> one;
  auto whole = FilmConverter::open(raw_options(film, folder.file("whole.vmov")));
  ASSERT_TRUE(whole) << whole.error().message;
  one.push_back(std::move(*whole));
  ASSERT_EQ(run_all(std::move(one)), "");
  RawFilm all(folder.file("whole.vmov"));
  all.load(2);
  for (const Tile& tile : wall.tiles) {
    RawFilm panel(panel_name(output, tile.name));
    panel.load(2);
    for (int y = 2; y < 58; y += 3) {
      for (int x = 2; x < 118; x += 3) {
        ASSERT_EQ(panel.at(x, y), all.at(tile.wall_rect.x + x, tile.wall_rect.y + y))
            << tile.name << " " << x << "," << y;
      }
    }
  }
}

TEST(FilmCut, WhatCannotBeCutSaysWhy) {
  const TempFolder folder;
  const std::string film =
      make_clip(folder, "film.mp4", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 3");
  ConvertOptions options = raw_options(film, folder.file("cut.vmov"));
  const Wall large = wall_of(R"({"grid": {"columns": 5, "rows": 1, "resolution": [4096, 60]}})");
  EXPECT_THAT(run_all(open_panels(options, large)), testing::HasSubstr("20480x60"));
  options = raw_options(make_clip(folder, "deep.mkv",
                                  "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 3 -pix_fmt "
                                  "yuv420p10le -c:v ffv1"),
                        folder.file("cut.vmov"));
  options.codec = parse_codec_spec("htj2k").value();
  const Wall odd =
      wall_of(R"({"grid": {"columns": 2, "rows": 1, "resolution": [96, 60], "mullion": [5, 0]}})");
  EXPECT_THAT(run_all(open_panels(options, odd)), testing::HasSubstr("inside a chroma sample"));
  EXPECT_EQ(panel_name("a/film.vmov", "left"), "a/film-left.vmov");
  EXPECT_EQ(panel_name("film", "left"), "film-left");
}

}  // namespace
}  // namespace sail
