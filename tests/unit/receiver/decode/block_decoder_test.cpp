#include "receiver/decode/block_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "codecs/color/convert.h"
#include "receiver/intake/frame_assembler.h"
#include "tests/unit/receiver/frame/frames.h"

namespace receiver {
namespace {

using codecs::CodecId;
using Place = std::pair<int, int>;  // column, row

// 3 × 2 blocks, the last ones smaller.
const sail::BlockGrid kDecodedGrid({75, 50}, {32, 32});
const std::vector<Place> kAll{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}};

// Frames of one connection, decoded in order.
class BlockDecoderTest : public testing::Test {
 protected:
  // A complete frame with these blocks of `from`; other blocks are those of the frame before.
  std::unique_ptr<Frame> frame(const TestFrame& from, const std::vector<Place>& places) {
    begin(from);
    for (const auto& [column, row] : places) put(column, row, from.block(column, row));
    return end(places.size());
  }
  // A frame with these bytes as the block in that place.
  std::unique_ptr<Frame> frame_with(const TestFrame& from, const Place& place,
                                    const std::vector<uint8_t>& bytes) {
    begin(from);
    put(place.first, place.second, bytes);
    return end(1);
  }
  void begin(const TestFrame& like) {
    ++number_;
    ASSERT_TRUE(assembler_.begin({.frame = number_,
                                  .epoch = 1,
                                  .base = std::exchange(base_, number_),
                                  .reduction = static_cast<uint8_t>(like.reduction),
                                  .color = like.color}));
  }
  void put(int column, int row, const std::vector<uint8_t>& bytes) {
    const std::vector<uint32_t> lengths{static_cast<uint32_t>(bytes.size())};
    const auto place = assembler_.place(
        {number_, static_cast<uint16_t>(row), static_cast<uint16_t>(column), 1}, lengths);
    ASSERT_TRUE(place) << place.error().text;
    std::copy(bytes.begin(), bytes.end(), place->begin());
    assembler_.placed();
  }
  std::unique_ptr<Frame> end(size_t blocks) {
    auto ended = assembler_.end({.frame = number_, .block_count = static_cast<uint32_t>(blocks)});
    EXPECT_TRUE(ended && ended->whole);
    return std::move(ended->frame);
  }
  void decode(Frame& frame, uint64_t decoded, uint64_t concealed = 0) {
    const BlockDecoder::Counts counts = decoder_.decode(frame);
    EXPECT_EQ(counts.decoded, decoded);
    EXPECT_EQ(counts.concealed, concealed);
    EXPECT_EQ(counts.why.empty(), concealed == 0);
    why_ = counts.why;
  }
  static size_t place_of(const std::vector<uint8_t>& bytes, const std::vector<uint8_t>& part) {
    return static_cast<size_t>(std::ranges::search(bytes, part).begin() - bytes.begin());
  }
  void recycle(std::unique_ptr<Frame> frame) {
    assembler_.count_reported();
    assembler_.recycle(std::move(frame));
  }
  void expect_pixels(const Frame& frame, const Place& place, const TestFrame& of) {
    const auto [column, row] = place;
    const sail::Rect rect = frame.grid().block_rect(column, row);
    ASSERT_NE(frame.plain(column, row), nullptr);
    std::vector<uint8_t> all(static_cast<size_t>(rect.width * rect.height) * 4);
    const uint8_t* const pixels = all.data();
    codecs::convert_to_bgra(frame.picture(column, row), 0, 0, rect.width, rect.height,
                            {all.data(), ptrdiff_t{4} * rect.width}, codecs::CpuLevel::kReference);
    for (int y = 0; y < rect.height; ++y) {
      ASSERT_TRUE(std::equal(pixels + y * rect.width * 4, pixels + (y + 1) * rect.width * 4,
                             of.picture.at(rect.x, rect.y + y)))
          << column << ", " << row << ": row " << y;
    }
  }

  std::mt19937 random_{1};
  sail::WorkerPool pool_{2};
  BlockDecoder decoder_{pool_};
  FrameAssembler assembler_{
      {.stream = 1, .session = 1, .codec = {.id = CodecId::kHtj2k}, .grid = kDecodedGrid}};
  uint64_t number_ = 0;
  uint64_t base_ = 0;
  std::string why_;  // why a block of the last frame was concealed
};

TEST_F(BlockDecoderTest, DecodesWhatCame) {
  const TestFrame first = j2k_frame(kDecodedGrid, random_);
  auto part = frame(first, {{1, 0}, {2, 1}});
  decode(*part, 2);
  expect_pixels(*part, {1, 0}, first);
  expect_pixels(*part, {2, 1}, first);
  EXPECT_EQ(part->plain(0, 0), nullptr);
  recycle(std::move(part));
  auto whole = frame(first, kAll);
  decode(*whole, 6);
  for (const Place& place : kAll) expect_pixels(*whole, place, first);
}

TEST_F(BlockDecoderTest, DecodesABlockOnce) {
  const TestFrame first = j2k_frame(kDecodedGrid, random_);
  const TestFrame second = j2k_frame(kDecodedGrid, random_);
  auto shown = frame(first, kAll);
  decode(*shown, 6);
  auto next = frame(second, {{0, 1}});
  decode(*next, 1);
  expect_pixels(*next, {0, 1}, second);
  expect_pixels(*shown, {0, 1}, first);
  for (const Place& place : kAll) {
    if (place == Place{0, 1}) continue;
    expect_pixels(*next, place, first);
    EXPECT_EQ(next->plain(place.first, place.second), shown->plain(place.first, place.second))
        << "it is the same, not a copy";
  }
  auto still = frame(second, {});
  decode(*still, 0);
  expect_pixels(*still, {0, 1}, second);
}

// Frames that are held keep their pixels; returned memory is reused.
TEST_F(BlockDecoderTest, TakesNoMoreMemoryThanFramesAreHeld) {
  std::vector<TestFrame> pictures;
  for (int i = 0; i < 5; ++i) pictures.push_back(j2k_frame(kDecodedGrid, random_));
  std::vector<std::pair<std::unique_ptr<Frame>, const TestFrame*>> held;
  std::set<const uint8_t*> memory;
  for (size_t i = 0; i < 40; ++i) {
    const TestFrame& picture = pictures[i % pictures.size()];
    auto next = frame(picture, kAll);
    decode(*next, 6);
    memory.insert(next->plain(1, 1));
    held.emplace_back(std::move(next), &picture);
    for (const auto& [frame, of] : held) expect_pixels(*frame, {1, 1}, *of);
    if (held.size() < 3) continue;
    recycle(std::move(held.front().first));
    held.erase(held.begin());
  }
  EXPECT_LE(memory.size(), 3U);
}

TEST_F(BlockDecoderTest, AnUnreadableBlockKeepsThePixelsBeforeIt) {
  const TestFrame first = j2k_frame(kDecodedGrid, random_);
  const TestFrame second = j2k_frame(kDecodedGrid, random_);
  auto shown = frame(first, kAll);
  decode(*shown, 6);
  recycle(std::move(shown));

  const TestFrame other_size = j2k_frame({{75, 50}, {48, 32}}, random_);
  std::vector<uint8_t> cut_off = second.block(1, 0);
  cut_off.resize(20);
  std::vector<uint8_t> cut_end = second.block(1, 0);
  cut_end.resize(cut_end.size() - 20);
  std::vector<uint8_t> mixed = second.block(1, 0);
  mixed[place_of(mixed, {0xff, 0x52}) + 12] |= 0x80;
  const TestFrame subsampled =
      j2k_frame(kDecodedGrid, random_, {.format = codecs::PixelFormat::kI420});
  const std::string unknown = "is damaged or uses unsupported JPEG 2000 features";
  const std::pair<std::vector<uint8_t>, std::string> faults[] = {
      {std::vector<uint8_t>(100, 0xee), unknown},
      {cut_off, unknown},
      {std::vector<uint8_t>{0}, unknown},
      {mixed, "mixes code-blocks of JPEG 2000 Part 1 and Part 15"},
      {other_size.block(0, 0), "has 48×32 pixels instead of 32×32"},
      {subsampled.block(1, 0), "has components that do not match the stream's colour format"},
      {cut_end, "is truncated"}};
  for (const auto& [bytes, why] : faults) {
    auto broken = frame_with(second, {1, 0}, bytes);
    decode(*broken, 0, 1);
    EXPECT_EQ(why_, "is a codestream that " + why);
    for (const Place& place : kAll) expect_pixels(*broken, place, first);
    auto again = frame(second, {});
    decode(*again, 0, 0);  // the block is not tried again
    expect_pixels(*again, {1, 0}, first);
    recycle(std::move(broken));
    recycle(std::move(again));
  }
  auto good = frame(second, {{1, 0}});
  decode(*good, 1);
  expect_pixels(*good, {1, 0}, second);
}

// No message announces the change.
TEST_F(BlockDecoderTest, DepthMayChangeFromFrameToFrame) {
  using codecs::PixelFormat;
  for (const J2kKind& kind : {J2kKind{.format = PixelFormat::kI420},
                              J2kKind{.format = PixelFormat::kI420Deep, .bits = 10},
                              J2kKind{.format = PixelFormat::kI420Deep, .bits = 12},
                              J2kKind{.format = PixelFormat::kI420}}) {
    const TestFrame next = j2k_frame(kDecodedGrid, random_, kind);
    auto shown = frame(next, kAll);
    decode(*shown, 6);
    for (const Place& place : kAll) {
      expect_pixels(*shown, place, next);
      const PixelFormat format = kind.bits == 8 ? PixelFormat::kI420 : PixelFormat::kBgra;
      EXPECT_EQ(shown->picture(place.first, place.second).format, format);
    }
    recycle(std::move(shown));
  }
}

// The rest keeps its content: this shows that it was not decoded.
TEST_F(BlockDecoderTest, DecodesWhatIsWantedOfBlocks) {
  const TestFrame first = j2k_frame(kDecodedGrid, random_);
  auto shown = frame(first, kAll);
  for (const Place& place : kAll) {
    PlainBlockRef memory = shown->decoded_blocks().take(shown->index(place.first, place.second));
    std::fill_n(memory->data(), 32 * 32 * 4, uint8_t{0xa5});
  }
  shown->set_wanted({20, 10, 30, 15});
  decode(*shown, 6);
  EXPECT_EQ(shown->plain_part(0, 0), (sail::Rect{20, 10, 12, 15}));
  EXPECT_EQ(shown->plain_part(1, 0), (sail::Rect{32, 10, 18, 15}));
  EXPECT_TRUE(shown->plain_part(2, 0).empty());
  EXPECT_TRUE(shown->plain_part(1, 1).empty());
  const uint8_t* const pixels = shown->plain(1, 0);
  ASSERT_NE(pixels, nullptr);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const uint8_t* const pixel = pixels + 4 * (32 * y + x);
      const bool wanted = x < 18 && y >= 10 && y < 25;
      ASSERT_TRUE(wanted ? std::equal(pixel, pixel + 4, first.picture.at(32 + x, y))
                         : std::all_of(pixel, pixel + 4, [](int byte) { return byte == 0xa5; }))
          << x << ", " << y;
    }
  }
}

TEST_F(BlockDecoderTest, AnUnreadableFirstBlockHasNoPixels) {
  auto broken = frame_with(j2k_frame(kDecodedGrid, random_), {2, 0}, std::vector<uint8_t>(9, 1));
  decode(*broken, 0, 1);
  EXPECT_EQ(broken->plain(2, 0), nullptr);
  auto again = frame(j2k_frame(kDecodedGrid, random_), {});
  decode(*again, 0);
  EXPECT_EQ(again->plain(2, 0), nullptr);
}

TEST_F(BlockDecoderTest, ReducedFramesBeginAnew) {
  const TestFrame whole = j2k_frame(kDecodedGrid, random_);
  const TestFrame half = j2k_frame(kDecodedGrid, random_, {.reduction = 1});
  auto first = frame(whole, kAll);
  decode(*first, 6);
  base_ = 0;
  auto reduced = frame(half, kAll);
  decode(*reduced, 6);
  EXPECT_EQ(reduced->grid().frame_size(), (sail::Size{38, 25}));
  for (const Place& place : kAll) expect_pixels(*reduced, place, half);
  // The replacement of an unreadable block has the same size.
  base_ = 0;
  auto broken = frame_with(whole, {0, 0}, std::vector<uint8_t>(9, 1));
  decode(*broken, 0, 1);
  EXPECT_EQ(broken->plain(0, 0), nullptr);
}

// --- second stages ------------------------------------------------------------------------------

class SecondStageTest : public testing::TestWithParam<sail::StreamCodec> {
 protected:
  // Blocks alternate between noise, which stays as it is, and one colour, which is compressed.
  std::unique_ptr<Frame> frame(uint64_t number) {
    auto frame = empty_frame(kDecodedGrid, 1, {1, number}, GetParam());
    plain_.clear();
    for (const auto& [column, row] : kAll) {
      const sail::Rect rect = kDecodedGrid.block_rect(column, row);
      std::vector<uint8_t> plain(plain_bytes(GetParam().id, rect.width, rect.height), 0x55);
      if ((column + row) % 2 != 0) {
        for (uint8_t& byte : plain) byte = static_cast<uint8_t>(random_());
      }
      std::vector<uint8_t> sent = plain;
      const size_t shorter =
          codecs::make_second_stage(GetParam().compression)->compress(plain, sent);
      EXPECT_EQ(shorter == 0, (column + row) % 2 != 0);
      if (shorter != 0) sent.resize(shorter);
      put(*frame, column, row, shorter == 0 ? plain : sent);
      plain_.push_back(std::move(plain));
    }
    return frame;
  }

  std::mt19937 random_{1};
  sail::WorkerPool pool_{2};
  BlockDecoder decoder_{pool_};
  std::vector<std::vector<uint8_t>> plain_;  // uncompressed blocks of the last frame()
};

TEST_P(SecondStageTest, GivesWhatWasMadeSmaller) {
  const auto frame = this->frame(1);
  EXPECT_EQ(decoder_.decode(*frame).decoded, kAll.size());
  for (size_t i = 0; i < kAll.size(); ++i) {
    const uint8_t* plain = frame->plain(kAll[i].first, kAll[i].second);
    ASSERT_NE(plain, nullptr);
    EXPECT_TRUE(std::equal(plain_[i].begin(), plain_[i].end(), plain)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllCodecs, SecondStageTest,
    testing::Values(sail::StreamCodec{CodecId::kDxt1, codecs::Compression::kLz4},
                    sail::StreamCodec{CodecId::kDxt1, codecs::Compression::kZstd},
                    sail::StreamCodec{CodecId::kDxt5, codecs::Compression::kLz4},
                    sail::StreamCodec{CodecId::kDxt5YCoCg, codecs::Compression::kZstd},
                    sail::StreamCodec{CodecId::kRaw, codecs::Compression::kLz4},
                    sail::StreamCodec{CodecId::kRaw, codecs::Compression::kZstd}),
    [](const auto& codec) {
      std::string name = sail::codec_name(codec.param);
      std::replace(name.begin(), name.end(), '+', '_');
      return name;
    });

// The formulas are tested with CinemaColor.
TEST_F(BlockDecoderTest, DigitalCinemaIsShownInTheColoursOfTheDisplays) {
  TestFrame cinema = j2k_frame(kDecodedGrid, random_);
  cinema.color = {codecs::ColorMatrix::kXyz, codecs::ColorRange::kFull};
  const auto pixels_on = [&](const codecs::DisplayColor& display) {
    auto shown = frame(cinema, kAll);
    shown->set_display(display);
    decode(*shown, 6);
    const sail::Rect rect = shown->grid().block_rect(0, 0);
    const uint8_t* pixels = shown->plain(0, 0);
    std::vector<uint8_t> copy(pixels, pixels + ptrdiff_t{4} * rect.width * rect.height);
    recycle(std::move(shown));
    return copy;
  };
  const std::vector<uint8_t> usual = pixels_on({});
  EXPECT_NE(pixels_on({codecs::Primaries::kP3, 203, 2.2}), usual);
  EXPECT_EQ(pixels_on({}), usual);
}

// The same bytes have other colours.
TEST_F(BlockDecoderTest, AnotherColourIsDecodedAnew) {
  const J2kKind yuv{.format = codecs::PixelFormat::kI420};
  TestFrame frame_709 = j2k_frame(kDecodedGrid, random_, yuv);
  auto first = frame(frame_709, kAll);
  decode(*first, 6);
  frame_709.color.matrix = codecs::ColorMatrix::kBt601;
  auto second = frame(frame_709, {});
  decode(*second, 6);
  EXPECT_EQ(first->picture(0, 0).matrix, codecs::ColorMatrix::kBt709);
  EXPECT_EQ(second->picture(0, 0).matrix, codecs::ColorMatrix::kBt601);
}

}  // namespace
}  // namespace receiver
