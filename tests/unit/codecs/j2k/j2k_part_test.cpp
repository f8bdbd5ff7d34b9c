// Decoding part of a JPEG 2000 picture gives the same pixels as decoding all of it: for both parts
// of the standard, and codestreams of every order and shape.
#include <gtest/gtest.h>

#include <random>

#include "codecs/color/convert.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"
#include "tests/unit/codecs/htj2k/codestream_rewriter.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace codecs::test {
namespace {

constexpr CodecId kCodecs[] = {CodecId::kJ2k, CodecId::kHtj2k};

// A decoder target without part and pixels.
J2kTarget target_of(const J2kHeader& header, int reduction, const PictureColor& color) {
  return {.width = header.width,
          .height = header.height,
          .reduction = reduction,
          .color = color,
          .frame_x = 13,
          .frame_y = 6};
}

PictureColor usual_color(const J2kHeader& header) {
  const bool is_rgb = header.components == 3 && header.chroma_step_x == 1;
  return {is_rgb ? ColorMatrix::kRgb : ColorMatrix::kBt709, ColorRange::kFull};
}

Bytes cut(const Bytes& whole, int width, const Area& part) {
  Bytes pixels;
  for (int y = part.y0; y < part.y1; ++y) {
    const auto row = whole.begin() + 4 * (ptrdiff_t{width} * y + part.x0);
    pixels.insert(pixels.end(), row, row + ptrdiff_t{4} * part.width());
  }
  return pixels;
}

// Returns empty bytes if the decoder fails.
Bytes decode(J2kDecoder& decoder, const Bytes& bytes, J2kTarget target, const Area& part) {
  GuardedPixels pixels(part.width(), part.height());
  target.part = part;
  target.pixels = pixels.target();
  const bool decoded = decoder.decode(bytes, target);
  EXPECT_TRUE(pixels.guards_untouched());
  return decoded ? pixels.pixels() : Bytes{};
}

Area all_of(const J2kTarget& target) {
  return {0, 0, reduced_side(target.width, target.reduction),
          reduced_side(target.height, target.reduction)};
}

// Decodes to exactly sized memory that was filled with `before`.
Bytes decode_planes(J2kDecoder& decoder, const Bytes& bytes, J2kTarget target, const Area& part,
                    const ImageView& view, uint8_t before) {
  const auto chroma = static_cast<size_t>(view.planes[2] - view.planes[1]);
  Bytes planes(static_cast<size_t>(view.width) * static_cast<size_t>(view.height) + 2 * chroma,
               before);
  target.part = part;
  target.planes = planes.data();
  EXPECT_TRUE(decoder.decode(bytes, target));
  return planes;
}

// Converted planes must equal the pixels. The decoder may write only the part, extended to even
// coordinates.
void check_planes(J2kDecoder& decoder, const Bytes& bytes, const J2kTarget& target,
                  PixelFormat format, const Area& part, const Bytes& pixels) {
  const Area all = all_of(target);
  Bytes other(size_t{4} * static_cast<size_t>(all.x1 * all.y1));
  ImageView view = packed_view(format, all.x1, all.y1, other.data());
  const Bytes planes = decode_planes(decoder, bytes, target, part, view, 0x5a);
  other = decode_planes(decoder, bytes, target, part, view, 0xa5);
  view = packed_view(format, all.x1, all.y1, planes.data());
  view.matrix = target.color.matrix;
  view.range = target.color.range;
  GuardedPixels converted(part.width(), part.height());
  convert_to_bgra(view, part.x0, part.y0, part.width(), part.height(), converted.target(),
                  CpuLevel::kReference);
  ASSERT_EQ(converted.pixels(), pixels);
  const int step_y = format == PixelFormat::kI420 ? 2 : 1;
  for (size_t i = 0; i < planes.size(); ++i) {
    const uint8_t* const at = planes.data() + i;
    const int plane = at < view.planes[1] ? 0 : at < view.planes[2] ? 1 : 2;
    const int x_step = plane == 0 ? 1 : 2, y_step = plane == 0 ? 1 : step_y;
    const auto x = static_cast<int>((at - view.planes[plane]) % view.strides[plane]) * x_step;
    const auto y = static_cast<int>((at - view.planes[plane]) / view.strides[plane]) * y_step;
    const bool wanted = x >= part.x0 / 2 * 2 && x < part.x1 && y >= part.y0 / 2 * 2 && y < part.y1;
    ASSERT_EQ(planes[i] == other[i], wanted) << "plane " << plane << ": " << x << ", " << y;
  }
}

Area any_part(const Area& all, std::mt19937& random) {
  const auto below = [&](int end) {
    return static_cast<int>(random() % static_cast<unsigned>(end));
  };
  const auto edges = [&](int side) {
    const int first = below(side);
    const int most = below(2) == 0 ? side - first : std::min(side - first, 9);
    return std::pair(first, first + 1 + below(most));
  };
  const auto [x0, x1] = edges(all.x1);
  const auto [y0, y1] = edges(all.y1);
  return {x0, y0, x1, y1};
}

Bytes encode(CodecId codec, const ImageView& frame, const J2kQuality& quality) {
  Bytes bytes(max_block_bytes(codec, frame.width, frame.height));
  const auto prefix =
      make_j2k_encoder(codec)->encode(frame, 0, 0, frame.width, frame.height, quality, bytes);
  EXPECT_TRUE(prefix);
  if (prefix) bytes.resize((*prefix)[0]);
  return bytes;
}

// Checks random parts of the picture, at every reduction.
void check(J2kDecoder& decoder, const Bytes& bytes, const PictureColor& color, int parts,
           std::mt19937& random) {
  const auto header = read_j2k_header(bytes);
  ASSERT_TRUE(header);
  for (int reduction = 0; reduction <= std::min(kMaxReduction, header->levels); ++reduction) {
    const J2kTarget target = target_of(*header, reduction, color);
    const Area all = all_of(target);
    GuardedPixels pixels(all.x1, all.y1);
    J2kTarget whole = target;
    whole.pixels = pixels.target();
    ASSERT_TRUE(decoder.decode(bytes, whole));
    const PixelFormat format = j2k_format(*header, color.matrix);
    for (int i = 0; i < parts; ++i) {
      const Area part = any_part(all, random);
      ASSERT_EQ(decode(decoder, bytes, target, part), cut(pixels.pixels(), all.x1, part))
          << header->width << "×" << header->height << " by " << reduction << ": " << part.x0
          << ", " << part.y0 << " to " << part.x1 << ", " << part.y1;
      if (format == PixelFormat::kBgra) continue;
      check_planes(decoder, bytes, target, format, part, cut(pixels.pixels(), all.x1, part));
    }
  }
}

TEST(J2kPart, IsThatOfTheWholeInEveryFormat) {
  std::mt19937 random(1);
  for (const CodecId codec : kCodecs) {
    const auto decoder = make_j2k_decoder(codec);
    for (const PixelFormat format : {PixelFormat::kBgra, PixelFormat::kI420, PixelFormat::kI422}) {
      for (const auto& [width, height] : {std::pair(1, 40), {255, 127}, {341, 290}}) {
        const Frame frame = make_frame(make_picture(Content::kPhotograph, width, height), format);
        for (const bool lossless : {true, false}) {
          const Bytes bytes = encode(codec, frame.view, {lossless, 1.0F / 128});
          check(*decoder, bytes, color_of(frame.view), 6, random);
        }
      }
    }
  }
}

TEST(J2kPart, IsThatOfTheWholeInEveryDepth) {
  std::mt19937 random(2);
  for (const CodecId codec : kCodecs) {
    const auto decoder = make_j2k_decoder(codec);
    for (const PixelFormat format : kDeepFormats) {
      const DeepFrame frame = make_deep_frame(format, 12, 161, 75);
      const Bytes bytes = encode(codec, frame.view, {.lossless = true});
      check(*decoder, bytes, color_of(frame.view), 6, random);
    }
    const DeepFrame cinema = make_deep_frame(PixelFormat::kRgbDeep, 12, 96, 64, ColorMatrix::kXyz);
    check(*decoder, encode(codec, cinema.view, {.step = 1.0F / 512}), color_of(cinema.view), 6,
          random);
  }
}

TEST(J2kPart, IsTheSameAtEveryLevel) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 400, 300), PixelFormat::kI420);
  const Bytes bytes = encode(CodecId::kHtj2k, frame.view, {.step = 1.0F / 128});
  for (const CpuLevel cpu : available_levels()) {
    std::mt19937 random(3);
    check(*make_htj2k_decoder(cpu), bytes, color_of(frame.view), 12, random);
  }
}

TEST(J2kPart, OnlyYuvOfEightBitsHasPlanes) {
  const auto format_of = [](const ImageView& view, ColorMatrix matrix) {
    return j2k_format(*read_j2k_header(encode(CodecId::kHtj2k, view, {.step = 1.0F / 64})), matrix);
  };
  const auto planar = [](PixelFormat format) {
    return make_frame(make_picture(Content::kPhotograph, 64, 48), format);
  };
  const Frame half = planar(PixelFormat::kI420), rows = planar(PixelFormat::kI422);
  EXPECT_EQ(format_of(half.view, ColorMatrix::kBt601), PixelFormat::kI420);
  EXPECT_EQ(format_of(rows.view, ColorMatrix::kBt2020), PixelFormat::kI422);
  EXPECT_EQ(format_of(planar(PixelFormat::kBgra).view, ColorMatrix::kRgb), PixelFormat::kBgra);
  EXPECT_EQ(format_of(half.view, ColorMatrix::kRgb), PixelFormat::kBgra);
  const DeepFrame deep = make_deep_frame(PixelFormat::kI420Deep, 10, 64, 48);
  EXPECT_EQ(format_of(deep.view, ColorMatrix::kBt709), PixelFormat::kBgra);
  const Bytes bytes = encode(CodecId::kHtj2k, deep.view, {.step = 1.0F / 64});
  Bytes planes(64 * 48 * 4);
  J2kTarget target = target_of(*read_j2k_header(bytes), 0, color_of(deep.view));
  target.planes = planes.data();
  EXPECT_FALSE(make_j2k_decoder(CodecId::kHtj2k)->decode(bytes, target));
}

class J2kPartOfStreams : public testing::TestWithParam<const char*> {};

TEST_P(J2kPartOfStreams, IsThatOfTheWhole) {
  const Bytes source = read_stream(GetParam());
  const auto header = read_j2k_header(source);
  ASSERT_TRUE(header);
  const auto decoder = make_htj2k_decoder(detect_cpu());
  std::mt19937 random(4);
  check(*decoder, source, usual_color(*header), 60, random);
  if (std::string(GetParam()).starts_with("own_")) return;
  for (const Progression order : {Progression::kLrcp, Progression::kRlcp, Progression::kRpcl,
                                  Progression::kPcrl, Progression::kCprl}) {
    Rewriting how;
    how.runs[0].order = order;
    how.layers = 1 + static_cast<int>(random() % 3);
    how.headers = static_cast<Rewriting::Headers>(random() % 3);
    const Bytes bytes = rewrite_codestream(std::span(&source, 1), how);
    check(*decoder, bytes, usual_color(*header), 10, random);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Peers, J2kPartOfStreams,
    testing::Values("grey_lossy", "own_coding_of_components", "own_coding_of_tiles",
                    "own_headers_in_main", "own_headers_in_parts", "own_order_changes",
                    "own_order_changes_of_tiles", "rgb_12_bits", "rgb_cprl_precincts",
                    "rgb_lrcp_precincts", "rgb_no_levels", "rgb_pcrl_lossy_tiles",
                    "rgb_pcrl_tiles_precincts", "rgb_plain_color", "rgb_plain_tiles_1_level",
                    "rgb_plain_tiles_3_levels", "rgb_rlcp_tiles", "rgb_rpcl_lossy",
                    "rgb_rpcl_wide_blocks", "yuv_420_cprl", "yuv_422_pcrl_lossy"),
    [](const auto& name) { return std::string(name.param); });

// Damage elsewhere has no effect, so the rest is not decoded.
TEST(J2kPart, TakesOnlyTheCodeBlocksThatItNeeds) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 512, 512), PixelFormat::kI420);
  Bytes bytes = encode(CodecId::kHtj2k, frame.view, {.step = 1.0F / 256});
  const auto header = read_j2k_header(bytes);
  ASSERT_TRUE(header);
  const auto decoder = make_j2k_decoder(CodecId::kHtj2k);
  const J2kTarget target = target_of(*header, 0, color_of(frame.view));
  const Area top{0, 0, 512, 100};
  const Bytes good = decode(*decoder, bytes, target, top);
  ASSERT_FALSE(good.empty());
  // The last bytes before EOC belong to the lowest code-block of Cr's finest band: they contain the
  // lengths of its segments.
  bytes[bytes.size() - 3] = 0;
  bytes[bytes.size() - 4] &= 0xf0;
  EXPECT_TRUE(decode(*decoder, bytes, target, all_of(target)).empty());
  EXPECT_EQ(decode(*decoder, bytes, target, top), good);
}

TEST(J2kPart, BeyondThePictureIsRefused) {
  const Frame frame = make_frame(make_picture(Content::kPhotograph, 96, 64), PixelFormat::kI420);
  for (const CodecId codec : kCodecs) {
    const Bytes bytes = encode(codec, frame.view, {.step = 1.0F / 64});
    const auto header = read_j2k_header(bytes);
    ASSERT_TRUE(header);
    const auto decoder = make_j2k_decoder(codec);
    for (const Area& part : {Area{-1, 0, 4, 4}, Area{0, -2, 4, 4}, Area{40, 0, 49, 4},
                             Area{0, 30, 4, 33}, Area{48, 0, 60, 4}}) {
      GuardedPixels pixels(128, 64);
      const Bytes before = pixels.pixels();
      J2kTarget target = target_of(*header, 1, color_of(frame.view));
      target.part = part;
      target.pixels = pixels.target();
      EXPECT_FALSE(decoder->decode(bytes, target));
      EXPECT_EQ(pixels.pixels(), before);
    }
  }
}

}  // namespace
}  // namespace codecs::test
