#include "sail/media/source/source_color.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

using codecs::ColorMatrix;
using codecs::ColorRange;
using codecs::DisplayColor;
using codecs::Primaries;
using codecs::SourceColor;
using codecs::Transfer;

constexpr SourceColor kUsualColor = {Primaries::kBt709, Transfer::kSdr};
constexpr SourceColor kWideColor = {Primaries::kBt2020, Transfer::kSdr};
constexpr SourceColor kHdrColor = {Primaries::kBt2020, Transfer::kPq};
constexpr DisplayColor kP3Display = {Primaries::kP3, 300, 2.2};
constexpr DisplayColor kWideDisplay = {Primaries::kBt2020, 300, 2.2};

TEST(SourceColor, WhatADisplayShowsIsNotConverted) {
  EXPECT_FALSE(color_to_convert(std::nullopt, {}));
  EXPECT_EQ(color_to_convert(kWideColor, {}), kWideColor);
  EXPECT_EQ(color_to_convert(kHdrColor, {}), kHdrColor);
  EXPECT_EQ(color_to_convert(std::nullopt, kP3Display), kUsualColor);
  EXPECT_EQ(color_to_convert(std::nullopt, kWideDisplay), kUsualColor);
  EXPECT_FALSE(color_to_convert(kWideColor, kWideDisplay));
  EXPECT_EQ(color_to_convert(kHdrColor, kWideDisplay), kHdrColor);
  // Another curve or peak alone changes nothing: SDR is made for the display's own.
  EXPECT_FALSE(color_to_convert(std::nullopt, DisplayColor{Primaries::kBt709, 100, 2.4}));
}

TEST(SourceColor, ConversionsHaveNames) {
  EXPECT_EQ(color_name(kHdrColor), "HDR10");
  EXPECT_EQ(conversion_words(kHdrColor, {}), "HDR10 → SDR");
  EXPECT_EQ(conversion_words(kHdrColor, kP3Display), "HDR10 → SDR P3");
  EXPECT_EQ(conversion_words({Primaries::kBt2020, Transfer::kHlg}, kWideDisplay),
            "HLG → SDR BT.2020");
  EXPECT_EQ(conversion_words(kWideColor, {}), "BT.2020 → BT.709");
  EXPECT_EQ(conversion_words({Primaries::kP3, Transfer::kSdr}, kWideDisplay), "P3 → BT.2020");
}

TEST(SourceColor, TheDisplaysOfAWallAreThoseOfTheManager) {
  EXPECT_EQ(display_color({SAIL_PRIMARIES_BT709, 203, 2.2}), DisplayColor());
  EXPECT_EQ(display_color({SAIL_PRIMARIES_P3, 300, 2.2}), kP3Display);
  EXPECT_EQ(display_color({SAIL_PRIMARIES_BT2020, 500, 0}),
            (DisplayColor{Primaries::kBt2020, 500, codecs::kSrgbCurve}));
}

// Only X'Y'Z' is converted by receivers.
TEST(SourceColor, CompressedPicturesAreNotConverted) {
  Picture picture;
  EXPECT_EQ(unconverted_notice(picture, kP3Display), "");
  picture.compressed.emplace();
  EXPECT_EQ(unconverted_notice(picture, {}), "");
  EXPECT_NE(unconverted_notice(picture, kP3Display), "");
  picture.compressed->color = {ColorMatrix::kXyz, ColorRange::kFull};
  EXPECT_EQ(unconverted_notice(picture, kP3Display), "");
}

}  // namespace
}  // namespace sail
