#include "codecs/picture/sampled_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "codecs/color/cinema_color.h"

namespace codecs {
namespace {

// Samples along each axis of a small picture's pixel: four samples per pixel.
constexpr int kSamples = 2;

using Components = std::array<int, 3>;

int sample_at(const uint8_t* plane, int index, bool deep) {
  if (!deep) return plane[index];
  uint16_t sample = 0;
  std::memcpy(&sample, plane + 2 * static_cast<ptrdiff_t>(index), sizeof sample);
  return sample;
}

// Reads a pixel's components without conversion: R, G, B or Y, Cb, Cr or X', Y', Z'.
class PixelReader {
 public:
  explicit PixelReader(const ImageView& frame) : frame_(frame), deep_(is_deep(frame.format)) {
    switch (frame.format) {
      case PixelFormat::kRgba:
      case PixelFormat::kBgra:
        pixel_step_ = 4;
        break;
      case PixelFormat::kRgb:
      case PixelFormat::kRgbDeep:
        pixel_step_ = 3;
        break;
      default:
        planar_ = true;
        row_step_ = chroma_rows_step(frame.format);
        column_step_ =
            frame.format == PixelFormat::kI444 || frame.format == PixelFormat::kI444Deep ? 1 : 2;
    }
    if (frame.format == PixelFormat::kBgra) order_ = {2, 1, 0};
    mask_ = (1 << frame.bits) - 1;
  }

  bool planar() const { return planar_; }

  void add(int x, int y, Components& sum) const {
    const uint8_t* row = frame_.planes[0] + frame_.strides[0] * y;
    if (!planar_) {
      for (size_t i = 0; i < 3; ++i) {
        sum[i] += sample_at(row, x * pixel_step_ + order_[i], deep_) & mask_;
      }
      return;
    }
    sum[0] += sample_at(row, x, deep_) & mask_;
    const int cx = x / column_step_;
    const uint8_t* blue = frame_.planes[1] + frame_.strides[1] * (y / row_step_);
    if (has_interleaved_chroma(frame_.format)) {
      sum[1] += blue[2 * cx];
      sum[2] += blue[2 * cx + 1];
      return;
    }
    const uint8_t* red = frame_.planes[2] + frame_.strides[2] * (y / row_step_);
    sum[1] += sample_at(blue, cx, deep_) & mask_;
    sum[2] += sample_at(red, cx, deep_) & mask_;
  }

 private:
  const ImageView& frame_;
  const bool deep_;
  bool planar_ = false;
  int pixel_step_ = 0;
  int row_step_ = 1;
  int column_step_ = 1;
  int mask_ = 0xff;
  std::array<int, 3> order_{0, 1, 2};
};

uint8_t level(float value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0F, 1.0F) * 255));
}

// ITU-R BT.601, BT.709 and BT.2020: R and B are Y plus their difference, G follows from Y.
class ToRgb {
 public:
  explicit ToRgb(const ImageView& frame) {
    const bool full = frame.range == ColorRange::kFull;
    const auto unit = static_cast<float>(1 << (frame.bits - 8));
    const auto top = static_cast<float>((1 << frame.bits) - 1);
    black_ = full ? 0 : 16 * unit;
    luma_ = full ? top : 219 * unit;
    chroma_ = full ? top : 224 * unit;
    middle_ = 128 * unit;
    if (frame.matrix == ColorMatrix::kBt601) red_ = 0.299F, blue_ = 0.114F;
    if (frame.matrix == ColorMatrix::kBt2020) red_ = 0.2627F, blue_ = 0.0593F;
  }

  void write(float y, float cb, float cr, uint8_t* rgb) const {
    const float luma = (y - black_) / luma_;
    const float r = luma + 2 * (1 - red_) * (cr - middle_) / chroma_;
    const float b = luma + 2 * (1 - blue_) * (cb - middle_) / chroma_;
    rgb[0] = level(r);
    rgb[1] = level((luma - red_ * r - blue_ * b) / (1 - red_ - blue_));
    rgb[2] = level(b);
  }

 private:
  float black_ = 0;
  float luma_ = 1;
  float chroma_ = 1;
  float middle_ = 0;
  float red_ = 0.2126F;
  float blue_ = 0.0722F;
};

// The means of the samples for one row of the small picture.
void mean_row(const ImageView& frame, const PixelReader& reader, int width, int height, int row,
              std::vector<Components>& means) {
  const auto place = [](int at, int sample, int from, int to) {
    const int64_t part = int64_t{2} * kSamples * at + 2 * sample + 1;
    return static_cast<int>(part * from / (int64_t{2} * kSamples * to));
  };
  for (int x = 0; x < width; ++x) {
    Components sum{};
    for (int i = 0; i < kSamples * kSamples; ++i) {
      reader.add(place(x, i % kSamples, frame.width, width),
                 place(row, i / kSamples, frame.height, height), sum);
    }
    for (int& component : sum) component /= kSamples * kSamples;
    means[static_cast<size_t>(x)] = sum;
  }
}

void write_cinema(const CinemaColor& color, const std::vector<Components>& means, uint8_t* rgb) {
  const size_t count = means.size();
  std::vector<uint16_t> lines(3 * count);
  for (size_t i = 0; i < 3 * count; ++i) {
    lines[i] = static_cast<uint16_t>(means[i % count][i / count]);
  }
  const uint16_t* const xyz[3] = {lines.data(), lines.data() + count, lines.data() + 2 * count};
  const std::vector<float> no_dither(std::max<size_t>(count, 64));
  std::vector<uint8_t> bgra(4 * count);
  color.show_row(xyz, static_cast<int>(count), no_dither.data(), bgra.data());
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < 3; ++k) rgb[3 * i + k] = bgra[4 * i + 2 - k];
  }
}

}  // namespace

void sample_to_rgb(const ImageView& frame, int width, int height, std::span<uint8_t> rgb) {
  const PixelReader reader(frame);
  const ToRgb to_rgb(frame);
  std::vector<CinemaColor> cinema;  // has large tables: built only if needed
  if (frame.matrix == ColorMatrix::kXyz) cinema.emplace_back(frame.bits);
  std::vector<Components> means(static_cast<size_t>(width));
  uint8_t* out = rgb.data();
  for (int row = 0; row < height; ++row) {
    mean_row(frame, reader, width, height, row, means);
    if (!cinema.empty()) {
      write_cinema(cinema.front(), means, out);
      out += 3 * means.size();
      continue;
    }
    for (const Components& mean : means) {
      if (reader.planar()) {
        to_rgb.write(static_cast<float>(mean[0]), static_cast<float>(mean[1]),
                     static_cast<float>(mean[2]), out);
      } else {
        for (size_t i = 0; i < 3; ++i) {
          out[i] = static_cast<uint8_t>(mean[i] >> (frame.bits - 8));
        }
      }
      out += 3;
    }
  }
}

}  // namespace codecs
