#include "sail/media/source/jp2_boxes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sail {
namespace {

using codecs::ColorMatrix;
using codecs::ColorRange;
using codecs::PictureColor;
using std::string_view_literals::operator""sv;

constexpr std::string_view kCodestream = "\xFF\x4F\xFF\x51\x00\x29\x00\x00 and so on"sv;

std::string number(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes; i-- > 0;) text += static_cast<char>(value >> 8 * i);
  return text;
}
std::string box(std::string_view type, std::string_view contents) {
  return number(contents.size() + 8, 4) + std::string(type) + std::string(contents);
}
std::string long_box(std::string_view type, std::string_view contents) {
  return number(1, 4) + std::string(type) + number(contents.size() + 16, 8) + std::string(contents);
}
std::string last_box(std::string_view type, std::string_view contents) {
  return number(0, 4) + std::string(type) + std::string(contents);
}
std::string enumerated(uint32_t space) {
  return box("colr", number(0x010000, 3) + number(space, 4));
}
std::string header(const std::string& boxes) {
  return box("jP  ", "\r\n\x87\n") + box("ftyp", "jp2 ") +
         box("jp2h", box("ihdr", std::string(14, '\0')) + boxes);
}

std::optional<BoxedCodestream> find(const std::string& text) {
  return find_codestream({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}
std::string text_of(const BoxedCodestream& found) {
  return {found.codestream.begin(), found.codestream.end()};
}

TEST(Jp2Boxes, ABareCodestreamIsItself) {
  const std::string bytes(kCodestream);
  const auto found = find(bytes);
  ASSERT_TRUE(found);
  EXPECT_EQ(text_of(*found), kCodestream);
  EXPECT_FALSE(found->color);
}

TEST(Jp2Boxes, TheCodestreamIsFoundBehindOtherBoxes) {
  for (const std::string& bytes : {
           header("") + box("jp2c", kCodestream) + box("uuid", "something"),
           header("") + long_box("jp2c", kCodestream),
           header("") + last_box("jp2c", kCodestream),
           box("jp2c", kCodestream),
       }) {
    const auto found = find(bytes);
    ASSERT_TRUE(found);
    EXPECT_EQ(text_of(*found), kCodestream);
  }
}

TEST(Jp2Boxes, ABoxThatIsCutOffHasWhatIsThere) {
  const std::string bytes = header("") + box("jp2c", kCodestream);
  const std::string cut = bytes.substr(0, bytes.size() - 3);
  const auto found = find(cut);
  ASSERT_TRUE(found);
  EXPECT_EQ(text_of(*found), kCodestream.substr(0, kCodestream.size() - 3));
}

TEST(Jp2Boxes, WhatIsNoneIsRefused) {
  EXPECT_FALSE(find(""));
  EXPECT_FALSE(find(header("")));
  EXPECT_FALSE(find(header("") + box("jp2c", "no codestream")));
  EXPECT_FALSE(find(number(7, 4) + "jp2c" + std::string(kCodestream)));  // shorter than its header
  EXPECT_FALSE(find(number(1, 4) + "jp2c" + number(3, 8) + std::string(kCodestream)));
  EXPECT_FALSE(find(std::string(100, '\xFF')));
}

TEST(Jp2Boxes, ColourBoxesAreUnderstood) {
  const auto color_of = [](const std::string& boxes) {
    const std::string bytes = header(boxes) + box("jp2c", kCodestream);
    return find(bytes)->color;
  };
  const auto coded = [](int matrix, bool full) {
    return box("colr", number(0x050000, 3) + number(1, 2) + number(1, 2) +
                           number(static_cast<uint64_t>(matrix), 2) + number(full ? 0x80 : 0, 1));
  };
  EXPECT_EQ(color_of(enumerated(16)), (PictureColor{ColorMatrix::kRgb, ColorRange::kFull}));
  EXPECT_EQ(color_of(enumerated(17)), (PictureColor{ColorMatrix::kRgb, ColorRange::kFull}));
  EXPECT_EQ(color_of(enumerated(18)), (PictureColor{ColorMatrix::kBt601, ColorRange::kFull}));
  EXPECT_EQ(color_of(enumerated(24)), (PictureColor{ColorMatrix::kBt601, ColorRange::kFull}));
  EXPECT_EQ(color_of(coded(9, false)), (PictureColor{ColorMatrix::kBt2020, ColorRange::kLimited}));
  EXPECT_EQ(color_of(coded(1, true)), (PictureColor{ColorMatrix::kBt709, ColorRange::kFull}));
  // A profile, followed by a supported box.
  const std::string profile = box("colr", number(0x020000, 3) + "ICC");
  EXPECT_FALSE(color_of(profile));
  EXPECT_EQ(color_of(profile + enumerated(16)),
            (PictureColor{ColorMatrix::kRgb, ColorRange::kFull}));
  EXPECT_FALSE(color_of(box("colr", "")));
}

TEST(Jp2Boxes, PalettesAndReorderedColoursAreFaults) {
  const auto fault = [](const std::string& boxes) {
    const std::string file = header(boxes) + box("jp2c", kCodestream);
    const auto found = find(file);
    return found ? found->fault : "no codestream";
  };
  const auto channel = [](int number_of, int type, int color) {
    return number(static_cast<uint64_t>(number_of), 2) + number(static_cast<uint64_t>(type), 2) +
           number(static_cast<uint64_t>(color), 2);
  };
  const std::string usual = channel(0, 0, 1) + channel(1, 0, 2) + channel(2, 0, 3);
  EXPECT_EQ(fault(box("cdef", number(4, 2) + usual + channel(3, 1, 0))), "");
  const std::string turned = channel(0, 0, 3) + channel(1, 0, 2) + channel(2, 0, 1);
  EXPECT_NE(fault(box("cdef", number(3, 2) + turned)).find("another order"), std::string::npos);
  EXPECT_NE(fault(box("pclr", number(256, 2))).find("palette"), std::string::npos);
  EXPECT_EQ(fault(box("cdef", number(9, 2))), "") << "cut off";

  const auto reordered = [](const std::string& boxes) {
    const std::string file = header(boxes) + box("jp2c", kCodestream);
    return find(file)->reordered;
  };
  EXPECT_FALSE(reordered(box("cdef", number(4, 2) + usual + channel(3, 1, 0))));
  const std::string opacity_first = channel(0, 1, 0) + channel(1, 0, 1) + channel(2, 0, 2);
  EXPECT_TRUE(reordered(box("cdef", number(3, 2) + opacity_first)));
  const auto column = [](int number_of) { return number(0x000001, 3) + char(number_of); };
  EXPECT_FALSE(reordered(box("cmap", column(0) + column(1) + column(2))));
  EXPECT_TRUE(reordered(box("cmap", column(2) + column(1) + column(0))));
}

TEST(Jp2Boxes, ColoursThatAreNotConvertedAreFaults) {
  const auto fault = [](const std::string& boxes) {
    const std::string file = header(boxes) + box("jp2c", kCodestream);
    return find(file)->fault;
  };
  for (const uint32_t space : {12U, 13U, 14U}) {
    EXPECT_NE(fault(enumerated(space)).find("CMYK or CIELab"), std::string::npos) << space;
  }
  EXPECT_EQ(fault(enumerated(16) + enumerated(12)), "") << "the first one counts";
}

TEST(Jp2Boxes, ComponentsThatAreNotShownAreTold) {
  const auto opacity = [](int channels) {
    const std::string file =
        header(box("cdef", number(1, 2) + number(static_cast<uint64_t>(channels - 1), 2) +
                               number(1, 2) + number(0, 2))) +
        box("jp2c", kCodestream);
    return find(file)->has_opacity;
  };
  codecs::J2kHeader shape;
  const auto notice = [&](int components, bool has_opacity) {
    shape.components = components;
    return codestream_notice(shape, {.codestream = {}, .color = {}, .has_opacity = has_opacity});
  };
  EXPECT_EQ(notice(1, false) + notice(3, false), "");
  EXPECT_EQ(notice(2, opacity(2)), "has 2 components: the first one is shown, without opacity");
  EXPECT_EQ(notice(5, false), "has 5 components: the first three are shown");
  shape.is_signed = true;
  EXPECT_EQ(notice(4, opacity(4)),
            "has 4 components: the first three are shown, without opacity; has signed samples: the "
            "least is black, the greatest white");
}

TEST(Jp2Boxes, WithoutAColourBoxTheComponentsTell) {
  const auto usual = [](codecs::J2kHeader header, char profile) {
    std::string bytes(kCodestream);
    bytes[7] = profile;
    return usual_color(header, {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  };
  codecs::J2kHeader header;
  header.width = 1920;
  header.height = 1080;
  header.components = 3;
  header.bits = 12;
  EXPECT_EQ(usual(header, 0).matrix, ColorMatrix::kRgb);
  EXPECT_EQ(usual(header, 3).matrix, ColorMatrix::kXyz);
  EXPECT_EQ(usual(header, 4).matrix, ColorMatrix::kXyz);
  header.chroma_step_x = 2;
  EXPECT_EQ(usual(header, 0), (PictureColor{ColorMatrix::kBt709, ColorRange::kLimited}));
  header.width = 720;
  header.height = 576;
  EXPECT_EQ(usual(header, 0), (PictureColor{ColorMatrix::kBt601, ColorRange::kLimited}));
}

}  // namespace
}  // namespace sail
