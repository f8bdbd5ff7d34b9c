// Large pictures in many tiles: whole slides, pictures of DeepZoom, levels of any factor; and what
// posters report about files before they are shown.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/poster/poster.h"
#include "sail/apps/show/deep_zoom.h"
#include "sail/apps/show/still_file.h"
#include "sail/media/film/film_files.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/still/vips_library.h"
#include "tests/support/desktop/stills.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

constexpr Size kMosaic{4096, 2048};

// A TIFF of grey pages that are one tile each; all pages after the first are marked as reduced.
std::string grey_pages(const std::vector<std::pair<Size, uint8_t>>& pages) {
  std::string file("II*\0\x8\0\0\0", 8);
  const auto put = [&](uint32_t value, int size) {
    for (int i = 0; i < size; ++i) file += static_cast<char>(value >> (8 * i));
  };
  const auto entry = [&](uint32_t tag, uint32_t value) {
    put(tag, 2);
    put(4, 2);
    put(1, 4);
    put(value, 4);
  };
  constexpr uint32_t kEntries = 12, kDirectory = 2 + kEntries * 12 + 4;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto [size, grey] = pages[i];
    const auto width = static_cast<uint32_t>(size.width);
    const auto height = static_cast<uint32_t>(size.height);
    const auto at = static_cast<uint32_t>(file.size()) + kDirectory;
    put(kEntries, 2);
    entry(254, i > 0 ? 1 : 0);
    for (const auto& [tag, value] :
         std::vector<std::pair<uint32_t, uint32_t>>{{256, width},
                                                    {257, height},
                                                    {258, 8},
                                                    {259, 1},
                                                    {262, 1},
                                                    {277, 1},
                                                    {284, 1},
                                                    {322, width},
                                                    {323, height},
                                                    {324, at},
                                                    {325, width * height}}) {
      entry(tag, value);
    }
    put(i + 1 < pages.size() ? at + width * height : 0, 4);
    file.append(static_cast<size_t>(width) * height, static_cast<char>(grey));
  }
  return file;
}

std::string descriptor(const std::string& attributes, const std::string& inside,
                       const std::string& root = "Image") {
  return R"(<?xml version="1.0"?><)" + root +
         R"( xmlns="http://schemas.microsoft.com/deepzoom/2008" )" + attributes + ">" + inside +
         "</" + root + ">";
}

class LargePictureTest : public testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.file(name); }
  static std::unique_ptr<Still> open(const std::string& path) {
    auto still = open_still(path);
    EXPECT_TRUE(still) << still.error().message;
    return still ? std::move(*still) : nullptr;
  }
  static std::string why_not(const std::string& path) {
    const auto still = open_still(path);
    return still ? "it can be shown" : still.error().message;
  }
  static int grey(const Raster& raster, int x, int y) {
    const uint8_t* pixel = raster.at(x, y);
    return pixel[0] == pixel[1] && pixel[1] == pixel[2] ? pixel[0] : -1;
  }
  // Expects the mosaic exactly, at a scale of 1, a half, a quarter and so on.
  static void expect_mosaic(Still& still, double scale) {
    const PageView view{.frame = {200, 150}, .left = 960, .top = 448, .scale = scale};
    const auto raster = still.draw(view);
    ASSERT_TRUE(raster) << raster.error().message;
    const int step = static_cast<int>(std::lround(1 / scale));
    int wrong = 0;
    for (int y = 0; y < view.frame.height; ++y) {
      for (int x = 0; x < view.frame.width; ++x) {
        wrong += grey(*raster, x, y) != test::mosaic(960 + x * step, 448 + y * step) ? 1 : 0;
      }
    }
    EXPECT_EQ(wrong, 0) << "at a scale of " << scale;
  }
  VipsHandle mosaic() const {
    test::write_mosaic(path("mosaic.tif"), kMosaic, test::Levels::kNone);
    auto image = open_vips({.name = path("mosaic.tif")}, {}, VIPS_ACCESS_RANDOM);
    auto copy = image ? in_memory(*image, "the mosaic") : std::move(image);
    EXPECT_TRUE(copy);
    return copy ? std::move(*copy) : nullptr;
  }
  // As a scanner of Aperio writes, which OpenSlide recognizes by the description.
  std::string write_slide(const char* name) const {
    const VipsHandle image = mosaic();
    vips_image_set_string(image.get(), "image-description",
                          "Aperio Image Library v1\r\n4096x2048 (256x256)|AppMag = 20");
    EXPECT_EQ(vips_tiffsave(image.get(), path(name).c_str(), "tile", TRUE, "tile_width", 256,
                            "tile_height", 256, "pyramid", TRUE, "bigtiff", TRUE, "compression",
                            VIPS_FOREIGN_TIFF_COMPRESSION_LZW, nullptr),
              0)
        << vips_error_buffer();
    return path(name);
  }
  // Of tiles of 254 pixels that overlap by one.
  std::string write_deep_zoom() const {
    const VipsHandle image = mosaic();
    EXPECT_EQ(vips_dzsave(image.get(), path("m").c_str(), "suffix", ".png", "tile_size", 254,
                          "overlap", 1, nullptr),
              0)
        << vips_error_buffer();
    return path("m.dzi");
  }

  static void SetUpTestSuite() { ASSERT_TRUE(start_vips(1)); }

  const TempFolder folder_;
};

TEST_F(LargePictureTest, AWholeSlideIsShownByItsLevels) {
  if (vips_type_find("VipsOperation", "openslideload") == 0) {
    GTEST_SKIP() << "this libvips was built without OpenSlide";
  }
  const std::string slide = write_slide("a.svs");
  ASSERT_TRUE(is_slide({.name = slide}));
  const auto still = open(slide);
  ASSERT_TRUE(still);
  EXPECT_EQ(still->pages(), 1);
  const auto info = still->turn_to(0);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->size, kMosaic);
  EXPECT_EQ(info->notice, "");
  for (const double scale : {1.0, 0.5, 0.25, 0.125}) expect_mosaic(*still, scale);
  const auto film = open_decoded_film(slide, {});
  ASSERT_FALSE(film) << "its first picture is another one in slides of other makers";
  EXPECT_NE(film.error().message.find("vitrail show"), std::string::npos);
}

TEST_F(LargePictureTest, PartOfASlideIsASentence) {
  test::write_picture(path("a.jpg"), {64, 64}, [](int, int) { return 0xff0000U; });
  std::filesystem::rename(path("a.jpg"), path("a.mrxs"));
  EXPECT_NE(why_not(path("a.mrxs")).find("beside it"), std::string::npos);
  EXPECT_FALSE(open_decoded_film(path("a.mrxs"), {}));
  const std::string slide = write_slide("b.svs");
  std::filesystem::resize_file(slide, std::filesystem::file_size(slide) / 3);
  const auto still = open_still(slide);
  EXPECT_FALSE(still && (*still)->turn_to(0) &&
               (*still)->draw({.frame = {4096, 2048}, .left = 0, .top = 0, .scale = 1}));
}

TEST_F(LargePictureTest, LevelsOfATiffMayBeAQuarter) {
  const auto still = open(
      folder_.write("a.tif", grey_pages({{{512, 256}, 50}, {{128, 64}, 100}, {{32, 16}, 150}})));
  ASSERT_TRUE(still);
  EXPECT_EQ(still->pages(), 1);
  ASSERT_TRUE(still->turn_to(0));
  for (const auto& [scale, expected] : {std::pair(1.0, 50), {0.25, 100}, {0.0625, 150}}) {
    const auto raster = still->draw({.frame = {30, 15}, .left = 0, .top = 0, .scale = scale});
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(grey(*raster, 15, 7), expected);
  }
}

TEST_F(LargePictureTest, DeepZoomIsExactAtEveryLevel) {
  const auto still = open(write_deep_zoom());
  ASSERT_TRUE(still);
  const auto info = still->turn_to(0);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->size, kMosaic);
  for (const double scale : {1.0, 0.5, 0.25, 0.125}) expect_mosaic(*still, scale);
  const auto corner = still->draw({.frame = {90, 90}, .left = 4046, .top = 1998, .scale = 1});
  ASSERT_TRUE(corner) << corner.error().message;
  EXPECT_EQ(grey(*corner, 49, 49), test::mosaic(4095, 2047));
  EXPECT_EQ(grey(*corner, 50, 49), 0) << "beside the picture";
}

TEST_F(LargePictureTest, OnlyVisibleTilesOfDeepZoomAreRead) {
  const auto still = open(write_deep_zoom());
  ASSERT_TRUE(still);
  ASSERT_TRUE(still->turn_to(0));
  std::filesystem::remove(path("m_files/12/1_1.png"));
  EXPECT_TRUE(still->draw({.frame = {100, 100}, .left = 100, .top = 100, .scale = 1}));
  EXPECT_EQ(still->defects(), "");
  test::write_picture(path("m_files/12/1_1.png"), {256, 256}, [](int, int) { return 0x777777U; });
  const auto drawn = still->draw({.frame = {100, 100}, .left = 300, .top = 300, .scale = 1});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(grey(*drawn, 50, 50), 0x77);
  EXPECT_EQ(still->defects(), "");
}

// Tiles of 254 pixels: the view shows the corner where four of them meet.
TEST_F(LargePictureTest, TheAreaOfADefectiveTileOfDeepZoomIsCoarseAndTheRestIsSharp) {
  const std::string picture = write_deep_zoom();
  // The next level shows another grey, to be recognised.
  test::write_picture(path("m_files/11/0_0.png"), {255, 255}, [](int, int) { return 0x555555U; });
  std::filesystem::remove(path("m_files/12/1_1.png"));
  const auto still = open(picture);
  ASSERT_TRUE(still);
  ASSERT_TRUE(still->turn_to(0));
  const PageView there{.frame = {100, 100}, .left = 204, .top = 204, .scale = 1};
  const auto drawn = still->draw(there);
  ASSERT_TRUE(drawn) << drawn.error().message;
  int wrong = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      const bool coarse = x >= 50 && y >= 50;
      const int expected = coarse ? 0x55 : test::mosaic(204 + x, 204 + y);
      wrong += std::abs(grey(*drawn, x, y) - expected) > (coarse ? 1 : 0) ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_NE(still->defects().find("1 tile is missing or damaged"), std::string::npos)
      << still->defects();
  EXPECT_NE(still->defects().find("1_1.png is missing"), std::string::npos) << still->defects();
  // Each tile counts once.
  ASSERT_TRUE(still->draw(there));
  EXPECT_NE(still->defects().find("1 tile is"), std::string::npos) << still->defects();
}

TEST_F(LargePictureTest, DamagedTilesOfDeepZoomAreCounted) {
  const std::string picture = write_deep_zoom();
  test::write_picture(path("m_files/12/0_0.png"), {255, 254}, [](int, int) { return 0U; });
  std::filesystem::resize_file(path("m_files/12/1_0.png"), 100);
  std::filesystem::remove(path("m_files/12/16_8.png"));
  const auto still = open(picture);
  ASSERT_TRUE(still);
  ASSERT_TRUE(still->turn_to(0));
  ASSERT_TRUE(still->draw({.frame = {400, 100}, .left = 0, .top = 0, .scale = 1}));
  for (const char* words : {"2 tiles are", "0_0.png has 255x254 pixels instead of 255x255"}) {
    EXPECT_NE(still->defects().find(words), std::string::npos) << still->defects();
  }
  ASSERT_TRUE(still->draw({.frame = {100, 100}, .left = 3996, .top = 1948, .scale = 1}));
  EXPECT_NE(still->defects().find("3 tiles are"), std::string::npos) << still->defects();
}

TEST_F(LargePictureTest, WithoutCoarserTilesDeepZoomIsBlackThere) {
  const std::string picture = write_deep_zoom();
  for (const char* level : {"7", "8", "9", "10", "11", "12"}) {
    std::filesystem::remove(path("m_files/") + level + "/0_0.png");
  }
  const auto still = open(picture);
  ASSERT_TRUE(still);
  ASSERT_TRUE(still->turn_to(0));
  const auto drawn = still->draw({.frame = {300, 100}, .left = 0, .top = 0, .scale = 1});
  ASSERT_TRUE(drawn) << drawn.error().message;
  EXPECT_EQ(grey(*drawn, 100, 50), 0);
  EXPECT_EQ(grey(*drawn, 299, 50), test::mosaic(299, 50));
  EXPECT_NE(still->defects().find("6 tiles are"), std::string::npos) << still->defects();
}

TEST_F(LargePictureTest, MissingFoldersOfDeepZoomAreNamed) {
  const std::string picture = write_deep_zoom();
  std::filesystem::remove_all(path("m_files/10"));
  EXPECT_NE(why_not(picture).find("m_files/10, too"), std::string::npos);
  std::filesystem::remove_all(path("m_files"));
  EXPECT_NE(why_not(picture).find("m_files, too"), std::string::npos);
}

TEST(DeepZoomDescriptor, ItsBoundsAreChecked) {
  const std::string size = R"(<Size Width="7026" Height="9221"/>)";
  const auto good = parse_deep_zoom(
      descriptor(R"(TileSize="256" Overlap="2" Format="jpg")", "<!-- a map -->" + size));
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(*good, (DeepZoom{{7026, 9221}, 256, 2, "jpg"}));
  EXPECT_EQ(good->top(), 14);
  EXPECT_EQ(good->size_of(13), (Size{3513, 4611}));
  EXPECT_EQ(good->size_of(0), (Size{1, 1}));
  EXPECT_EQ(good->tile_at(14, 1, 0), (Rect{254, 0, 260, 258}));
  EXPECT_EQ(good->tile_at(14, 27, 36), (Rect{6910, 9214, 116, 7}));

  const std::string usual = R"(TileSize="256" Overlap="2" Format="jpg")";
  for (const auto& [xml, why] : std::vector<std::pair<std::string, std::string>>{
           {descriptor(usual, ""), "has no element Size"},
           {descriptor(usual, R"(<Size Width="0" Height="9"/>)"), "has no Width from 1"},
           {descriptor(usual, R"(<Size Width="9" Height="9999999999"/>)"), "has no Height from 1"},
           {descriptor(R"(TileSize="1" Overlap="0" Format="jpg")", size),
            "has no TileSize from 64"},
           {descriptor(R"(TileSize="256" Overlap="129" Format="jpg")", size), "has no Overlap"},
           {descriptor(R"(TileSize="256" Overlap="0" Format="/../a")", size),
            "has tiles of the format"},
           {descriptor(usual, size + "<DisplayRects><DisplayRect/></DisplayRects>"), "is sparse"},
           {descriptor(usual, size, "Collection"), "has the root element Collection"},
           {descriptor(usual, size + "<Size"), "is not valid XML"}}) {
    const auto parsed = parse_deep_zoom(xml);
    ASSERT_FALSE(parsed) << xml;
    EXPECT_TRUE(parsed.error().message.starts_with(why)) << parsed.error().message;
  }
}

TEST_F(LargePictureTest, FactsAreReportedBeforeAFileIsShown) {
  test::write_picture(path("rows.png"), {48, 64}, [](int, int) { return 0x808080U; });
  const auto rows = open_vips({.name = path("rows.png")}, {}, VIPS_ACCESS_RANDOM);
  ASSERT_TRUE(rows);
  const VipsHandle paged = std::move(*in_memory(*rows, "rows"));
  vips_image_set_int(paged.get(), "page-height", 32);
  ASSERT_EQ(vips_tiffsave(paged.get(), path("two.btf").c_str(), "bigtiff", TRUE, nullptr), 0);
  const std::string avif =
      "ffmpeg -nostdin -loglevel error -y -f lavfi -i color=s=48x32 -frames:v 1 "
      "-c:v libaom-av1 -cpu-used 8 -still-picture 1 ";
  ASSERT_EQ(std::system((avif + path("a.avif")).c_str()), 0);
  const Json whole{{"size", {kMosaic.width, kMosaic.height}}};
  const Json small{{"size", {48, 32}}};
  const Json pages{{"size", {48, 32}}, {"pages", 2}};
  for (const auto& [file, expected] :
       std::vector<std::pair<std::string, Json>>{{write_slide("a.svs"), whole},
                                                 {write_deep_zoom(), whole},
                                                 {path("two.btf"), pages},
                                                 {path("a.avif"), small}}) {
    const auto facts = file_facts(file);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(*facts, expected) << file;
    const auto poster = make_poster(file, {64, 64});
    ASSERT_TRUE(poster) << poster.error().message;
    EXPECT_GT(poster->size(), 100U) << file;
  }
}

TEST_F(LargePictureTest, TheSizeOfALargePhotoIsThatOfItsHeader) {
  const std::string photo = path("a.jpg");
  test::write_picture(photo, {4000, 3000},
                      [](int x, int y) { return static_cast<uint32_t>(x ^ y) & 0xffU; });
  test::hide_quantisation_tables(photo);
  const auto facts = file_facts(photo);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(*facts, (Json{{"size", {4000, 3000}}})) << "no pixel was read";
  EXPECT_FALSE(make_poster(photo, {64, 64}));
}

TEST_F(LargePictureTest, AnAnimationHasADuration) {
  for (const char* name : {"a.gif", "a.webp"}) {
    const std::string file = path(name);
    const std::string command =
        "ffmpeg -nostdin -loglevel error -y -f lavfi -i testsrc2=s=48x32:r=10 -frames:v 5 ";
    ASSERT_EQ(std::system((command + file).c_str()), 0) << name;
    const auto facts = file_facts(file);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_EQ(facts->at("size"), Json({48, 32})) << name;
    EXPECT_NEAR(facts->value("duration_s", 0.0), 0.5, 0.15) << name;
  }
}

}  // namespace
}  // namespace sail
