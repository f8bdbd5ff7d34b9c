// Drawing of stills, and error messages for those that cannot be drawn.
#include "sail/apps/show/still_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/show/still_show.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/still/vips_library.h"
#include "tests/support/desktop/stills.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

uint32_t ramp(int x, int y) {
  return static_cast<uint32_t>(x & 0xff) << 16 | static_cast<uint32_t>(y & 0xff) << 8 | 0x40;
}

class StillFileTest : public testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.file(name); }
  std::string write(const char* name, const std::string& bytes) const {
    return folder_.write(name, bytes);
  }
  static std::unique_ptr<Still> open(const std::string& path) {
    auto still = open_still(path);
    EXPECT_TRUE(still) << still.error().message;
    return still ? std::move(*still) : nullptr;
  }
  static uint32_t colour(const Raster& raster, int x, int y) {
    const uint8_t* pixel = raster.at(x, y);
    return static_cast<uint32_t>(pixel[2]) << 16 | static_cast<uint32_t>(pixel[1]) << 8 | pixel[0];
  }
  static std::string why_not(const std::string& path) {
    auto still = open_still(path);
    if (!still) return still.error().message;
    if (auto info = (*still)->turn_to(0); !info) return info.error().message;
    return "it can be shown";
  }
  // Expects the mosaic drawn at a scale of 1, a half, a quarter and so on.
  static void expect_mosaic(const Raster& raster, const PageView& view) {
    const int step = static_cast<int>(std::lround(1 / view.scale));
    int wrong = 0;
    for (int y = 0; y < view.frame.height; ++y) {
      for (int x = 0; x < view.frame.width; ++x) {
        const int grey = test::mosaic(static_cast<int>(view.left) + x * step,
                                      static_cast<int>(view.top) + y * step);
        wrong += colour(raster, x, y) != static_cast<uint32_t>(grey * 0x010101) ? 1 : 0;
      }
    }
    EXPECT_EQ(wrong, 0) << "at " << view.left << "," << view.top << " by " << view.scale;
  }

  static void SetUpTestSuite() { ASSERT_TRUE(start_vips(1)); }

  const TempFolder folder_;
};

TEST_F(StillFileTest, APictureIsExactAtItsOwnSize) {
  for (const char* name : {"a.png", "a.tif", "a.webp[lossless]"}) {
    test::write_picture(path(name), {200, 100}, ramp);
    name = std::string(name) == "a.webp[lossless]" ? "a.webp" : name;
    const auto still = open(path(name));
    ASSERT_TRUE(still);
    EXPECT_EQ(still->pages(), 1);
    EXPECT_EQ(still->turn_to(0)->size, (Size{200, 100}));
    const auto raster = still->draw({.frame = {220, 60}, .left = -10, .top = 20, .scale = 1});
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_EQ(colour(*raster, 9, 30), 0U);
    EXPECT_EQ(colour(*raster, 10, 0), ramp(0, 20));
    EXPECT_EQ(colour(*raster, 209, 59), ramp(199, 79));
    EXPECT_EQ(colour(*raster, 210, 59), 0U);
  }
}

TEST_F(StillFileTest, PixelsZoomedFarAreSeen) {
  test::write_picture(path("a.png"), {64, 64}, ramp);
  const auto still = open(path("a.png"));
  ASSERT_TRUE(still->turn_to(0));
  const auto raster = still->draw({.frame = {80, 80}, .left = 20, .top = 30, .scale = 8});
  ASSERT_TRUE(raster);
  for (int i = 0; i < 80; i += 8) {
    EXPECT_EQ(colour(*raster, i, i), ramp(20 + i / 8, 30 + i / 8));
    EXPECT_EQ(colour(*raster, i + 7, i + 7), ramp(20 + i / 8, 30 + i / 8));
  }
}

TEST_F(StillFileTest, ALargePictureIsReducedSmoothly) {
  const auto stripes = [](int x, int) { return x % 2 == 0 ? 0xffffffU : 0U; };
  test::write_picture(path("a.png"), {4000, 300}, stripes);
  const auto still = open(path("a.png"));
  ASSERT_TRUE(still->turn_to(0));
  const auto raster = still->draw({.frame = {400, 30}, .left = 0, .top = 0, .scale = 0.1});
  ASSERT_TRUE(raster);
  for (int x = 2; x < 398; ++x) EXPECT_NEAR(colour(*raster, x, 15) & 0xff, 128, 4) << x;
}

TEST_F(StillFileTest, LevelsOfAPyramidAreExact) {
  for (const auto levels : {test::Levels::kPages, test::Levels::kSubifds}) {
    test::write_mosaic(path("p.tif"), {4096, 2048}, levels);
    const auto still = open(path("p.tif"));
    ASSERT_TRUE(still);
    EXPECT_EQ(still->pages(), 1);
    const auto info = still->turn_to(0);
    ASSERT_TRUE(info) << info.error().message;
    EXPECT_EQ(info->size, (Size{4096, 2048}));
    EXPECT_TRUE(info->notice.empty()) << info->notice;
    for (const double scale : {1.0, 0.5, 0.25, 0.125}) {
      const PageView view{.frame = {200, 150}, .left = 1024, .top = 512, .scale = scale};
      const auto raster = still->draw(view);
      ASSERT_TRUE(raster) << raster.error().message;
      expect_mosaic(*raster, view);
    }
  }
}

TEST_F(StillFileTest, ATurnedPyramidIsUprightAtEveryLevel) {
  constexpr Size kStored{4096, 2048};
  test::write_mosaic(path("p.tif"), kStored, test::Levels::kNone);
  const auto stored = open_vips({.name = path("p.tif")}, {}, VIPS_ACCESS_RANDOM);
  ASSERT_TRUE(stored);
  const auto copy = in_memory(*stored, "p.tif");
  ASSERT_TRUE(copy);
  vips_image_set_int(copy->get(), VIPS_META_ORIENTATION, 6);
  for (const bool subifd : {false, true}) {
    ASSERT_EQ(vips_tiffsave(copy->get(), path("side.tif").c_str(), "tile", TRUE, "pyramid", TRUE,
                            "subifd", subifd ? TRUE : FALSE, nullptr),
              0);
    const auto still = open(path("side.tif"));
    ASSERT_TRUE(still);
    EXPECT_EQ(still->pages(), 1);
    EXPECT_EQ(still->turn_to(0)->size, (Size{kStored.height, kStored.width}));
    for (const int step : {1, 2, 4}) {
      const auto raster =
          still->draw({.frame = {100, 100}, .left = 512, .top = 1024, .scale = 1.0 / step});
      ASSERT_TRUE(raster) << raster.error().message;
      for (int i = 8 / step; i < 100; i += 16 / step) {
        // A quarter turn clockwise.
        const int grey = test::mosaic(1024 + i * step, kStored.height - 1 - (512 + i * step));
        EXPECT_EQ(colour(*raster, i, i), static_cast<uint32_t>(grey * 0x010101)) << step;
      }
    }
  }
}

TEST_F(StillFileTest, APdfHasPagesAndKeepsItsColoursAtAnyZoom) {
  test::write_pdf(path("a.pdf"), {400, 300}, {0xff0000, 0x0000ff});
  const auto still = open(path("a.pdf"));
  ASSERT_TRUE(still);
  EXPECT_EQ(still->pages(), 2);
  ASSERT_TRUE(still->turn_to(1));
  const auto whole = still->draw({.frame = {800, 700}, .left = 0, .top = -25, .scale = 2});
  ASSERT_TRUE(whole);
  EXPECT_EQ(colour(*whole, 200, 20), 0U) << "beside the page";
  EXPECT_EQ(colour(*whole, 200, 350), 0x0000ffU);
  EXPECT_EQ(colour(*whole, 600, 350), 0xffffffU);
  const auto part = still->draw({.frame = {100, 100}, .left = 199, .top = 100, .scale = 30});
  ASSERT_TRUE(part);
  EXPECT_EQ(colour(*part, 10, 50), 0x0000ffU);
  EXPECT_EQ(colour(*part, 50, 50), 0xffffffU) << "the edge is where it was";
}

TEST_F(StillFileTest, ADrawingIsSharpAtAnyZoomAndNamesNoFiles) {
  test::write_picture(path("red.png"), {24, 24}, [](int, int) { return 0xff0000U; });
  const auto svg = [](const std::string& inside) {
    return R"(<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" )"
           R"(width="24" height="24">)" +
           inside + "</svg>";
  };
  const auto drawing = open(write("a.svg", svg(R"(<rect width="12" height="24" fill="#00f"/>)")));
  ASSERT_TRUE(drawing);
  const auto info = drawing->turn_to(0);
  EXPECT_EQ(info->size, (Size{24, 24}));
  EXPECT_GT(info->usual_scale, 10) << "a logo is not a stamp";
  const auto raster = drawing->draw({.frame = {500, 480}, .left = -0.5, .top = 0, .scale = 20});
  ASSERT_TRUE(raster) << raster.error().message;
  EXPECT_EQ(colour(*raster, 9, 100), 0U) << "beside the drawing";
  EXPECT_EQ(colour(*raster, 10 + 239, 100), 0x0000ffU);
  EXPECT_EQ(colour(*raster, 10 + 240, 100), 0xffffffU) << "a sharp edge on white";
  for (const std::string& link :
       {path("red.png"), "file://" + path("red.png"), std::string("red.png")}) {
    const auto named = open(
        write("b.svg", svg(R"(<image width="24" height="24" xlink:href=")" + link + R"("/>)")));
    ASSERT_TRUE(named);
    ASSERT_TRUE(named->turn_to(0));
    const auto drawn = named->draw({.frame = {24, 24}});
    ASSERT_TRUE(drawn);
    EXPECT_EQ(colour(*drawn, 12, 12), 0xffffffU) << link;
  }
  EXPECT_NE(why_not(write("c.svg", "<svg but not XML")).find("cannot be read"), std::string::npos);
}

TEST_F(StillFileTest, ADrawingOfManyElementsOrOfItselfIsBounded) {
  const std::string start =
      R"(<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" )"
      R"(width="24" height="24">)";
  std::string many;
  for (int i = 0; i < 1'000'000; ++i) many += "<g/>";
  EXPECT_NE(why_not(write("many.svg", start + many + "</svg>")).find("300000"), std::string::npos);
  const auto itself =
      open(write("itself.svg", start + R"(<g id="a"><use xlink:href="#a"/></g></svg>)"));
  ASSERT_TRUE(itself && itself->turn_to(0));
  EXPECT_TRUE(itself->draw({.frame = {24, 24}}));
}

TEST_F(StillFileTest, AnAnimationIsShownWithAWord) {
  test::write_picture(path("a.png"), {16, 16}, ramp);
  std::ifstream in(path("a.png"), std::ios::binary);
  std::string png((std::istreambuf_iterator<char>(in)), {});
  constexpr size_t kAfterHeader = 33;
  png.insert(kAfterHeader, std::string("\0\0\0\x08"
                                       "acTL\0\0\0\2\0\0\0\0\xf3\x8d\x93\x70",
                                       20));
  const auto info = open(write("moving.png", png))->turn_to(0);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_NE(info->notice.find("moves"), std::string::npos) << info->notice;
}

TEST_F(StillFileTest, OnlyAnimationsAreLeftToThePlayer) {
  const auto make = [&](const char* name, const char* more) {
    const std::string made = path(name);
    const std::string command = "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10 -frames:v ";
    EXPECT_EQ(std::system((command + more + " " + made).c_str()), 0) << name;
    return made;
  };
  const std::vector<std::string> animations = {make("a.gif", "3"), make("a.png", "3 -f apng"),
                                               make("a.webp", "3"),
                                               make("a.avif", "3 -c:v libaom-av1 -cpu-used 8")};
  const std::vector<std::string> stills = {
      make("b.gif", "1"), make("b.png", "1"), make("b.webp", "1"),
      make("b.avif", "1 -c:v libaom-av1 -cpu-used 8 -still-picture 1")};
  ShowOptions options;
  options.files = animations;
  EXPECT_EQ(animation_player(options), std::vector<std::string>()) << "only if it is wanted";
  options.animations = "close";
  options.loop = true;
  std::vector<std::string> line = animation_player(options);
  ASSERT_EQ(line.size(), 3 + animations.size());
  EXPECT_TRUE(line.front().ends_with("bplay"));
  EXPECT_EQ(std::vector<std::string>(line.begin() + 1, line.begin() + 3),
            (std::vector<std::string>{"--loop", "--"}));
  EXPECT_EQ(std::vector<std::string>(line.begin() + 3, line.end()), animations);
  options.animations = "hold";
  for (const std::string& still : stills) {
    options.files = {still};
    EXPECT_EQ(animation_player(options), std::vector<std::string>()) << still;
  }
  options.files = {animations.front(), stills.front()};
  EXPECT_EQ(animation_player(options), std::vector<std::string>()) << "not all of them move";
  for (const std::string& moving : {animations[0], animations[1], animations[2]}) {
    EXPECT_NE(open(moving)->turn_to(0)->notice.find("moves"), std::string::npos) << moving;
  }
  const auto sequence = open_still(animations[3]);
  ASSERT_FALSE(sequence) << "libvips reads it now: change sail/apps/README.md";
  EXPECT_NE(sequence.error().message.find("bplay"), std::string::npos) << sequence.error().message;
}

TEST_F(StillFileTest, ABadFileIsASentence) {
  EXPECT_NE(why_not(path("none.png")).find("does not exist"), std::string::npos);
  EXPECT_NE(why_not(folder_.path()).find("is a folder"), std::string::npos);
  EXPECT_NE(why_not(write("a.txt", "no picture")).find("cannot be read"), std::string::npos);
  const std::string dicom = std::string(128, '\0') + "DICM" + std::string(64, '\0');
  EXPECT_NE(why_not(write("a.dcm", dicom)).find("dcm2img"), std::string::npos);
  EXPECT_NE(why_not(write("a.czi", "ZISRAWFILE")).find("bfconvert"), std::string::npos);
  EXPECT_NE(why_not(write("empty.png", "")).find("cannot be read"), std::string::npos);
  EXPECT_NE(why_not(write("b.pdf", "%PDF-1.4\nnothing more")).find("damaged"), std::string::npos);
}

TEST_F(StillFileTest, HalfAPictureIsShownAsFarAsItGoesWithAWord) {
  const auto colours = [](int x, int y) {
    return static_cast<uint32_t>(x * 7919 + y * 104729) & 0xffffffU;
  };
  test::write_picture(path("a.png"), {300, 300}, colours);
  std::filesystem::resize_file(path("a.png"), std::filesystem::file_size(path("a.png")) / 2);
  const auto still = open(path("a.png"));
  const auto info = still->turn_to(0);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_NE(info->notice.find("damaged"), std::string::npos) << info->notice;
  const auto raster = still->draw({.frame = {300, 300}, .left = 0, .top = 0, .scale = 1});
  ASSERT_TRUE(raster);
  EXPECT_EQ(colour(*raster, 17, 40), colours(17, 40));
}

TEST_F(StillFileTest, APictureOfWhichNothingCanBeReadIsRefused) {
  const std::string png = path("a.png");
  test::write_picture(png, {300, 300}, ramp);
  test::hide_pixels(png);
  EXPECT_NE(why_not(png).find("nothing of its picture can be read"), std::string::npos);
}

// A header of 45 bytes that claims 65535 by 65535 pixels.
TEST_F(StillFileTest, ABombTakesNoMemory) {
  const std::string header(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x02\0\0\0\x39\x67\x4e\x07", 33);
  EXPECT_NE(why_not(write("bomb.png", header)), "it can be shown");
}

}  // namespace
}  // namespace sail
