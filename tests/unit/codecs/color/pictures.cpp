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
        default:  // see deep_pictures.h
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

}  // namespace codecs::test
