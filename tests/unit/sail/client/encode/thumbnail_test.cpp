// Thumbnails sent to the manager: from pixels, from blocks, and of a still picture.
#include <gtest/gtest.h>

#include <algorithm>

#include "sail/client/encode/thumbnail_maker.h"
#include "sail/core/text/encodings.h"
#include "sail/core/time/clock.h"
#include "tests/support/jpeg_reader.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

constexpr Size kPicture{640, 256};

// Red on the left, blue on the right.
std::vector<uint8_t> halves(int seed = 0) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < kPicture.width * kPicture.height; ++i) {
    const bool left = i % kPicture.width < kPicture.width / 2;
    const uint8_t shade = static_cast<uint8_t>(200 + seed);
    pixels.insert(pixels.end(), {left ? uint8_t{0} : shade, 0, left ? shade : uint8_t{0}, 255});
  }
  return pixels;
}

void expect_halves(const Thumbnail& thumbnail) {
  const auto jpeg = base64_bytes(thumbnail.jpeg);
  ASSERT_TRUE(jpeg);
  const test::RgbPicture picture = test::read_jpeg(*jpeg);
  ASSERT_EQ(thumbnail.size, (Size{160, 64}));
  ASSERT_EQ(picture.width, 160);
  ASSERT_EQ(picture.height, 64);
  for (const int y : {4, 32, 60}) {
    EXPECT_GT(picture.at(20, y)[0], 180);
    EXPECT_LT(picture.at(20, y)[2], 40);
    EXPECT_LT(picture.at(140, y)[0], 40);
    EXPECT_GT(picture.at(140, y)[2], 180);
  }
}

class ThumbnailTest : public ApplicationTest {
 protected:
  void open(const char* of_codec) {
    wall.run([&] {
      manager->codec = of_codec;
      manager->first_routes = {left->route({{0, 0, 2, 2}})};
    });
    open_session();
    sail_stream_options options{};
    options.width = kPicture.width;
    options.height = kPicture.height;
    options.codec = of_codec;
    options.delay_ms = SAIL_NO_DELAY;
    stream = sail_stream_open(session, &options, nullptr);
    ASSERT_NE(stream, nullptr);
  }
  void ask() {
    wall.run([this] {
      manager->notify("thumbnails",
                      to_json(ThumbnailRequest{.stream = 5, .width = 160, .per_second = 10}));
    });
  }
  sail_status show(int seed = 0) {
    const auto pixels = halves(seed);
    const sail_frame frame = bgra_frame(pixels, kPicture);
    return sail_submit(stream, &frame, nullptr);
  }
  bool thumbnail_came() {
    return wall.run([this] { return !manager->thumbnails.empty(); });
  }
  // Waits for the thumbnail with this index.
  std::optional<Thumbnail> thumbnail(size_t index = 0) {
    if (!wall.wait([&] { return manager->thumbnails.size() > index; })) return std::nullopt;
    return wall.run([&] { return manager->thumbnails[index]; });
  }
};

TEST_F(ThumbnailTest, NobodyAskedNoneIsMade) {
  open("dxt1");
  for (int i = 0; i < 5; ++i) show(i);
  ASSERT_TRUE(wait_frames(*left, 1));
  ASSERT_TRUE(wall.wait([this] { return !manager->stats.empty(); }));
  EXPECT_TRUE(wall.run([this] { return manager->thumbnails.empty(); }));
}

TEST_F(ThumbnailTest, FramesThatFollowOneAnotherAreTakenFromTheirPixels) {
  open("dxt1");
  ask();
  // A new shade each time: identical pictures are not sent twice.
  for (int i = 0; i < 50 && !thumbnail_came(); ++i) show(i);
  const auto first = thumbnail();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->stream, 5u);
  expect_halves(*first);
}

class StillTest : public ThumbnailTest, public testing::WithParamInterface<const char*> {};

// Later requests get it too, made from all blocks, though few are shown.
TEST_P(StillTest, APictureThatStandsStillIsMadeOfItsBlocks) {
  open(GetParam());
  ASSERT_EQ(show(), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  ask();
  const auto first = thumbnail();
  ASSERT_TRUE(first);
  expect_halves(*first);
}

INSTANTIATE_TEST_SUITE_P(, StillTest,
                         testing::Values("dxt1", "dxt5+lz4", "dxt5ycocg+zstd", "raw", "raw+lz4",
                                         "htj2k", "j2k"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

TEST(ThumbnailMaker, IsDueWhenAskedAndThenAtTheRate) {
  ThumbnailMaker maker({640, 360}, {});
  EXPECT_FALSE(maker.take_due(kSecondNs));
  maker.request({.stream = 1, .width = 100, .per_second = 2});
  EXPECT_TRUE(maker.take_due(kSecondNs));
  EXPECT_FALSE(maker.take_due(kSecondNs + kSecondNs / 4));
  EXPECT_TRUE(maker.take_due(kSecondNs + kSecondNs / 2));
  maker.request({.stream = 1, .width = 100, .per_second = 0});
  EXPECT_FALSE(maker.take_due(100 * kSecondNs));
}

TEST(ThumbnailMaker, KeepsTheAspectAndItsBounds) {
  const std::vector<uint8_t> pixels(4 * 100 * 400, 77);
  codecs::ImageView image;
  image.width = 100;
  image.height = 400;
  image.planes[0] = pixels.data();
  image.strides[0] = 400;
  ThumbnailMaker maker({100, 400}, {});
  maker.request({.stream = 1, .width = 200, .per_second = 2});
  const auto made = maker.make(image, 1);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size, (Size{50, 200}));
  EXPECT_FALSE(maker.make(image, 2));  // looks the same
  maker.request({.stream = 1, .width = 640, .per_second = 2});
  EXPECT_EQ(maker.make(image, 3)->size, (Size{100, 400}));
  // The largest size with noise stays within the limit.
  ThumbnailMaker large({640, 640}, {});
  std::vector<uint8_t> noise(4 * 640 * 640);
  uint32_t state = 1;
  for (uint8_t& byte : noise)
    byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  image = {};
  image.width = image.height = 640;
  image.planes[0] = noise.data();
  image.strides[0] = 4 * 640;
  large.request({.stream = 1, .width = 640, .per_second = 2});
  const auto noisy = large.make(image, 1);
  ASSERT_TRUE(noisy);
  EXPECT_LE(base64_bytes(noisy->jpeg)->size(), kMaxThumbnailBytes);
}

}  // namespace
}  // namespace sail
