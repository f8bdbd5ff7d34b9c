// The table of RGB colours: every level against the reference, and the reference against the exact
// transform.
#include "codecs/color/color_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

Bytes show(const ColorTable& table, const ImageView& frame, CpuLevel cpu) {
  const ptrdiff_t stride = kBgraBytes * frame.width;
  Bytes bgra(static_cast<size_t>(stride * frame.height));
  table.convert(frame, {bgra.data(), stride}, cpu);
  return bgra;
}

TEST(ColorTable, EveryLevelGivesTheSameBits) {
  const ColorTable table({Primaries::kBt2020, Transfer::kPq, 1000}, {});
  for (const int bits : {10, 16}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {15, 3}, {16, 2}, {33, 5}, {531, 3}}) {
      const DeepFrame frame = make_deep_frame(PixelFormat::kRgbDeep, bits, width, height);
      const Bytes expected = show(table, frame.view, CpuLevel::kReference);
      for (const CpuLevel cpu : available_levels()) {
        EXPECT_TRUE(show(table, frame.view, cpu) == expected)
            << cpu_level_name(cpu) << ", " << bits << " bits, " << width;
      }
    }
  }
}

// A row of 16-bit R, G, B, and what the exact transform makes of it.
struct RgbRow {
  Bytes samples;
  std::vector<Rgb> exact;
};
void add_color(RgbRow& row, const ColorTransform& transform, const Rgb& signal) {
  constexpr double kMost = 65535;
  Rgb rounded{};
  for (size_t i = 0; i < 3; ++i) {
    const auto sample = static_cast<uint16_t>(std::lround(signal[i] * kMost));
    uint8_t bytes[2];
    std::memcpy(bytes, &sample, sizeof sample);
    row.samples.insert(row.samples.end(), bytes, bytes + 2);
    rounded[i] = sample / kMost;
  }
  row.exact.push_back(transform.show(rounded));
}

TEST(ColorTable, OrdinaryColoursOnWiderDisplaysAreWithinTwoLevels) {
  const SourceColor source = {Primaries::kBt709, Transfer::kSdr};
  for (const Primaries primaries : {Primaries::kP3, Primaries::kBt2020}) {
    const DisplayColor display = {primaries, 300, 2.2};
    const ColorTransform transform(source, display);
    RgbRow row;
    constexpr int kSteps = 23;
    for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
      add_color(row, transform,
                {i / (kSteps * kSteps) / 22.0, i / kSteps % kSteps / 22.0, i % kSteps / 22.0});
    }
    ImageView frame{
        .format = PixelFormat::kRgbDeep, .width = static_cast<int>(row.exact.size()), .height = 1};
    frame.bits = 16;
    frame.planes[0] = row.samples.data();
    frame.strides[0] = static_cast<ptrdiff_t>(row.samples.size());
    const Bytes shown = show(ColorTable(source, display), frame, CpuLevel::kReference);
    for (size_t i = 0; i < row.exact.size(); ++i) {
      for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(shown[4 * i + 2 - c], 255 * row.exact[i][c], 2) << i;
      }
    }
  }
}

TEST(ColorTable, IsCloseToTheExactTransform) {
  for (const Transfer transfer : {Transfer::kPq, Transfer::kHlg, Transfer::kSdr}) {
    const SourceColor source = {Primaries::kBt2020, transfer, 1000};
    const ColorTransform transform(source, {});
    RgbRow row;
    constexpr int kSteps = 23;
    for (int i = 0; i < kSteps * kSteps * kSteps; ++i) {
      const auto signal = [&](int step) { return transform.brightest_signal() * step / 22.0; };
      add_color(row, transform,
                {signal(i / (kSteps * kSteps)), signal(i / kSteps % kSteps), signal(i % kSteps)});
    }
    ImageView frame{
        .format = PixelFormat::kRgbDeep, .width = static_cast<int>(row.exact.size()), .height = 1};
    frame.bits = 16;
    frame.planes[0] = row.samples.data();
    frame.strides[0] = static_cast<ptrdiff_t>(row.samples.size());
    const ColorTable table(source, {});
    const Bytes shown = show(table, frame, CpuLevel::kReference);
    std::vector<double> errors;
    for (size_t i = 0; i < row.exact.size(); ++i) {
      for (size_t c = 0; c < 3; ++c) {
        errors.push_back(std::abs(shown[4 * i + 2 - c] - 255 * row.exact[i][c]));
      }
    }
    std::ranges::sort(errors);
    EXPECT_LT(errors[errors.size() / 2], 0.6);         // half of it is dithering
    EXPECT_LT(errors[errors.size() * 95 / 100], 2.0);  // the rest is at the edge of the primaries
  }
}

}  // namespace
}  // namespace codecs::test
