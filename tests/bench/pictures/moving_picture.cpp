#include "tests/bench/pictures/moving_picture.h"

#include <algorithm>
#include <cmath>

#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

// Range of the view's movement over the picture.
constexpr int kRoomX = 512;
constexpr int kRoomY = 256;

float channel(int x, int y, uint32_t seed) {
  return 0.5f * value_noise(x, y, 190, seed) + 0.28f * value_noise(x, y, 41, seed + 1) +
         0.14f * value_noise(x, y, 11, seed + 2) + 0.08f * value_noise(x, y, 3, seed + 3);
}

// Discs with hard edges and a grid of fine lines over the noise.
void draw_pixel(int x, int y, uint8_t* pixel) {
  const int disc_x = x % 640 - 320;
  const int disc_y = y % 480 - 240;
  const bool in_disc = disc_x * disc_x + disc_y * disc_y < 120 * 120;
  const bool on_line = x % 97 == 0 || y % 89 == 0;
  for (uint32_t c = 0; c < 3; ++c) {
    float value = channel(x, y, 7 + 10 * c);
    if (in_disc)
      value = 0.4f * value + 0.6f *
                                 static_cast<float>(hash(static_cast<uint32_t>(x / 640),
                                                         static_cast<uint32_t>(y / 480), c) &
                                                    255) /
                                 255.0f;
    if (on_line) value = 0.9f * value + 0.1f;
    pixel[c] = static_cast<uint8_t>(std::clamp(value * 255.0f, 0.0f, 255.0f));
  }
  pixel[3] = 255;
}

// Moves from 0 to `room` and back, `step` a frame.
int there_and_back(uint64_t number, uint64_t step, int room) {
  const uint64_t period = 2 * static_cast<uint64_t>(room);
  const uint64_t at = number * step % period;
  return static_cast<int>(std::min(at, period - at));
}

}  // namespace

MovingPicture::MovingPicture(sail::Size frame_size)
    : size_{frame_size.width + kRoomX, frame_size.height + kRoomY},
      pixels_(static_cast<size_t>(size_.width) * static_cast<size_t>(size_.height) * 4) {
  for (int y = 0; y < size_.height; ++y) {
    uint8_t* row = pixels_.data() + y * stride();
    for (int x = 0; x < size_.width; ++x) draw_pixel(x, y, row + ptrdiff_t{x} * 4);
  }
}

MovingPicture::Offset MovingPicture::offset(uint64_t number) {
  return {there_and_back(number, 7, kRoomX) & ~1, there_and_back(number, 3, kRoomY) & ~1};
}

const uint8_t* MovingPicture::frame(uint64_t number) const {
  const auto [x, y] = offset(number);
  return pixels_.data() + y * stride() + ptrdiff_t{x} * 4;
}

namespace {

// Luma weights of red and blue, BT.709.
constexpr double kRed = 0.2126;
constexpr double kBlue = 0.0722;

struct Yuv {
  double y, cb, cr;  // y: 0 … 255; cb, cr: −127.5 … 127.5
};

Yuv yuv_of(const uint8_t* bgra) {
  const double y = kRed * bgra[2] + (1 - kRed - kBlue) * bgra[1] + kBlue * bgra[0];
  return {y, (bgra[0] - y) / (2 * (1 - kBlue)), (bgra[2] - y) / (2 * (1 - kRed))};
}

uint8_t level(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

}  // namespace

PlanarYuv::PlanarYuv(const uint8_t* bgra, ptrdiff_t stride, sail::Size size) : size_(size) {
  const int half_width = (size.width + 1) / 2;
  const auto samples = static_cast<size_t>(half_width) * static_cast<size_t>((size.height + 1) / 2);
  luma_.resize(static_cast<size_t>(size.width) * static_cast<size_t>(size.height));
  for (auto& plane : chroma_) plane.resize(samples);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const Yuv yuv = yuv_of(bgra + y * stride + ptrdiff_t{4} * x);
      luma_[static_cast<size_t>(y) * static_cast<size_t>(size.width) + static_cast<size_t>(x)] =
          level(16 + yuv.y * 219 / 255);
      if (x % 2 != 0 || y % 2 != 0) continue;
      const auto at =
          static_cast<size_t>(y / 2) * static_cast<size_t>(half_width) + static_cast<size_t>(x / 2);
      chroma_[0][at] = level(128 + yuv.cb * 224 / 255);
      chroma_[1][at] = level(128 + yuv.cr * 224 / 255);
    }
  }
}

sail_frame PlanarYuv::frame(int x, int y) const {
  sail_frame frame{};
  frame.format = SAIL_I420;
  frame.strides[0] = size_.width;
  frame.planes[0] = luma_.data() + y * frame.strides[0] + x;
  for (int i = 0; i < 2; ++i) {
    frame.strides[i + 1] = (size_.width + 1) / 2;
    frame.planes[i + 1] = chroma_[i].data() + y / 2 * frame.strides[i + 1] + x / 2;
  }
  return frame;
}

}  // namespace bench
