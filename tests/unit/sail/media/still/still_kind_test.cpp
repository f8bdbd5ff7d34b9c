// What picture files are, by their bytes.
#include "sail/media/still/still_kind.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sail {
namespace {

using namespace std::string_literals;
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

// A TIFF of one directory; the values are of 16 bits.
std::string tiff(std::initializer_list<std::pair<uint16_t, uint16_t>> tags) {
  const auto word = [](size_t value) {
    return std::string{static_cast<char>(value & 0xff), static_cast<char>(value >> 8)};
  };
  std::string file = "II*\0\x08\0\0\0"s + word(tags.size());
  for (const auto& [tag, value] : tags) {
    file += word(tag) + word(3) + word(1) + word(0) + word(value) + word(0);
  }
  return file + "\0\0\0\0"s;
}

// libvips takes YCbCr outside of JPEG for RGB. FFmpeg converts it, but reads no tiles.
TEST(StillKind, YcbcrOfTiffGoesWhereItIsConverted) {
  constexpr uint16_t kOrientation = 274, kCompression = 259, kPhotometric = 262, kTileWidth = 322;
  const StillTraits plain = traits_of(tiff({{kPhotometric, 6}}));
  EXPECT_TRUE(plain.film);
  EXPECT_TRUE(plain.for_ffmpeg);
  EXPECT_FALSE(traits_of(tiff({{kCompression, 7}, {kPhotometric, 6}})).film) << "JPEG";
  for (const auto& [tag, value] : {std::pair{kTileWidth, 64}, std::pair{kOrientation, 6}}) {
    const StillTraits other =
        traits_of(tiff({{kPhotometric, 6}, {tag, static_cast<uint16_t>(value)}}));
    EXPECT_FALSE(other.film) << tag;
    EXPECT_FALSE(other.for_ffmpeg) << tag;
  }
}

TEST(StillKind, WhatFfmpegIgnoresIsFound) {
  EXPECT_TRUE(traits_of("\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\3abc\xff\xd9"sv).for_ffmpeg);
  EXPECT_FALSE(traits_of("\xff\xd8\xff\xc0\0\x0b\x08\0\1\0\1\4abc\xff\xd9"sv).for_ffmpeg) << "CMYK";
  EXPECT_FALSE(traits_of("\xff\xd8\xff\xe2\0\x12ICC_PROFILE\0\1\1P3\xff\xd9"sv).for_ffmpeg);
  EXPECT_TRUE(traits_of("\xff\xd8\xff\xe2\0\x14ICC_PROFILE\0\1\1sRGB\xff\xd9"sv).for_ffmpeg);
  EXPECT_FALSE(traits_of("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02"sv).for_ffmpeg) << "it moves";
}

std::string box(const std::string& type, const std::string& body) {
  return "\0\0\0"s + static_cast<char>(body.size() + 8) + type + body;
}

// An AVIF file with two pictures, of which `primary` is shown. The second one is HDR (PQ).
std::string two_pictures(char primary) {
  const std::string sdr = box("colr", "nclx\0\1\0\x0d\0\1\x80"s);
  const std::string hdr = box("colr", "nclx\0\x09\0\x10\0\x09\x80"s);
  const std::string light = box("clli", "\x01\x90\0\x64"s);         // 400 and 100 cd/m²
  const std::string first = "\0\1\1\1"s, second = "\0\2\2\2\x83"s;  // item, count, properties
  return box("ftyp", "avif\0\0\0\0mif1"s) +
         box("meta", "\0\0\0\0"s + box("pitm", "\0\0\0\0\0"s + primary) +
                         box("iprp", box("ipco", sdr + hdr + light) +
                                         box("ipma", "\0\0\0\0\0\0\0\2"s + first + second)));
}

TEST(StillKind, ColoursOfHeifAreThoseOfThePrimaryPicture) {
  EXPECT_FALSE(traits_of(two_pictures(1)).wide) << "the HDR version is another picture";
  const auto wide = traits_of(two_pictures(2)).wide;
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->transfer, codecs::Transfer::kPq);
  EXPECT_EQ(wide->primaries, codecs::Primaries::kBt2020);
  EXPECT_EQ(wide->peak_nits, codecs::peak_of({.max_cll = 400, .max_fall = 100}));
  EXPECT_FALSE(traits_of(two_pictures(3)).wide);
  const std::string whole = two_pictures(2);
  for (size_t size = 0; size < whole.size(); ++size) traits_of(whole.substr(0, size));
}

}  // namespace
}  // namespace sail
