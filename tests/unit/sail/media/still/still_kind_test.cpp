// What picture files are, by their bytes.
#include "sail/media/still/still_kind.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace sail {
namespace {

using namespace std::string_view_literals;

StillTraits traits_of(std::string_view file) {
  return still_traits({reinterpret_cast<const uint8_t*>(file.data()), file.size()});
}

TEST(StillKind, FilmsAreNotStills) {
  const auto png = "\x89PNG\r\n\x1a\n\0\0\0\0IHDRcrc.\0\0\0\1acTL.crc.\0\0\0\0IDATcrc."sv;
  EXPECT_EQ(traits_of(png).kind, StillKind::kPng);
  EXPECT_TRUE(traits_of(png).film);
  EXPECT_FALSE(traits_of(png.substr(0, 20)).film);
  const auto jpegs = "\xff\xd8\xff\xda\0\2data\xff\0\xff\xd9\xff\xd8\xff\xda\0\2data\xff\xd9"sv;
  EXPECT_TRUE(traits_of(jpegs).film);
  EXPECT_FALSE(traits_of(jpegs.substr(0, 14)).film);
  const auto companions = "\xff\xd8\xff\xe2\0\6MPF\0\xff\xda\0\2\xff\xd9\xff\xd8\xff\xd9"sv;
  EXPECT_FALSE(traits_of(companions).film);
  EXPECT_TRUE(traits_of("\0\0\0\x14"
                        "ftypavis\0\0\0\0avif"sv)
                  .film);
  EXPECT_FALSE(traits_of("\0\0\0\x14"
                         "ftypavif\0\0\0\0mif1"sv)
                   .film);
  EXPECT_EQ(traits_of("\0\0\0\x14"
                      "ftypisom\0\0\0\0mp42"sv)
                .kind,
            StillKind::kNone);
}

TEST(StillKind, WhatFfmpegIgnoresIsFound) {
  EXPECT_TRUE(traits_of("\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\3abc\xff\xd9"sv).for_ffmpeg);
  EXPECT_FALSE(traits_of("\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\4abc\xff\xd9"sv).for_ffmpeg) << "CMYK";
  EXPECT_FALSE(traits_of("\xff\xd8\xff\xe2\0\x12ICC_PROFILE\0\1\1P3\xff\xd9"sv).for_ffmpeg);
  EXPECT_TRUE(traits_of("\xff\xd8\xff\xe2\0\x14ICC_PROFILE\0\1\1sRGB\xff\xd9"sv).for_ffmpeg);
  EXPECT_FALSE(traits_of("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02"sv).for_ffmpeg) << "it moves";
  EXPECT_TRUE(traits_of("\0\0\0\x10"
                        "ftypavif\0\0\0\0\0\0\0\x13"
                        "colrnclx\0\x09\0\x10\0\x09\x80"sv)
                  .hdr);
}

}  // namespace
}  // namespace sail
