// The marker parser, and the limits that it enforces.
#include <gtest/gtest.h>

#include <algorithm>

#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

Bytes encoded(CodecId codec, PixelFormat format = PixelFormat::kI422) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 90, 70), format);
  Bytes out(max_block_bytes(codec, 90, 70));
  const auto prefix =
      make_j2k_encoder(codec)->encode(frame.view, 0, 0, 90, 70, {.step = 1.0F / 64}, out);
  EXPECT_TRUE(prefix);
  out.resize(prefix ? prefix->front() : 0);
  return out;
}

size_t position_of(const Bytes& bytes, uint8_t marker) {
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    if (bytes[i] == 0xff && bytes[i + 1] == marker) return i;
  }
  return 0;
}

// For SOT, which no packet contains.
size_t last_position_of(const Bytes& bytes, uint8_t marker) {
  for (size_t i = bytes.size() - 1; i > 0; --i) {
    if (bytes[i - 1] == 0xff && bytes[i] == marker) return i - 1;
  }
  return 0;
}

TEST(J2kHeader, TellsTheShape) {
  for (const CodecId codec : {CodecId::kJ2k, CodecId::kHtj2k}) {
    const auto yuv = read_j2k_header(encoded(codec));
    ASSERT_TRUE(yuv);
    EXPECT_EQ(yuv->width, 90);
    EXPECT_EQ(yuv->height, 70);
    EXPECT_EQ(yuv->components, 3);
    EXPECT_EQ(yuv->bits, 8);
    EXPECT_EQ(yuv->chroma_step_x, 2);
    EXPECT_EQ(yuv->chroma_step_y, 1);
    EXPECT_GE(yuv->levels, kMaxReduction);
    EXPECT_EQ(yuv->high_throughput, codec == CodecId::kHtj2k);
    EXPECT_FALSE(yuv->reversible);
    EXPECT_FALSE(yuv->color_transform);
    const auto rgb = read_j2k_header(encoded(codec, PixelFormat::kRgb));
    ASSERT_TRUE(rgb);
    EXPECT_TRUE(rgb->color_transform);
    EXPECT_EQ(rgb->chroma_step_x, 1);
  }
}

TEST(J2kHeader, WhyACodestreamIsRefusedIsSaid) {
  constexpr uint8_t kCod = 0x52;
  constexpr size_t kStyle = 12;
  const Bytes good = encoded(CodecId::kHtj2k);
  const J2kTarget target{.width = 90, .height = 70, .color = {ColorMatrix::kBt709, {}}};
  EXPECT_EQ(j2k_fault(good), "");
  EXPECT_EQ(j2k_fault(Bytes(50, 0xff)), "is damaged or uses unsupported JPEG 2000 features");
  Bytes mixed = good;
  mixed[position_of(good, kCod) + kStyle] |= 0x80;
  EXPECT_EQ(j2k_fault(mixed), "mixes code-blocks of JPEG 2000 Part 1 and Part 15");
  EXPECT_EQ(j2k_fault(mixed, target), j2k_fault(mixed));

  const size_t siz = position_of(good, 0x51);
  Bytes other_shape = good;
  other_shape[siz + 38 + 1] = 17;
  EXPECT_EQ(j2k_fault(other_shape), "has more than 16 components");
  other_shape = good;
  other_shape[siz + 44] = 3;
  EXPECT_EQ(j2k_fault(other_shape),
            "has subsampled components that are not chroma of 4:2:2 or 4:2:0");
  Bytes extended = good;
  const size_t cod = position_of(good, kCod);
  extended.insert(extended.begin() + static_cast<ptrdiff_t>(cod), {0xff, 0x76, 0, 6, 0, 0, 7, 3});
  EXPECT_EQ(j2k_fault(extended), "uses extensions of JPEG 2000 Part 2");

  J2kTarget other = target;
  other.height = 64;
  EXPECT_EQ(j2k_fault(good, other), "has 90×70 pixels instead of 90×64");
  other = target;
  other.reduction = 7;
  EXPECT_EQ(j2k_fault(good, other), "has 5 levels, too few to halve the picture 7 times");
  other = target;
  other.color.matrix = ColorMatrix::kRgb;
  EXPECT_EQ(j2k_fault(good, other), "has components that do not match the stream's colour format");
  const Bytes cut(good.begin(), good.end() - 40);
  EXPECT_EQ(j2k_fault(cut, target), "is truncated");
  Bytes broken = good;
  std::fill(broken.end() - 40, broken.end() - 2, uint8_t{0});
  EXPECT_EQ(j2k_fault(broken, target), "has damaged packets or code-blocks");
}

TEST(J2kHeader, PrefixesEndWhereTileParts) {
  for (const CodecId codec : {CodecId::kJ2k, CodecId::kHtj2k}) {
    const Bytes bytes = encoded(codec);
    const PrefixBytes prefix = j2k_prefix_bytes(bytes);
    EXPECT_EQ(prefix[0], bytes.size());
    for (size_t i = 1; i < prefix.size(); ++i) {
      ASSERT_LT(prefix[i], prefix[i - 1]);
      EXPECT_EQ(bytes[prefix[i]], 0xff);  // SOT marker of the next resolution
      EXPECT_EQ(bytes[prefix[i] + 1], 0x90);
    }
    Bytes cut(bytes.begin(), bytes.begin() + prefix[2]);
    PrefixBytes all;
    all.fill(static_cast<uint32_t>(cut.size()));
    EXPECT_EQ(j2k_prefix_bytes(cut), all) << "resolutions are missing";
  }
}

TEST(J2kHeader, EveryTruncatedHeaderIsRefused) {
  const Bytes bytes = encoded(CodecId::kHtj2k);
  const size_t first_part = position_of(bytes, 0x90);
  for (size_t length = 0; length < first_part + 2; ++length) {
    EXPECT_FALSE(read_j2k_header(std::span(bytes).first(length))) << length;
  }
  EXPECT_TRUE(read_j2k_header(std::span(bytes).first(first_part + 2)));
}

TEST(J2kHeader, ATruncatedCodestreamIsNotWhole) {
  constexpr size_t kEoc = 2, kPlaceOfLength = 6;
  for (const CodecId codec : {CodecId::kJ2k, CodecId::kHtj2k}) {
    Bytes bytes = encoded(codec);
    EXPECT_TRUE(is_j2k_whole(bytes));
    EXPECT_TRUE(is_j2k_whole(std::span(bytes).first(bytes.size() - kEoc))) << "EOC is optional";
    EXPECT_FALSE(is_j2k_truncated(bytes));
    EXPECT_FALSE(is_j2k_truncated(std::span(bytes).first(bytes.size() - kEoc)));
    EXPECT_TRUE(is_j2k_truncated(std::span(bytes).first(bytes.size() - kEoc - 1)));
    std::vector<uint8_t> padded = bytes;
    padded.insert(padded.end(), {0, 0});
    EXPECT_FALSE(is_j2k_truncated(padded)) << "nothing is missing";
    for (size_t length = 0; length < bytes.size() - kEoc; ++length) {
      ASSERT_FALSE(is_j2k_whole(std::span(bytes).first(length))) << length;
    }
    // If the last tile-part has no length, EOC ends the tile-part.
    const size_t last = last_position_of(bytes, 0x90);
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(last + kPlaceOfLength), 4, uint8_t{0});
    EXPECT_TRUE(is_j2k_whole(bytes));
    for (size_t length = last; length < bytes.size(); ++length) {
      ASSERT_FALSE(is_j2k_whole(std::span(bytes).first(length))) << length;
    }
  }
}

// Offsets in SIZ and COD: A.5.1 and A.6.1 of Part 1.
TEST(J2kHeader, WhatIsBeyondTheLimitsIsRefused) {
  const Bytes good = encoded(CodecId::kJ2k);
  const size_t siz = position_of(good, 0x51), cod = position_of(good, 0x52);
  const auto refuses = [&](size_t at, std::initializer_list<uint8_t> bytes) {
    Bytes bad = good;
    std::copy(bytes.begin(), bytes.end(), bad.begin() + static_cast<ptrdiff_t>(at));
    return !read_j2k_header(bad);
  };
  EXPECT_TRUE(refuses(siz + 6, {0, 0, 0x40, 1})) << "width";
  EXPECT_TRUE(refuses(siz + 6, {0, 0, 0, 0})) << "no width";
  EXPECT_TRUE(refuses(siz + 17, {90})) << "an offset as wide as the picture";
  const auto refuses_offset_of = [&](uint8_t high) {
    return refuses(siz + 6,
                   {high, 0, 0, 90, 0, 0, 0, 70, high, 0, 0, 0, 0, 0, 0, 0, high, 0, 0, 90});
  };
  EXPECT_FALSE(refuses_offset_of(0x3f));
  EXPECT_TRUE(refuses_offset_of(0x40)) << "a far offset";
  EXPECT_TRUE(refuses(siz + 33, {1})) << "tiles that begin in the picture";
  EXPECT_FALSE(refuses(siz + 17, {1})) << "an offset";
  EXPECT_TRUE(refuses(siz + 22, {0, 0, 0, 1, 0, 0, 0, 1})) << "tiles";
  EXPECT_TRUE(refuses(siz + 22, {0, 0, 0, 0})) << "no tile";
  // Of a large picture: its size alone would allow more.
  const auto refuses_tiles_of = [&](uint8_t side_256) {
    return refuses(siz + 6, {0, 0, 0x40, 0, 0, 0, 0x40,     0, 0, 0, 0,        0,
                             0, 0, 0,    0, 0, 0, side_256, 0, 0, 0, side_256, 0});
  };
  EXPECT_FALSE(refuses_tiles_of(2)) << "as many tiles as may be";
  EXPECT_TRUE(refuses_tiles_of(1)) << "four times as many";
  EXPECT_TRUE(refuses(siz + 38, {0, 2})) << "more components than there are";
  EXPECT_TRUE(refuses(siz + 40, {16})) << "17 bits";
  EXPECT_FALSE(refuses(siz + 40, {0x87})) << "signed";
  EXPECT_TRUE(refuses(siz + 40, {9})) << "components of different depth";
  EXPECT_TRUE(refuses(siz + 44, {3})) << "steps of chroma";
  EXPECT_TRUE(refuses(siz + 41, {2})) << "subsampled luma";
  EXPECT_TRUE(refuses(cod + 5, {5})) << "progression";
  EXPECT_TRUE(refuses(cod + 6, {0, 0})) << "no layers";
  EXPECT_TRUE(refuses(cod + 6, {0xff, 0xff})) << "packets";
  EXPECT_TRUE(refuses(cod + 8, {1})) << "transform of subsampled components";
  EXPECT_TRUE(refuses(cod + 9, {33})) << "levels";
  EXPECT_TRUE(refuses(cod + 10, {8, 8})) << "code-blocks";
  EXPECT_TRUE(refuses(cod + 12, {0x80})) << "style";
  EXPECT_TRUE(refuses(cod + 13, {2})) << "wavelet";
  EXPECT_FALSE(refuses(cod + 10, {3, 3})) << "smaller code-blocks";
}

}  // namespace
}  // namespace codecs::test
