#include "sail/apps/play/test_card.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "codecs/dxt/dxt.h"
#include "tests/support/card_reader.h"

namespace sail {
namespace {

using test::decode_patch;
using test::FoundPatch;
using test::read_test_card;

std::vector<FoundPatch> expected_patches(const TestCard& card, uint32_t frame, const Rect& crop) {
  std::vector<FoundPatch> patches;
  for (int row = 0; row < 256; ++row) {
    for (int column = 0; column < 256; ++column) {
      if (!card.has_patch(column, row)) continue;
      const int x = column * kCardCell + kPatchInset;
      const int y = row * kCardCell + kPatchInset;
      if (x < crop.x || y < crop.y || x + kPatchWidth > crop.right() ||
          y + kPatchHeight > crop.bottom()) {
        continue;
      }
      patches.push_back({frame, x, y, x - crop.x, y - crop.y});
    }
  }
  return patches;
}

codecs::ImageView cropped(const codecs::ImageView& picture, const Rect& crop) {
  codecs::ImageView view = picture;
  view.planes[0] += crop.y * picture.strides[0] + ptrdiff_t{crop.x} * 4;
  view.width = crop.width;
  view.height = crop.height;
  return view;
}

TEST(TestCardPatch, RoundTripsAndRefusesDamage) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    const PatchContent content{static_cast<uint32_t>(random()) & kMaxCardFrame,
                               static_cast<int>(random() % 256), static_cast<int>(random() % 256)};
    PatchSquares squares = encode_patch(content);
    ASSERT_EQ(decode_patch(squares), content);
    squares[random() % squares.size()] ^= static_cast<uint8_t>(1 + random() % 7);
    ASSERT_FALSE(decode_patch(squares));
  }
}

TEST(TestCardPatch, PlainColoursAreNoPatch) {
  for (uint8_t colour = 0; colour < 8; ++colour) {
    PatchSquares squares;
    squares.fill(colour);
    EXPECT_FALSE(decode_patch(squares));
  }
}

TEST(TestCard, EveryWholeCellCarriesItsPatch) {
  for (const Size size : {Size{64, 64}, Size{320, 180}, Size{641, 363}, Size{1000, 600}}) {
    TestCard card(size, 30);
    for (const uint32_t frame : {1U, 2U, 123456U, kMaxCardFrame}) {
      EXPECT_EQ(read_test_card(card.paint(frame)),
                expected_patches(card, frame, {0, 0, size.width, size.height}));
    }
  }
}

TEST(TestCard, SmallPicturesHaveAllCellsAndLargeOnesMost) {
  TestCard small({640, 480}, 30);
  EXPECT_EQ(read_test_card(small.paint(1)).size(), 70U);
  TestCard large({1920, 1080}, 30);
  EXPECT_EQ(read_test_card(large.paint(1)).size(), 480U - 15 * 4);
}

TEST(TestCard, TinyPicturesArePaintedWithoutPatches) {
  for (const Size size : {Size{1, 1}, Size{3, 7}, Size{63, 200}}) {
    TestCard card(size, 30);
    EXPECT_TRUE(read_test_card(card.paint(9)).empty());
  }
}

TEST(TestCard, FoundAtAnyOffsetAndCut) {
  TestCard card({640, 480}, 30);
  const codecs::ImageView picture = card.paint(77);
  std::mt19937 random(2);
  for (int i = 0; i < 30; ++i) {
    const int x = static_cast<int>(random() % 300);
    const int y = static_cast<int>(random() % 200);
    const Rect crop{x, y, 1 + static_cast<int>(random() % (640U - static_cast<unsigned>(x))),
                    1 + static_cast<int>(random() % (480U - static_cast<unsigned>(y)))};
    ASSERT_EQ(read_test_card(cropped(picture, crop)), expected_patches(card, 77, crop));
  }
}

TEST(TestCard, SurvivesDxt1) {
  for (const Size size : {Size{640, 363}, Size{1281, 725}}) {
    for (const codecs::DxtMode mode : {codecs::DxtMode::kFast, codecs::DxtMode::kGood}) {
      TestCard card(size, 30);
      const codecs::ImageView picture = card.paint(4711);
      std::vector<uint8_t> blocks(
          codecs::dxt_bytes(codecs::CodecId::kDxt1, size.width, size.height));
      codecs::dxt_encode(codecs::CodecId::kDxt1, picture, 0, 0, size.width, size.height, mode,
                         blocks.data(), codecs::CpuLevel::kReference);
      std::vector<uint8_t> pixels(static_cast<size_t>(size.width * size.height) * 4);
      const ptrdiff_t stride = ptrdiff_t{size.width} * 4;
      codecs::dxt_decode(codecs::CodecId::kDxt1, blocks.data(), size.width, size.height, 0, 0,
                         size.width, size.height, {pixels.data(), stride},
                         codecs::CpuLevel::kReference);
      codecs::ImageView decoded = picture;
      decoded.planes[0] = pixels.data();
      decoded.strides[0] = stride;
      EXPECT_EQ(read_test_card(decoded),
                expected_patches(card, 4711, {0, 0, size.width, size.height}));
    }
  }
}

TEST(TestCard, MovesAndIsNotFlat) {
  TestCard card({640, 480}, 30);
  const codecs::ImageView view = card.paint(1);
  const std::vector<uint8_t> before(view.planes[0], view.planes[0] + 640 * 480 * 4);
  card.paint(2);
  size_t changed = 0;
  for (size_t i = 0; i < before.size(); i += 4) {
    changed += std::memcmp(&before[i], view.planes[0] + i, 3) != 0 ? 1 : 0;
  }
  EXPECT_GT(changed, 640U * 480 / 8);
  EXPECT_LT(changed, 640U * 480 / 2);
}

TEST(TestCard, PaintsTheSameWhateverCameBefore) {
  TestCard fresh({1000, 600}, 30);
  TestCard used({1000, 600}, 30);
  for (uint64_t frame = 1; frame < 20; ++frame) used.paint(frame * 1000);
  const codecs::ImageView a = fresh.paint(5);
  const codecs::ImageView b = used.paint(5);
  EXPECT_EQ(std::memcmp(a.planes[0], b.planes[0], 1000 * 600 * 4), 0);
}

TEST(TestCardReader, FindsNothingInNoise) {
  std::mt19937 random(3);
  std::vector<uint8_t> pixels(400 * 300 * 4);
  for (uint8_t& byte : pixels) byte = (random() & 1U) != 0 ? 255 : 0;
  codecs::ImageView view;
  view.width = 400;
  view.height = 300;
  view.planes[0] = pixels.data();
  view.strides[0] = 400 * 4;
  EXPECT_TRUE(read_test_card(view).empty());
}

}  // namespace

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
