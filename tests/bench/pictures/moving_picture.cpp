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

}  // namespace bench
