#include "tests/unit/codecs/color/pictures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace codecs::test {
namespace {

class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed * 2654435761U + 1) {}
  uint32_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  int below(int end) { return static_cast<int>(next() % static_cast<uint32_t>(end)); }

 private:
  uint32_t state_;
};

uint8_t to_level(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

// Smooth shapes of several sizes, hard edges and a little grain.
void photograph_texel(int x, int y, Random& random, uint8_t* rgb) {
  const double large = std::sin(x * 0.021) * std::cos(y * 0.017);
  const double small = std::sin(x * 0.31 + 2 * std::sin(y * 0.05)) * std::cos(y * 0.23);
  const bool shape = std::hypot(std::fmod(x, 97.0) - 48, std::fmod(y, 83.0) - 41) < 30;
  const double grain = random.below(9) - 4;
  const double light = 120 + 70 * large + 22 * small + grain;
  rgb[0] = to_level(light + (shape ? 45 : -12) + 25 * std::sin(y * 0.013));
  rgb[1] = to_level(light * 0.93 + (shape ? -20 : 8));
  rgb[2] = to_level(light * 0.8 + (shape ? -50 : 25) - 20 * large);
}

void texel(Content content, int x, int y, Random& random, uint8_t* rgb) {
  switch (content) {
    case Content::kFlat:
      rgb[0] = 37, rgb[1] = 142, rgb[2] = 201;
      return;
    case Content::kGradient:
      rgb[0] = static_cast<uint8_t>(x * 3 + y);
      rgb[1] = static_cast<uint8_t>(255 - x);
      rgb[2] = static_cast<uint8_t>(y * 2);
      return;
    case Content::kTwoColours: {
      const bool first = (x + y / 3) / 7 % 2 == 0;
      rgb[0] = first ? 250 : 10, rgb[1] = first ? 20 : 200, rgb[2] = first ? 30 : 120;
      return;
    }
    case Content::kNoise:
      for (int c = 0; c < 3; ++c) rgb[c] = static_cast<uint8_t>(random.next() >> 11);
      return;
    case Content::kPhotograph:
      return photograph_texel(x, y, random, rgb);
    case Content::kText: {
      const bool ink = (x * 7 ^ y * 5) % 11 < 3;
      const bool dark = y / 40 % 2 == 0;
      rgb[0] = ink ? 230 : dark ? 24 : 250;
      rgb[1] = ink ? 60 : dark ? 28 : 250;
      rgb[2] = ink ? 90 : dark ? 64 : 244;
      return;
    }
  }
}

double luma_weight_red(ColorMatrix matrix) {
  return matrix == ColorMatrix::kBt601 ? 0.299 : 0.2126;
}
double luma_weight_blue(ColorMatrix matrix) {
  return matrix == ColorMatrix::kBt601 ? 0.114 : 0.0722;
}

}  // namespace

const char* content_name(Content content) {
  switch (content) {
    case Content::kFlat:
      return "flat";
    case Content::kGradient:
      return "gradient";
    case Content::kTwoColours:
      return "two colours";
    case Content::kNoise:
      return "noise";
    case Content::kPhotograph:
      return "photograph";
    case Content::kText:
      return "text";
  }
  return "";
}

std::vector<CpuLevel> available_levels() {
  std::vector<CpuLevel> levels;
  for (const CpuLevel level : kCpuLevels) {
    if (level <= detect_cpu()) levels.push_back(level);
  }
  return levels;
}

Picture make_picture(Content content, int width, int height, uint32_t seed) {
  Picture picture{width, height, Bytes(static_cast<size_t>(width * height * 3))};
  Random random(seed);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      texel(content, x, y, random, picture.rgb.data() + (y * width + x) * 3);
    }
  }
  return picture;
}

Frame make_frame(const Picture& picture, PixelFormat format, int stride_padding) {
  Frame frame;
  frame.view.format = format;
  frame.view.width = picture.width;
  frame.view.height = picture.height;
  const auto add_plane = [&](int index, int row_bytes, int rows) {
    const int stride = row_bytes + stride_padding;
    frame.planes[index] = Bytes(static_cast<size_t>(stride * (rows - 1) + row_bytes), 0x5a);
    frame.view.planes[index] = frame.planes[index].data();
    frame.view.strides[index] = stride;
  };
  const auto byte = [&](int plane, int y, int offset) -> uint8_t& {
    return frame.planes[plane][static_cast<size_t>(frame.view.strides[plane] * y + offset)];
  };

  const int chroma_width = (picture.width + 1) / 2;
  const int chroma_step = chroma_rows_step(format);
  const int chroma_height = (picture.height + chroma_step - 1) / chroma_step;
  const bool interleaved = has_interleaved_chroma(format);
  const bool planar = format == PixelFormat::kI420 || format == PixelFormat::kI422;
  const bool yuv = interleaved || planar;
  const int pixel_bytes = yuv ? 1 : format == PixelFormat::kRgb ? 3 : 4;
  add_plane(0, picture.width * pixel_bytes, picture.height);
  if (interleaved) add_plane(1, chroma_width * 2, chroma_height);
  if (planar) {
    add_plane(1, chroma_width, chroma_height);
    add_plane(2, chroma_width, chroma_height);
  }

  const double kr = luma_weight_red(frame.view.matrix);
  const double kb = luma_weight_blue(frame.view.matrix);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const uint8_t* rgb = picture.at(x, y);
      const double luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];
      const uint8_t cb = to_level(128 + (rgb[2] - luma) / (2 * (1 - kb)) * 224 / 255);
      const uint8_t cr = to_level(128 + (rgb[0] - luma) / (2 * (1 - kr)) * 224 / 255);
      switch (format) {
        case PixelFormat::kRgb:
          for (int c = 0; c < 3; ++c) byte(0, y, 3 * x + c) = rgb[c];
          break;
        case PixelFormat::kRgba:
        case PixelFormat::kBgra:
          for (int c = 0; c < 3; ++c) {
            byte(0, y, 4 * x + (format == PixelFormat::kRgba ? c : 2 - c)) = rgb[c];
          }
          byte(0, y, 4 * x + 3) = static_cast<uint8_t>(x * 11 + y);
          break;
        case PixelFormat::kNv12:
        case PixelFormat::kNv16:
          byte(0, y, x) = to_level(16 + luma * 219 / 255);
          byte(1, y / chroma_step, x / 2 * 2) = cb;
          byte(1, y / chroma_step, x / 2 * 2 + 1) = cr;
          break;
        case PixelFormat::kI420:
        case PixelFormat::kI422:
          byte(0, y, x) = to_level(16 + luma * 219 / 255);
          byte(1, y / chroma_step, x / 2) = cb;
          byte(2, y / chroma_step, x / 2) = cr;
          break;
        default:  // see make_deep_frame()
          break;
      }
    }
  }
  return frame;
}

GuardedPixels::GuardedPixels(int width, int height, int stride_padding)
    : width_(width),
      height_(height),
      stride_(static_cast<size_t>(width * 4 + stride_padding)),
      bytes_(2 * kMargin + stride_ * static_cast<size_t>(height), kGuard) {}

BgraTarget GuardedPixels::target() {
  return {bytes_.data() + kMargin, static_cast<ptrdiff_t>(stride_)};
}

const uint8_t* GuardedPixels::at(int x, int y) const {
  return bytes_.data() + kMargin + stride_ * static_cast<size_t>(y) + static_cast<size_t>(x) * 4;
}

Bytes GuardedPixels::pixels() const {
  Bytes pixels;
  for (int y = 0; y < height_; ++y) pixels.insert(pixels.end(), at(0, y), at(width_, y));
  return pixels;
}

bool GuardedPixels::guards_untouched() const {
  Bytes rest = bytes_;
  for (int y = 0; y < height_; ++y) {
    std::memset(rest.data() + (at(0, y) - bytes_.data()), kGuard, static_cast<size_t>(width_) * 4);
  }
  return std::all_of(rest.begin(), rest.end(), [](uint8_t byte) { return byte == kGuard; });
}

double psnr(const Picture& picture, const Bytes& bgra) {
  double error = 0;
  const size_t count = picture.rgb.size() / 3;
  for (size_t i = 0; i < count; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const double difference = picture.rgb[3 * i + c] - bgra[4 * i + 2 - c];
      error += difference * difference;
    }
  }
  if (error == 0) return 99;
  return 10 * std::log10(255.0 * 255 * 3 * static_cast<double>(count) / error);
}

namespace {

// Bayer matrix (1973): each quarter is the half-size matrix times four, plus 0, 2, 3 and 1.
constexpr int kBayer[8][8] = {
    {0, 32, 8, 40, 2, 34, 10, 42},  {48, 16, 56, 24, 50, 18, 58, 26},
    {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
    {3, 35, 11, 43, 1, 33, 9, 41},  {51, 19, 59, 27, 49, 17, 57, 25},
    {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21},
};

int bits_of(const ImageView& frame) {
  return is_deep(frame.format) ? frame.bits : 8;
}

int sample(const ImageView& frame, int plane, ptrdiff_t at, int row) {
  const uint8_t* line = frame.planes[plane] + frame.strides[plane] * row;
  if (!is_deep(frame.format)) return line[at];
  return (line[2 * at] | line[2 * at + 1] << 8) & ((1 << frame.bits) - 1);
}

int smooth_sample(int most, int x, int y, int component) {
  const double wave = std::sin(x * 0.09 + component) * std::cos(y * 0.07 - component);
  const int grain = (x * 7919 + y * 104729 + component * 31) % 11 - 5;
  if ((x * 3 + y * 5 + component) % 97 == 0) return x % 2 == 0 ? 0 : most;
  return std::clamp(static_cast<int>(most * (0.5 + 0.45 * wave)) + grain, 0, most);
}

std::array<double, 3> yuv_levels(const ImageView& frame, double y, double cb, double cr) {
  const double step = std::pow(2, bits_of(frame) - 8), most = std::pow(2, bits_of(frame)) - 1;
  const bool limited = frame.range == ColorRange::kLimited;
  const double luma = limited ? (y - 16 * step) / (219 * step) : y / most;
  const double blue = (cb - 128 * step) / (limited ? 224 * step : most);
  const double red = (cr - 128 * step) / (limited ? 224 * step : most);
  const double kr = frame.matrix == ColorMatrix::kBt601    ? 0.299
                    : frame.matrix == ColorMatrix::kBt2020 ? 0.2627
                                                           : 0.2126;
  const double kb = frame.matrix == ColorMatrix::kBt601    ? 0.114
                    : frame.matrix == ColorMatrix::kBt2020 ? 0.0593
                                                           : 0.0722;
  const double r = luma + 2 * (1 - kr) * red, b = luma + 2 * (1 - kb) * blue;
  const double g = (luma - kr * r - kb * b) / (1 - kr - kb);
  return {255 * r, 255 * g, 255 * b};
}

// From SMPTE ST 428-1, ITU-R BT.709 primaries, IEC 61966-2-1.
std::array<double, 3> cinema_levels(const std::array<double, 3>& codes, double most) {
  double light[3];
  for (size_t i = 0; i < 3; ++i) light[i] = 52.37 / 48 * std::pow(codes[i] / most, 2.6);
  const double to_rgb[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                               {-0.9692660, 1.8760108, 0.0415560},
                               {0.0556434, -0.2040259, 1.0572252}};
  std::array<double, 3> levels{};
  for (size_t i = 0; i < 3; ++i) {
    double linear = 0;
    for (size_t j = 0; j < 3; ++j) linear += to_rgb[i][j] * light[j];
    linear = std::clamp(linear, 0.0, 1.0);
    levels[i] =
        255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
  }
  return levels;
}

}  // namespace

DeepFrame make_deep_frame(PixelFormat format, int bits, int width, int height, ColorMatrix matrix,
                          ColorRange range) {
  DeepFrame frame;
  ImageView& view = frame.view;
  view = {.format = format, .width = width, .height = height, .matrix = matrix, .range = range};
  view.bits = is_deep(format) ? bits : 8;
  const bool rgb = format == PixelFormat::kRgbDeep;
  const int most = (1 << view.bits) - 1;
  const int bytes = is_deep(format) ? 2 : 1;
  const bool full = rgb || format == PixelFormat::kI444 || format == PixelFormat::kI444Deep;
  for (int plane = 0; plane < (rgb ? 1 : 3); ++plane) {
    const int across = rgb ? 3 * width : plane == 0 || full ? width : (width + 1) / 2;
    const int step = plane == 0 ? 1 : chroma_rows_step(format);
    const int down = (height + step - 1) / step;
    const int stride = across * bytes + 6;
    Bytes& memory = frame.planes[plane];
    memory = Bytes(static_cast<size_t>(stride * (down - 1) + across * bytes), 0x5a);
    view.planes[plane] = memory.data();
    view.strides[plane] = stride;
    for (int y = 0; y < down; ++y) {
      for (int x = 0; x < across; ++x) {
        int value = rgb ? smooth_sample(most, x / 3, y, x % 3) : smooth_sample(most, x, y, plane);
        value |= (x * 40503 + y * 977) << view.bits;
        for (int i = 0; i < bytes; ++i) {
          memory[static_cast<size_t>(stride * y + x * bytes + i)] =
              static_cast<uint8_t>(value >> 8 * i);
        }
      }
    }
  }
  return frame;
}

std::array<double, 3> exact_levels(const ImageView& frame, int x, int y) {
  const double most = std::pow(2, bits_of(frame)) - 1;
  std::array<double, 3> levels{};
  if (frame.format == PixelFormat::kRgbDeep) {
    std::array<double, 3> codes{};
    for (int i = 0; i < 3; ++i) {
      codes[static_cast<size_t>(i)] = sample(frame, 0, ptrdiff_t{3} * x + i, y);
    }
    if (frame.matrix == ColorMatrix::kXyz) return cinema_levels(codes, most);
    for (size_t i = 0; i < 3; ++i) levels[i] = 255 * codes[i] / most;
    return levels;
  }
  const bool full = frame.format == PixelFormat::kI444 || frame.format == PixelFormat::kI444Deep;
  const int chroma_x = full ? x : x / 2, chroma_y = y / chroma_rows_step(frame.format);
  return yuv_levels(frame, sample(frame, 0, x, y), sample(frame, 1, chroma_x, chroma_y),
                    sample(frame, 2, chroma_x, chroma_y));
}

double dither_at(int x, int y) {
  return (kBayer[y % 8][x % 8] + 0.5) / 64;
}

testing::AssertionResult shows(const GuardedPixels& pixels, const ImageView& frame, int frame_x,
                               int frame_y) {
  // Allows for float arithmetic and lookup tables.
  const double tolerance = frame.matrix == ColorMatrix::kXyz ? 0.06 : 0.002;
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const std::array<double, 3> exact = exact_levels(frame, x, y);
      const double added = bits_of(frame) > 8 ? dither_at(frame_x + x, frame_y + y) : 0.5;
      for (int c = 0; c < 3; ++c) {
        const double level = std::clamp(exact[static_cast<size_t>(c)], 0.0, 255.0) + added;
        const int shown = pixels.at(x, y)[2 - c];
        if (shown < std::floor(level - tolerance) || shown > std::floor(level + tolerance)) {
          return testing::AssertionFailure() << "channel " << c << " at " << x << "," << y << " is "
                                             << shown << ", not " << level;
        }
      }
      if (pixels.at(x, y)[3] != 255) return testing::AssertionFailure() << "alpha";
    }
  }
  return testing::AssertionSuccess();
}

}  // namespace codecs::test
