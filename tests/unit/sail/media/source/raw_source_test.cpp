#include "sail/media/source/raw_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace sail {
namespace {

// A pipe into which a thread writes pieces of a given size.
class Feed {
 public:
  Feed(std::vector<uint8_t> bytes, size_t piece) {
    EXPECT_EQ(pipe(ends_), 0);
    writer_ = std::thread([this, bytes = std::move(bytes), piece] {
      for (size_t at = 0; at < bytes.size(); at += piece) {
        const size_t count = std::min(piece, bytes.size() - at);
        EXPECT_EQ(write(ends_[1], bytes.data() + at, count), static_cast<ssize_t>(count));
      }
      close(ends_[1]);
    });
  }
  ~Feed() {
    writer_.join();
    close(ends_[0]);
  }
  int descriptor() const { return ends_[0]; }

 private:
  int ends_[2] = {-1, -1};
  std::thread writer_;
};

std::vector<uint8_t> counted(size_t bytes) {
  std::vector<uint8_t> values(bytes);
  std::iota(values.begin(), values.end(), uint8_t{0});
  return values;
}

TEST(RawFormat, Parses) {
  const auto format = parse_raw_format("5x3@29.97:i420");
  ASSERT_TRUE(format);
  EXPECT_EQ(format->size, (Size{5, 3}));
  EXPECT_EQ(format->fps, 29.97);
  EXPECT_EQ(format->pixels, SAIL_I420);
  for (const char* wrong : {"", "5x3:rgb", "5x3@25", "5x3@25:yuv", "5x3@25:", "x3@25:rgb",
                            "5x3@:rgb", "0x3@25:rgb", "5x99999@25:rgb", "5x3@1e9:rgb"}) {
    EXPECT_FALSE(parse_raw_format(wrong)) << wrong;
  }
}

TEST(RawSource, ReadsFramesFromShortReads) {
  const RawFormat format{{4, 2}, 50, SAIL_RGBA};
  const auto bytes = counted(3 * 32);
  Feed feed(bytes, 7);
  RawSource source(feed.descriptor(), format, {});
  for (size_t n = 0; n < 3; ++n) {
    const auto picture = source.next();
    ASSERT_TRUE(picture && *picture);
    EXPECT_EQ((*picture)->pts_ns, static_cast<int64_t>(n) * 20'000'000);
    EXPECT_EQ((*picture)->pixels.strides[0], 16);
    for (size_t i = 0; i < 32; ++i) ASSERT_EQ((*picture)->pixels.planes[0][i], bytes[n * 32 + i]);
  }
  const auto end = source.next();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(RawSource, PlanesOfOddSizes) {
  const auto bytes = counted(15 + 2 * 6);
  {
    Feed feed(bytes, 100);
    RawSource source(feed.descriptor(), {{5, 3}, 25, SAIL_I420}, {});
    const auto picture = source.next();
    ASSERT_TRUE(picture && *picture);
    const sail_frame& pixels = (*picture)->pixels;
    EXPECT_EQ(pixels.planes[1][0], 15);
    EXPECT_EQ(pixels.planes[2][0], 21);
    EXPECT_EQ(pixels.strides[0], 5);
    EXPECT_EQ(pixels.strides[1], 3);
    EXPECT_EQ(pixels.strides[2], 3);
  }
  Feed feed(bytes, 100);
  RawSource source(feed.descriptor(), {{5, 3}, 25, SAIL_NV12}, {});
  const auto picture = source.next();
  ASSERT_TRUE(picture && *picture);
  EXPECT_EQ((*picture)->pixels.planes[1][0], 15);
  EXPECT_EQ((*picture)->pixels.strides[1], 6);
}

TEST(RawSource, PlanesOf422HaveEveryRow) {
  const auto bytes = counted(15 + 2 * 9);
  Feed feed(bytes, 100);
  RawSource source(feed.descriptor(), {{5, 3}, 25, SAIL_I422}, {});
  const auto picture = source.next();
  ASSERT_TRUE(picture && *picture);
  EXPECT_EQ((*picture)->pixels.planes[1][0], 15);
  EXPECT_EQ((*picture)->pixels.planes[2][0], 24);
  const auto end = source.next();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(RawSource, DeepSamplesHaveTwoBytes) {
  const auto bytes = counted(2 * (15 + 2 * 6));
  Feed feed(bytes, 100);
  RawSource source(feed.descriptor(), parse_raw_format("5x3@25:yuv420p10").value(), {});
  const auto picture = source.next();
  ASSERT_TRUE(picture && *picture);
  const sail_frame& pixels = (*picture)->pixels;
  EXPECT_EQ(pixels.format, SAIL_I420_DEEP);
  EXPECT_EQ(pixels.bits, 10);
  EXPECT_EQ(pixels.planes[1][0], 30);
  EXPECT_EQ(pixels.planes[2][0], 42);
  EXPECT_EQ(pixels.strides[0], 10);
  EXPECT_EQ(pixels.strides[2], 6);
  const auto end = source.next();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(RawSource, FullChromaAndDeepRgb) {
  const auto bytes = counted(3 * 15 + 6 * 15);
  Feed feed(bytes, 100);
  {
    RawSource source(feed.descriptor(), parse_raw_format("5x3@25:i444").value(), {});
    const auto picture = source.next();
    ASSERT_TRUE(picture && *picture);
    EXPECT_EQ((*picture)->pixels.planes[2][0], 30);
    EXPECT_EQ((*picture)->pixels.strides[2], 5);
  }
  RawSource source(feed.descriptor(), parse_raw_format("5x3@25:rgb48").value(), {});
  const auto picture = source.next();
  ASSERT_TRUE(picture && *picture);
  EXPECT_EQ((*picture)->pixels.bits, 16);
  EXPECT_EQ((*picture)->pixels.strides[0], 30);
  EXPECT_EQ((*picture)->pixels.planes[0][0], 45);
}

TEST(RawSource, APartialFrameIsNamed) {
  Feed feed(counted(24 + 5), 10);
  RawSource source(feed.descriptor(), {{4, 2}, 25, SAIL_RGB}, {});
  ASSERT_TRUE(source.next());
  const auto partial = source.next();
  ASSERT_FALSE(partial);
  EXPECT_EQ(partial.error().message, "the input ends within frame 2: received 5 of 24 bytes");
}

TEST(RawSource, CanBeStoppedWhileNothingComes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  int asked = 0;
  RawSource source(ends[0], {{4, 2}, 25, SAIL_RGB}, [&] { return ++asked > 2; });
  const auto end = source.next();
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
  close(ends[0]);
  close(ends[1]);
}

TEST(RawSource, CannotSeek) {
  RawSource source(0, {{4, 2}, 25, SAIL_RGB}, {});
  EXPECT_FALSE(source.seek(0));
}

}  // namespace
}  // namespace sail
