#include "codecs/picture/sampled_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "codecs/color/cinema_color.h"
#include "codecs/color/convert.h"
#include "codecs/color/scaling.h"
#include "codecs/dxt/dxt.h"
#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "codecs/picture/second_stage.h"

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

namespace {

constexpr uint8_t kGrey = 48;  // for missing blocks
constexpr int kStripRows = kTexelBlock;

struct BlockRect {
  int x = 0;  // pixels of the picture
  int y = 0;
  int width = 0;
  int height = 0;
};

int columns_of(const BlockedPicture& picture) {
  return (picture.width + picture.block_width - 1) / picture.block_width;
}

int rows_of(const BlockedPicture& picture) {
  return (picture.height + picture.block_height - 1) / picture.block_height;
}

BlockRect block_rect(const BlockedPicture& picture, int column, int row) {
  const int x = column * picture.block_width;
  const int y = row * picture.block_height;
  return {x, y, std::min(picture.block_width, picture.width - x),
          std::min(picture.block_height, picture.height - y)};
}

ImageView bgra_view(const std::vector<uint8_t>& pixels, int width, int height) {
  ImageView view;
  view.width = width;
  view.height = height;
  view.planes[0] = pixels.data();
  view.strides[0] = ptrdiff_t{4} * width;
  return view;
}

size_t plain_bytes(const BlockedPicture& picture, const BlockRect& rect) {
  return block_bounds(picture.codec, picture.compression, picture.color.matrix, rect.width,
                      rect.height)
      .most;
}

// DXT and raw: reads strips as wide as the picture.
class StripReader {
 public:
  explicit StripReader(const BlockedPicture& picture)
      : picture_(picture),
        stage_(make_second_stage(picture.compression)),
        plain_(static_cast<size_t>(columns_of(picture))),
        strip_(size_t{4} * kStripRows * static_cast<size_t>(picture.width)) {}

  // Returns the source rows from `from` to before `to` that lie in the same row of texel blocks as
  // the middle row; at least one.
  ImageView read(int from, int to) {
    const int middle = (from + to) / 2;
    const int row = middle / picture_.block_height;
    if (row != row_) take_row(row);
    const BlockRect first = block_rect(picture_, 0, row);
    const int top = (middle - first.y) / kStripRows * kStripRows;
    const int rows = std::min(kStripRows, first.height - top);
    std::fill(strip_.begin(), strip_.end(), kGrey);
    for (int column = 0; column < columns_of(picture_); ++column) {
      const auto& bytes = plain_[static_cast<size_t>(column)];
      if (!bytes.empty()) decode(block_rect(picture_, column, row), top, rows, bytes);
    }
    ImageView view = bgra_view(strip_, picture_.width, rows);
    const int above = std::max(from - first.y - top, 0);
    view.planes[0] += view.strides[0] * above;
    view.height = std::min(to - first.y - top, rows) - above;
    return view;
  }

 private:
  // Loads the row's blocks and undoes their second stage.
  void take_row(int row) {
    row_ = row;
    for (int column = 0; column < columns_of(picture_); ++column) {
      auto& plain = plain_[static_cast<size_t>(column)];
      const auto block = picture_.block(column, row);
      plain.resize(plain_bytes(picture_, block_rect(picture_, column, row)));
      if (block.size() == plain.size()) {
        std::copy(block.begin(), block.end(), plain.begin());
      } else if (block.empty() || !stage_ || !stage_->decompress(block, plain)) {
        plain.clear();
      }
    }
  }

  void decode(const BlockRect& rect, int top, int rows, const std::vector<uint8_t>& bytes) {
    const ptrdiff_t stride = ptrdiff_t{4} * picture_.width;
    uint8_t* const to = strip_.data() + ptrdiff_t{4} * rect.x;
    if (picture_.codec != CodecId::kRaw) {
      dxt_decode(picture_.codec, bytes.data(), rect.width, rect.height, 0, top, rect.width, rows,
                 {.pixels = to, .stride = stride}, cpu_);
      return;
    }
    const bool planar = is_planar(picture_.codec, picture_.compression, picture_.color.matrix);
    ImageView view = packed_view(planar ? PixelFormat::kI420 : PixelFormat::kBgra, rect.width,
                                 rect.height, bytes.data());
    view.matrix = picture_.color.matrix;
    view.range = picture_.color.range;
    convert_to_bgra(view, 0, top, rect.width, rows, {.pixels = to, .stride = stride}, cpu_);
  }

  const BlockedPicture& picture_;
  const CpuLevel cpu_ = detect_cpu();
  const std::unique_ptr<SecondStage> stage_;
  int row_ = -1;                             // row of the blocks in plain_
  std::vector<std::vector<uint8_t>> plain_;  // empty: missing
  std::vector<uint8_t> strip_;
};

void sample_strips(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb) {
  StripReader reader(picture);
  const size_t row_bytes = size_t{3} * static_cast<size_t>(width);
  const auto source_row = [&](int row) {
    return static_cast<int>(int64_t{row} * picture.height / height);
  };
  for (int row = 0; row < height; ++row) {
    sample_to_rgb(reader.read(source_row(row), source_row(row + 1)), width, 1,
                  rgb.subspan(row_bytes * static_cast<size_t>(row), row_bytes));
  }
}

// JPEG 2000: decodes the whole picture at reduced size.
void sample_codestreams(const BlockedPicture& picture, int width, int height,
                        std::span<uint8_t> rgb) {
  int reduction = 0;
  const auto fits = [&](int halvings) {
    return reduced_side(picture.width, halvings) >= width &&
           reduced_side(picture.height, halvings) >= height;
  };
  while (reduction < kMaxReduction && fits(reduction + 1)) ++reduction;
  const int reduced_width = reduced_side(picture.width, reduction);
  const int reduced_height = reduced_side(picture.height, reduction);
  const size_t stride = size_t{4} * static_cast<size_t>(reduced_width);
  std::vector<uint8_t> pixels(stride * static_cast<size_t>(reduced_height), kGrey);
  const auto decoder = make_j2k_decoder(picture.codec);
  for (int row = 0; row < rows_of(picture); ++row) {
    for (int column = 0; column < columns_of(picture); ++column) {
      const auto block = picture.block(column, row);
      if (block.empty()) continue;
      const BlockRect rect = block_rect(picture, column, row);
      const int x = rect.x >> reduction;
      const int y = rect.y >> reduction;
      uint8_t* const to =
          pixels.data() + stride * static_cast<size_t>(y) + size_t{4} * static_cast<size_t>(x);
      // An unreadable block stays grey.
      decoder->decode(block, {.width = rect.width,
                              .height = rect.height,
                              .reduction = reduction,
                              .color = picture.color,
                              .frame_x = x,
                              .frame_y = y,
                              .pixels = {.pixels = to, .stride = static_cast<ptrdiff_t>(stride)}});
    }
  }
  sample_to_rgb(bgra_view(pixels, reduced_width, reduced_height), width, height, rgb);
}

}  // namespace

void sample_blocks(const BlockedPicture& picture, int width, int height, std::span<uint8_t> rgb) {
  if (is_j2k(picture.codec)) {
    sample_codestreams(picture, width, height, rgb);
  } else {
    sample_strips(picture, width, height, rgb);
  }
}

}  // namespace codecs
