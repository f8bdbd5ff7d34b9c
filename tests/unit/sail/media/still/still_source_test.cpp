// Stills are the same for films and for vitrail-show; animations have their times.
#include "sail/media/still/still_source.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/apps/show/still_file.h"
#include "sail/media/film/film_files.h"
#include "sail/media/still/vips_library.h"
#include "tests/support/desktop/stills.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

using Rgb = std::array<int, 3>;

constexpr Size kSize{64, 32};

Rgb rgb_at(const Picture& picture, int x, int y) {
  const int samples = picture.pixels.format == SAIL_RGBA ? 4 : 3;
  EXPECT_TRUE(picture.pixels.format == SAIL_RGBA || picture.pixels.format == SAIL_RGB);
  const auto* at = static_cast<const uint8_t*>(picture.pixels.planes[0]) +
                   y * picture.pixels.strides[0] + static_cast<ptrdiff_t>(x) * samples;
  return {at[0], at[1], at[2]};
}

void expect_near(const Rgb& colour, const Rgb& expected, const std::string& where) {
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(colour[i], expected[i], 2) << where;
}

// A TIFF of one row of two pixels, with a palette if there is one: red, green and blue of 256
// colours.
std::string two_pixels(uint16_t photometric, const std::string& pixels,
                       const std::vector<uint16_t>& palette = {}) {
  const auto samples = static_cast<uint32_t>(pixels.size() / 2);
  const uint32_t entries = palette.empty() ? 9 : 10;
  std::string file("II*\0\x8\0\0\0", 8);
  const auto put = [&](uint32_t value, int size) {
    for (int i = 0; i < size; ++i) file += static_cast<char>(value >> (8 * i));
  };
  const uint32_t after = 8 + 2 + entries * 12 + 4;
  const auto entry = [&](uint32_t tag, uint32_t value, uint32_t count = 1) {
    put(tag, 2);
    put(3, 2);
    put(count, 4);
    put(value, 4);
  };
  put(entries, 2);
  entry(256, 2);
  entry(257, 1);
  entry(258, samples == 1 ? 8 : after, samples);
  entry(259, 1);
  entry(262, photometric);
  entry(273, after + 8);
  entry(277, samples);
  entry(278, 1);
  entry(279, static_cast<uint32_t>(pixels.size()));
  if (!palette.empty()) entry(320, after + 16, static_cast<uint32_t>(palette.size()));
  put(0, 4);
  for (int i = 0; i < 4; ++i) put(8, 2);
  file += pixels;
  file.resize(after + 16);
  for (const uint16_t value : palette) put(value, 2);
  return file;
}

class StillSourceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(start_vips(1)); }

  std::string path(const std::string& name) const { return folder_.file(name.c_str()); }
  static std::unique_ptr<Source> open(const std::string& path, const MediaOptions& options = {}) {
    auto source = open_decoded_film(path, options);
    EXPECT_TRUE(source) << source.error().message;
    return source ? std::move(*source) : nullptr;
  }
  static std::optional<Picture> next(Source& source) {
    auto picture = source.next();
    EXPECT_TRUE(picture) << picture.error().message;
    return picture ? std::move(*picture) : std::nullopt;
  }
  // A ramp of this many samples a pixel, from `low` to `high`.
  static VipsHandle ramp(int bands, double low, double high, VipsBandFormat format) {
    std::vector<double> samples;
    for (int y = 0; y < kSize.height; ++y) {
      for (int x = 0; x < kSize.width; ++x) {
        for (int band = 0; band < bands; ++band) {
          const double part = band % 2 == 0 ? static_cast<double>(x) / (kSize.width - 1)
                                            : static_cast<double>(y) / (kSize.height - 1);
          samples.push_back(std::round(low + (high - low) * part * 1000) / 1000);
        }
      }
    }
    const VipsHandle doubles(
        vips_image_new_from_memory_copy(samples.data(), samples.size() * sizeof(double),
                                        kSize.width, kSize.height, bands, VIPS_FORMAT_DOUBLE));
    VipsImage* cast = nullptr;
    EXPECT_EQ(vips_cast(doubles.get(), &cast, format, nullptr), 0);
    const VipsHandle whole(cast);
    VipsImage* meant = nullptr;
    const bool deep = format == VIPS_FORMAT_USHORT;
    const auto grey = deep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    EXPECT_EQ(vips_copy(whole.get(), &meant, "interpretation",
                        bands < 3 ? grey
                        : deep    ? VIPS_INTERPRETATION_RGB16
                                  : VIPS_INTERPRETATION_sRGB,
                        nullptr),
              0);
    return VipsHandle(meant);
  }
  std::string write(const VipsHandle& image, const std::string& name, bool tiles = false) const {
    if (tiles) {
      EXPECT_EQ(vips_tiffsave(image.get(), path(name).c_str(), "tile", TRUE, "tile_width", 16,
                              "tile_height", 16, nullptr),
                0);
    } else {
      EXPECT_EQ(vips_image_write_to_file(image.get(), path(name).c_str(), nullptr), 0)
          << vips_error_buffer();
    }
    return path(name);
  }
  // Expects that both readers show the same, and returns the film's picture.
  static std::optional<Picture> expect_same(const std::string& path) {
    const auto source = open(path);
    const auto still = open_still(path);
    if (!source || !still) return std::nullopt;
    auto picture = next(*source);
    const auto page = (*still)->turn_to(0);
    if (!picture || !page) return std::nullopt;
    EXPECT_EQ(page->size, picture->size) << path;
    const auto raster = (*still)->draw({.frame = picture->size});
    if (!raster) return std::nullopt;
    for (int y = 0; y < picture->size.height; ++y) {
      for (int x = 0; x < picture->size.width; ++x) {
        const uint8_t* pixel = raster->at(x, y);
        expect_near(rgb_at(*picture, x, y), {pixel[2], pixel[1], pixel[0]}, path);
      }
    }
    return picture;
  }

  const TempFolder folder_;
};

TEST_F(StillSourceTest, EveryKindIsTheSameInFilmsAndInVitrailShow) {
  const auto colours = ramp(3, 0, 255, VIPS_FORMAT_UCHAR);
  for (const char* name : {"a.png", "a.jpg", "a.tif", "a.webp"}) {
    EXPECT_TRUE(expect_same(write(colours, name))) << name;
  }
  EXPECT_TRUE(expect_same(write(ramp(1, 0, 65535, VIPS_FORMAT_USHORT), "deep.png")));
}

TEST_F(StillSourceTest, TransparentPixelsAreOverBlackUnlessOpacityIsKept) {
  const auto file = write(ramp(4, 0, 255, VIPS_FORMAT_UCHAR), "alpha.png");
  const auto picture = expect_same(file);
  ASSERT_TRUE(picture);
  expect_near(rgb_at(*picture, 63, 0), {0, 0, 0}, "transparent");
  expect_near(rgb_at(*picture, 63, 31), {255, 255, 255}, "opaque");
  const auto keeping = open(file, {.keep_alpha = true});
  ASSERT_TRUE(keeping);
  const auto kept = next(*keeping);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->pixels.format, SAIL_RGBA);
  expect_near(rgb_at(*kept, 63, 0), {255, 0, 255}, "kept");
}

TEST_F(StillSourceTest, ATiledTiffIsUpright) {
  const auto image = ramp(3, 0, 255, VIPS_FORMAT_UCHAR);
  vips_image_set_int(image.get(), VIPS_META_ORIENTATION, 6);
  const auto picture = expect_same(write(image, "side.tif", true));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->size, (Size{kSize.height, kSize.width}));
  expect_near(rgb_at(*picture, 0, 63), {255, 255, 255}, "the stored bottom right corner");
}

TEST_F(StillSourceTest, InfraredIsNotOpacity) {
  const auto file = write(ramp(4, 0, 255, VIPS_FORMAT_UCHAR), "aerial.tif", true);
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const size_t tag = bytes.find(std::string("\x52\x01\x03\x00\x01\x00\x00\x00", 8));
  ASSERT_NE(tag, std::string::npos);
  bytes[tag + 8] = 0;  // ExtraSamples: unspecified
  const auto picture = expect_same(folder_.write("infrared.tif", bytes));
  ASSERT_TRUE(picture);
  expect_near(rgb_at(*picture, 63, 0), {255, 0, 255}, "dark in the infrared");
}

TEST_F(StillSourceTest, PalettesAndGreyWithFurtherSamplesHaveTheirColours) {
  std::vector<uint16_t> palette(size_t{3} * 256, 0);
  palette[0 * 256 + 7] = palette[1 * 256 + 9] = 0xffff;  // 7 is red, 9 is green
  const auto coloured = expect_same(folder_.write("palette.tif", two_pixels(3, "\7\x9", palette)));
  ASSERT_TRUE(coloured);
  expect_near(rgb_at(*coloured, 0, 0), {255, 0, 0}, "palette");
  expect_near(rgb_at(*coloured, 1, 0), {0, 255, 0}, "palette");
  const auto grey = expect_same(folder_.write("grey4.tif", two_pixels(1, "\x64zzz\x65zz\1")));
  ASSERT_TRUE(grey);
  expect_near(rgb_at(*grey, 0, 0), {100, 100, 100}, "grey");
  expect_near(rgb_at(*grey, 1, 0), {101, 101, 101}, "grey");
}

TEST_F(StillSourceTest, SamplesOfScienceAreShownFromBlackToWhiteWithAWord) {
  const std::vector<std::pair<std::string, VipsHandle>> files = [] {
    std::vector<std::pair<std::string, VipsHandle>> made;
    made.emplace_back("float.tif", ramp(1, 0, 1, VIPS_FORMAT_FLOAT));
    made.emplace_back("heights.tif", ramp(1, -50, 1800, VIPS_FORMAT_SHORT));
    made.emplace_back("microscope.tif", ramp(1, 0, 3800, VIPS_FORMAT_USHORT));
    return made;
  }();
  for (const auto& [name, image] : files) {
    const auto file = write(image, name);
    const auto picture = expect_same(file);
    ASSERT_TRUE(picture) << name;
    expect_near(rgb_at(*picture, 0, 0), {0, 0, 0}, name);
    expect_near(rgb_at(*picture, 32, 0), {130, 130, 130}, name);
    expect_near(rgb_at(*picture, 63, 0), {255, 255, 255}, name);
    const auto complaint = open(file)->take_complaint();
    EXPECT_NE(complaint.value_or("").find("from black to white"), std::string::npos) << name;
  }
}

TEST_F(StillSourceTest, NumberedTiffsInTilesAreAFilm) {
  for (const char* name : {"f.0001.tif", "f.0002.tif"}) {
    test::write_mosaic(path(name), {64, 64}, test::Levels::kNone);
  }
  const auto source = open(path("f.%04d.tif"), {.threads = 1, .sequence_fps = 25});
  ASSERT_TRUE(source);
  for (int i = 0; i < 2; ++i) {
    const auto picture = next(*source);
    ASSERT_TRUE(picture);
    const int grey = test::mosaic(40, 24);
    expect_near(rgb_at(*picture, 40, 24), {grey, grey, grey}, "picture");
  }
  EXPECT_FALSE(next(*source));
}

TEST_F(StillSourceTest, AnAnimatedWebPMovesAndShortPicturesLastAsInBrowsers) {
  const auto red = [](int, int y) { return y < 32 ? 0xff0000U : 0x0000ffU; };
  test::write_picture(path("strip.png"), {64, 64}, red);
  const VipsHandle strip(vips_image_new_from_file(path("strip.png").c_str(), nullptr));
  VipsImage* copy = nullptr;
  ASSERT_EQ(vips_copy(strip.get(), &copy, nullptr), 0);
  const VipsHandle pictures(copy);
  const std::array<int, 2> delays_ms = {5, 40};
  vips_image_set_int(pictures.get(), VIPS_META_PAGE_HEIGHT, 32);
  vips_image_set_array_int(pictures.get(), "delay", delays_ms.data(), 2);
  ASSERT_EQ(vips_webpsave(pictures.get(), path("moving.webp").c_str(), "lossless", TRUE, nullptr),
            0);
  const auto source = open(path("moving.webp"));
  ASSERT_TRUE(source);
  EXPECT_EQ(source->info().duration_ns, 140'000'000);
  const std::array<Rgb, 2> colours = {Rgb{255, 0, 0}, Rgb{0, 0, 255}};
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const auto picture = next(*source);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->size, (Size{64, 32}));
    EXPECT_EQ(picture->pts_ns, i == 0 ? 0 : 100'000'000);
    expect_near(rgb_at(*picture, 5, 5), colours[i], "in order");
  }
  EXPECT_FALSE(next(*source));
  ASSERT_TRUE(source->seek(99'000'000));
  const auto first = next(*source);
  ASSERT_TRUE(first);
  expect_near(rgb_at(*first, 5, 5), colours[0], "after seeking back");
}

TEST_F(StillSourceTest, ADrawingIsTheSameInFilmsAndHasTheSameLimits) {
  const std::string start = R"(<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16">)";
  const std::string half = start + R"(<rect width="12" height="16" fill="#00f"/></svg>)";
  const auto picture = expect_same(folder_.write("a.svg", half));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->size, (Size{24, 16}));
  expect_near(rgb_at(*picture, 6, 8), {0, 0, 255}, "the drawing");
  expect_near(rgb_at(*picture, 18, 8), {255, 255, 255}, "on white");
  const auto why_not = [&](const std::string& file) {
    const auto source = open_decoded_film(folder_.write("b.svg", file), {});
    return source ? std::string("it was opened") : source.error().message;
  };
  std::string many = start;
  for (int i = 0; i < 300'000; ++i) many += "<g/>";
  EXPECT_NE(why_not(many + "</svg>").find("300000 tags"), std::string::npos);
  EXPECT_NE(why_not(start + std::string(16 << 20, ' ') + "</svg>").find("16 MiB"),
            std::string::npos);
  const auto film = MediaSource::open(path("a.svg"), {});
  ASSERT_FALSE(film) << "FFmpeg has no such limits";
  EXPECT_NE(film.error().message.find("SVG drawing"), std::string::npos) << film.error().message;
}

TEST_F(StillSourceTest, PicturesOfSeveralFilesAndSlidesAreRefusedByUrlInASentence) {
  for (const char* scheme : {"https://", "s3://", "sftp://"}) {
    const std::string host = std::string(scheme) + "me:hush@store.invalid/";
    const auto why_not = [&](const char* name) {
      const auto source = open_decoded_film(host + name, {});
      return source ? std::string("it was opened") : source.error().message;
    };
    for (const char* name : {"m.dzi", "m.MRXS", "m.vms?sig=1"}) {
      EXPECT_NE(why_not(name).find("local folder"), std::string::npos) << why_not(name);
      EXPECT_EQ(why_not(name).find("hush"), std::string::npos) << why_not(name);
    }
    for (const char* name : {"m.svs", "m.ndpi?sig=1", "m.SCN", "m.bif"}) {
      EXPECT_NE(why_not(name).find("vitrail show"), std::string::npos) << why_not(name);
    }
  }
}

// Of PNG, third edition: cICP has primaries, transfer, matrix and range, here of BT.2020 with PQ
// and HLG, of BT.2020, and of Display P3.
TEST_F(StillSourceTest, HdrAndWideColoursAreConvertedAsThoseOfFilms) {
  const struct {
    std::string chunk;
    codecs::SourceColor color;
  } cases[] = {{{"\0\0\0\4cICP\x09\x10\0\1\x4d\x23\x23\xfe", 16},
                {codecs::Primaries::kBt2020, codecs::Transfer::kPq}},
               {{"\0\0\0\4cICP\x09\x12\0\1\x4e\xa7\xf7\x90", 16},
                {codecs::Primaries::kBt2020, codecs::Transfer::kHlg}},
               {{"\0\0\0\4cICP\x09\1\0\1\x50\xc7\xea\xb9", 16},
                {codecs::Primaries::kBt2020, codecs::Transfer::kSdr}},
               {{"\0\0\0\4cICP\x0c\x0d\0\1\x6e\x03\xe3\xef", 16},
                {codecs::Primaries::kP3, codecs::Transfer::kSdr}}};
  for (const VipsBandFormat format : {VIPS_FORMAT_UCHAR, VIPS_FORMAT_USHORT}) {
    const double most = format == VIPS_FORMAT_UCHAR ? 255 : 65535;
    std::ifstream plain(write(ramp(3, 0, most, format), "plain.png"), std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(plain)), {});
    for (const auto& one : cases) {
      constexpr size_t kAfterHeader = 33;
      const auto name = folder_.write(
          "hdr.png", file.substr(0, kAfterHeader) + one.chunk + file.substr(kAfterHeader));
      const auto picture = expect_same(name);
      ASSERT_TRUE(picture);
      for (const auto& [x, y] : {std::pair{0, 0}, {20, 10}, {31, 16}, {40, 19}}) {
        const double even = std::round(most * x / 63) / most,
                     odd = std::round(most * y / 31) / most;
        const codecs::Rgb shown = codecs::ColorTransform(one.color, {}).show({even, odd, even});
        const Rgb colour = rgb_at(*picture, x, y);
        // The table is least exact where light is compressed.
        for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(colour[i], 255 * shown[i], 6) << x << "," << y;
      }
    }
  }
}

TEST_F(StillSourceTest, PicturesLookAlikeOnWiderDisplays) {
  const codecs::DisplayColor p3{codecs::Primaries::kP3, 300, 2.2};
  const auto file = write(ramp(3, 0, 255, VIPS_FORMAT_UCHAR), "colours.png");
  const codecs::ColorTransform transform({codecs::Primaries::kBt709, codecs::Transfer::kSdr}, p3);
  const auto source = open(file, {.display = p3});
  const auto deep = open(write(ramp(3, 0, 65535, VIPS_FORMAT_USHORT), "deep.png"),
                         {.for_j2k = true, .display = p3});
  const auto still = open_still(file, p3);
  ASSERT_TRUE(source && deep && still);
  const auto picture = next(*source);
  const auto deep_picture = next(*deep);
  ASSERT_TRUE(picture && deep_picture);
  EXPECT_FALSE(source->take_complaint());
  ASSERT_TRUE((*still)->turn_to(0));
  const auto raster = (*still)->draw({.frame = picture->size});
  ASSERT_TRUE(raster);
  for (const auto& [x, y] : {std::pair{0, 0}, {63, 0}, {0, 31}, {40, 19}}) {
    const double even = std::round(255.0 * x / 63) / 255, odd = std::round(255.0 * y / 31) / 255;
    const codecs::Rgb shown = transform.show({even, odd, even});
    const Rgb colour = rgb_at(*picture, x, y), of_deep = rgb_at(*deep_picture, x, y);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(colour[i], 255 * shown[i], 2) << x << "," << y;
      EXPECT_NEAR(of_deep[i], 255 * shown[i], 3) << x << "," << y;
      EXPECT_NEAR(raster->at(x, y)[2 - i], 255 * shown[i], 2) << x << "," << y;
    }
  }
}

TEST_F(StillSourceTest, OpacityIsKeptOnWiderDisplays) {
  const auto file = write(ramp(4, 0, 255, VIPS_FORMAT_UCHAR), "alpha.png");
  const auto source =
      open(file, {.keep_alpha = true, .display = {codecs::Primaries::kP3, 300, 2.2}});
  ASSERT_TRUE(source);
  const auto picture = next(*source);
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->pixels.format, SAIL_RGBA);
  const uint8_t* pixel = picture->pixels.planes[0] + 31 * picture->pixels.strides[0];
  EXPECT_EQ(pixel[3], 255);
  EXPECT_EQ(picture->pixels.planes[0][3], 0);
}

TEST_F(StillSourceTest, DrawingsLookAlikeOnWiderDisplays) {
  const std::string svg =
      folder_.write("red.svg", R"(<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">)"
                               R"(<rect width="20" height="20" fill="#ff0000"/></svg>)");
  const auto still = open_still(svg, {codecs::Primaries::kP3, 300, 2.2});
  ASSERT_TRUE(still) << still.error().message;
  ASSERT_TRUE((*still)->turn_to(0));
  const auto raster = (*still)->draw({.frame = {20, 20}});
  ASSERT_TRUE(raster);
  const uint8_t* pixel = raster->at(10, 10);
  EXPECT_NEAR(pixel[2], 233, 2);
  EXPECT_NEAR(pixel[1], 54, 2);
  EXPECT_NEAR(pixel[0], 40, 2);
}

TEST_F(StillSourceTest, WhatCannotBeReadIsASentenceWithoutALibrarysWords) {
  const std::string bomb(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x02\0\0\0\x39\x67\x4e\x07", 33);
  const auto huge = open_decoded_film(folder_.write("bomb.png", bomb + std::string(64, '\0')), {});
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().message.find("load"), std::string::npos) << huge.error().message;
  const auto jp2 = std::string("\0\0\0\x0cjP  \r\n\x87\n", 12) + std::string(64, '\0');
  const auto still = open_still(folder_.write("a.jp2", jp2));
  ASSERT_FALSE(still);
  EXPECT_NE(still.error().message.find("bplay"), std::string::npos) << still.error().message;
  EXPECT_EQ(still.error().message.find("blocked"), std::string::npos) << still.error().message;
}

TEST_F(StillSourceTest, APictureOfWhichNothingCanBeReadIsRefused) {
  const std::string png = path("a.png");
  test::write_picture(png, {300, 300},
                      [](int x, int y) { return static_cast<uint32_t>(x * 7919 + y * 104729); });
  test::hide_pixels(png);
  const auto source = open_decoded_film(png, {});
  ASSERT_FALSE(source);
  EXPECT_NE(source.error().message.find("nothing of its picture can be read"), std::string::npos)
      << source.error().message;
}

}  // namespace
}  // namespace sail
