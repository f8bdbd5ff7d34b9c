// The order and the contents of the reader's answers: sizes and previews of large pages come first.
#include "sail/apps/show/still_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/show/still_file.h"
#include "sail/media/still/vips_image.h"
#include "sail/media/still/vips_library.h"
#include "tests/support/desktop/stills.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

constexpr Size kPhoto{3000, 2000};
constexpr std::chrono::seconds kPatience{60};

// A slope, which is the same at any resolution.
uint32_t slope(int x, int y) {
  return static_cast<uint32_t>(x * 200 / kPhoto.width) << 16 |
         static_cast<uint32_t>(y * 200 / kPhoto.height) << 8 | 0x40;
}

class StillReaderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(start_vips(1)); }

  std::string path(const char* name) const { return folder_.file(name); }
  std::string write_turned_photo() const {
    test::write_picture(path("stored.png"), kPhoto, slope);
    const auto stored = open_vips({.name = path("stored.png")}, {}, VIPS_ACCESS_RANDOM);
    const auto copy = stored ? in_memory(*stored, "stored.png") : stored.error();
    EXPECT_TRUE(copy);
    vips_image_set_int(copy->get(), VIPS_META_ORIENTATION, 6);
    EXPECT_EQ(vips_jpegsave(copy->get(), path("photo.jpg").c_str(), "Q", 95, nullptr), 0);
    return path("photo.jpg");
  }
  static StillReader::Answer next(StillReader& reader) {
    auto answer = reader.take(kPatience);
    EXPECT_TRUE(answer);
    if (!answer) return {{}, {}, Error{}, Error{}};
    EXPECT_TRUE(answer->info && (answer->drawn || answer->preview));
    return std::move(*answer);
  }
  // The picture as it is drawn without previews.
  static Raster exact(const std::string& file, Size frame) {
    auto still = open_still(file);
    EXPECT_TRUE(still);
    const auto info = still ? (*still)->turn_to(0) : still.error();
    EXPECT_TRUE(info);
    if (!info) return Raster(frame);
    auto raster = (*still)->draw(fitted_view(frame, *info));
    EXPECT_TRUE(raster);
    return raster ? std::move(*raster) : Raster(frame);
  }
  static int most_different(const Raster& a, const Raster& b) {
    int most = a.size == b.size ? 0 : 255;
    for (size_t i = 0; most < 255 && i < a.bgra.size(); ++i) {
      most = std::max(most, std::abs(a.bgra[i] - b.bgra[i]));
    }
    return most;
  }

  const TempFolder folder_;
};

TEST_F(StillReaderTest, ALargePhotoIsPreviewedAndThenExact) {
  const std::string photo = write_turned_photo();
  constexpr Size kFrame{800, 1200};  // four tenths of the upright photo
  StillReader reader({photo});
  reader.ask({.what = {}, .frame = kFrame, .view = {}});
  const auto preview = next(reader);
  ASSERT_TRUE(preview.preview && preview.drawn);
  EXPECT_EQ(preview.info->size, (Size{kPhoto.height, kPhoto.width}));
  EXPECT_EQ(preview.drawn->raster.size, (Size{250, 375})) << "an eighth";
  const auto answer = next(reader);
  ASSERT_TRUE(!answer.preview && answer.drawn);
  EXPECT_EQ(answer.info->size, preview.info->size);
  const PageView view = fitted_view(kFrame, *preview.info);
  EXPECT_EQ(answer.drawn->view, view);
  EXPECT_EQ(most_different(answer.drawn->raster, exact(photo, kFrame)), 0);
  Raster coarse(kFrame);
  draw_coarse(coarse, view, *preview.drawn);
  EXPECT_LE(most_different(coarse, answer.drawn->raster), 8);
}

TEST_F(StillReaderTest, APageIsPreviewedOnlyOnce) {
  StillReader reader({write_turned_photo()});
  constexpr Size kFrame{800, 1200};
  reader.ask({.what = {}, .frame = {64, 64}, .view = {}, .size_only = true});
  EXPECT_TRUE(next(reader).preview);
  reader.ask({.what = {}, .frame = kFrame, .view = {}});
  const auto preview = next(reader);
  EXPECT_TRUE(preview.preview && preview.drawn) << "the picture has not been read";
  EXPECT_FALSE(next(reader).preview);
  reader.ask({.what = {}, .frame = kFrame, .view = {}});
  EXPECT_FALSE(next(reader).preview);
}

TEST_F(StillReaderTest, TheSizeOfALargePhotoComesBeforeItsPreview) {
  StillReader reader({write_turned_photo()});
  reader.ask({.what = {}, .frame = {800, 1200}, .view = {}, .size_first = true});
  const auto size = next(reader);
  EXPECT_TRUE(size.preview && !size.drawn);
  EXPECT_EQ(size.info->size, (Size{kPhoto.height, kPhoto.width}));
  EXPECT_EQ(size.frame, (Size{800, 1200}));
  const auto preview = next(reader);
  EXPECT_TRUE(preview.preview && preview.drawn);
  EXPECT_EQ(preview.info->size, size.info->size);
  EXPECT_FALSE(next(reader).preview);
}

TEST_F(StillReaderTest, TheSizeOfALargePhotoIsKnownWithoutItsPixels) {
  const std::string photo = write_turned_photo();
  std::filesystem::resize_file(photo, std::filesystem::file_size(photo) / 2);
  StillReader reader({photo});
  reader.ask({.what = {}, .frame = {64, 64}, .view = {}, .size_only = true});
  const auto size = next(reader);
  EXPECT_TRUE(size.preview && !size.drawn);
  EXPECT_EQ(size.info->size, (Size{kPhoto.height, kPhoto.width}));
  reader.ask({.what = {}, .frame = {800, 1200}, .view = {}});
  EXPECT_FALSE(next(reader).preview) << "nothing else was answered to the first request";
}

TEST_F(StillReaderTest, APhotoOfKnownSizeMayProveUnreadable) {
  const std::string photo = write_turned_photo();
  test::hide_quantisation_tables(photo);
  StillReader reader({photo});
  reader.ask({.what = {}, .frame = {800, 1200}, .view = {}, .size_first = true});
  EXPECT_TRUE(next(reader).preview);
  const auto answer = reader.take(kPatience);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->preview || answer->info || answer->drawn);
}

TEST_F(StillReaderTest, ADamagedPhotoIsNotPreviewed) {
  const std::string photo = write_turned_photo();
  std::filesystem::resize_file(photo, std::filesystem::file_size(photo) / 2);
  StillReader reader({photo});
  reader.ask({.what = {}, .frame = {800, 1200}, .view = {}});
  const auto answer = next(reader);
  EXPECT_FALSE(answer.preview);
  EXPECT_NE(answer.info->notice.find("damaged"), std::string::npos) << answer.info->notice;
}

TEST_F(StillReaderTest, ASmallPhotoIsDrawnAtOnce) {
  test::write_picture(path("a.jpg"), {1500, 1000}, slope);
  StillReader reader({path("a.jpg")});
  reader.ask({.what = {}, .frame = {800, 600}, .view = {}});
  EXPECT_FALSE(next(reader).preview);
}

TEST_F(StillReaderTest, APyramidIsPreviewedByACoarserLevel) {
  test::write_mosaic(path("p.tif"), {4096, 2048}, test::Levels::kPages);
  StillReader reader({path("p.tif")});
  reader.ask({.what = {}, .frame = {3000, 1500}, .view = {}});
  const auto preview = next(reader);
  ASSERT_TRUE(preview.preview && preview.drawn);
  EXPECT_EQ(preview.info->size, (Size{4096, 2048}));
  ASSERT_EQ(preview.drawn->raster.size, (Size{2048, 1024}));
  EXPECT_EQ(*preview.drawn->raster.at(777, 555), test::mosaic(2 * 777, 2 * 555));
  const auto answer = next(reader);
  EXPECT_FALSE(answer.preview);
  EXPECT_EQ(most_different(answer.drawn->raster, exact(path("p.tif"), {3000, 1500})), 0);
}

TEST_F(StillReaderTest, DeepZoomIsPreviewedByACoarserLevel) {
  test::write_mosaic(path("m.tif"), {4096, 2048}, test::Levels::kNone);
  const auto mosaic = open_vips({.name = path("m.tif")}, {}, VIPS_ACCESS_RANDOM);
  ASSERT_TRUE(mosaic);
  ASSERT_EQ(vips_dzsave(mosaic->get(), path("m").c_str(), "suffix", ".png", nullptr), 0);
  StillReader reader({path("m.dzi")});
  reader.ask({.what = {}, .frame = {3000, 1500}, .view = {}, .size_first = true});
  const auto size = next(reader);
  EXPECT_TRUE(size.preview && !size.drawn);
  EXPECT_EQ(size.info->size, (Size{4096, 2048}));
  const auto preview = next(reader);
  ASSERT_TRUE(preview.preview && preview.drawn);
  ASSERT_EQ(preview.drawn->raster.size, (Size{2048, 1024}));
  EXPECT_EQ(*preview.drawn->raster.at(777, 555), test::mosaic(2 * 777, 2 * 555));
  EXPECT_FALSE(next(reader).preview);
}

}  // namespace
}  // namespace sail
