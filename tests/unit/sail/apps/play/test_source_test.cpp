#include "sail/apps/play/test_source.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sail/apps/play/test_card_reader.h"

namespace sail {
namespace {

uint32_t frame_on(const Picture& picture) {
  codecs::ImageView view;
  view.width = picture.size.width;
  view.height = picture.size.height;
  view.planes[0] = picture.pixels.planes[0];
  view.strides[0] = picture.pixels.strides[0];
  const auto patches = read_test_card(view);
  return patches.empty() ? 0 : patches.front().frame;
}

TEST(TestUrl, Parses) {
  EXPECT_EQ(parse_test_url("test:")->size, (Size{1920, 1080}));
  EXPECT_EQ(parse_test_url("test:")->fps, 30);
  EXPECT_EQ(parse_test_url("test:64x32")->size, (Size{64, 32}));
  EXPECT_EQ(parse_test_url("test:64x32@12.5")->fps, 12.5);
  for (const char* wrong :
       {"test", "test:64", "test:0x3", "test:64x32@", "test:64x32@0", "test:64x32@-1",
        "test:64x32@nan", "test:99999x1", "test:64x32 ", "film.mp4"}) {
    EXPECT_FALSE(parse_test_url(wrong)) << wrong;
  }
}

TEST(TestSource, FramesCountFromOne) {
  TestSource source({{128, 64}, 25});
  for (uint32_t n = 1; n <= 5; ++n) {
    const auto picture = source.next();
    ASSERT_TRUE(picture && *picture);
    EXPECT_EQ(frame_on(**picture), n);
    EXPECT_EQ((*picture)->pts_ns, (n - 1) * 40'000'000);
    EXPECT_EQ((*picture)->duration_ns, 40'000'000);
  }
}

TEST(TestSource, SeeksToTheFrameSeenThen) {
  TestSource source({{128, 64}, 29.97});
  for (uint32_t n : {1U, 2U, 3U, 100U, 54321U}) {
    const int64_t time = std::llround((n - 1) * 1e9 / 29.97);
    ASSERT_TRUE(source.seek(time));
    EXPECT_EQ(frame_on(**source.next()), n);
    ASSERT_TRUE(source.seek(time + 30'000'000));
    EXPECT_EQ(frame_on(**source.next()), n);
  }
  ASSERT_TRUE(source.seek(-5));
  EXPECT_EQ(frame_on(**source.next()), 1U);
}

}  // namespace
}  // namespace sail
