#include "tests/bench/codec/contents.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

uint8_t to_byte(double value) {
  return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
}

// A fully saturated colour; hue 0 … 1 is the whole colour circle.
void set_hue(double hue, double level, uint8_t* rgba) {
  for (int c = 0; c < 3; ++c) {
    const double away = std::abs(std::fmod(hue + 1 - c / 3.0, 1.0) * 6 - 3);
    rgba[c] = to_byte(255 * level * std::clamp(away - 1, 0.0, 1.0));
  }
}

void set_grey(double value, uint8_t* rgba) {
  for (int c = 0; c < 3; ++c) rgba[c] = to_byte(value);
}

// A pixel of the test card at (u, v), both from 0 to 1.
void test_card_pixel(int x, int y, double u, double v, uint8_t* rgba) {
  if (v < 0.15) {  // eight bars
    const auto bits = 7 - static_cast<unsigned>(u * 8);
    for (unsigned c = 0; c < 3; ++c) rgba[c] = (bits >> (c == 0 ? 1 : c == 1 ? 2 : 0) & 1) * 255;
  } else if (v < 0.2) {
    set_grey(255 * u, rgba);
  } else if (v < 0.3) {  // checks of 1 … 64 pixels in two colours
    const int shift = static_cast<int>(u * 7);
    const bool odd = ((x >> shift ^ y >> shift) & 1) != 0;
    set_hue(std::floor(u * 14) / 14 + (odd ? 0.5 : 0), 1, rgba);
  } else if (v < 0.85) {  // diagonal colour gradients cut by steps, with discs
    const double disc_u = std::fmod(u * 8, 1.0) - 0.5, disc_v = std::fmod(v * 4.5, 1.0) - 0.5;
    if (disc_u * disc_u + disc_v * disc_v < 0.1) {
      set_hue(std::floor(u * 8) / 8 + 0.5, 0.8, rgba);
      return;
    }
    const int steps = (x / 96 ^ y / 96) & 15;
    set_hue(std::fmod(u + v, 1.0), 0.25 + steps / 20.0, rgba);
  } else {  // rings that become finer
    const double du = u - 0.5, dv = (v - 0.925) * 9 / 16;
    set_grey(127.5 + 127.5 * std::cos(3000 * (du * du + dv * dv)), rgba);
  }
}

void draw_test_card(Picture& picture, sail::WorkerPool& pool) {
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    test_card_pixel(x, y, static_cast<double>(x) / picture.size.width,
                    static_cast<double>(y) / picture.size.height, rgba);
    rgba[3] = 255;
  });
}

// Iterations until z² + c leaves the circle, smoothed; 0 inside the set.
double escape_time(double cr, double ci) {
  constexpr int kMost = 160;
  double zr = 0, zi = 0;
  for (int i = 0; i < kMost; ++i) {
    const double next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    const double square = zr * zr + zi * zi;
    if (square > 64) return i + 1 - std::log2(std::log2(square) / 6);
  }
  return 0;
}

void draw_fractal(Picture& picture, sail::WorkerPool& pool) {
  const double step = 0.018 / picture.size.width;
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    const double time = escape_time(-0.7555 + step * x, 0.113 + step * y);
    for (int c = 0; c < 3; ++c) {
      const double colour = time > 0 ? 127 + 110 * std::sin(time * (0.13 + 0.05 * c) + c) : 20;
      const double noise =
          hash(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(50 + c)) &
          31;
      rgba[c] = to_byte(colour + noise - 16);
    }
    rgba[3] = 255;
  });
}

// Soft patches of alpha, and a row of sharp stripes.
void draw_translucent(Picture& picture, sail::WorkerPool& pool) {
  draw_photo(picture, 2, pool);
  picture.translucent = true;
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    const double soft = 0.7 * value_noise(x, y, 211, 90) + 0.25 * value_noise(x, y, 37, 91) +
                        0.05 * value_noise(x, y, 3, 92);
    const bool stripes = y % 400 < 40;
    rgba[3] = stripes ? (x / 24 % 2 != 0 ? 255 : 0) : to_byte(255 * (soft * 2.2 - 0.6));
  });
}

}  // namespace

const std::vector<std::string>& content_names() {
  static const std::vector<std::string> names = {"testcard", "photo", "fractal", "desktop",
                                                 "translucent"};
  return names;
}

Picture draw_content(const std::string& name, sail::Size size, sail::WorkerPool& pool) {
  Picture picture(name, size);
  if (name == "testcard") {
    draw_test_card(picture, pool);
  } else if (name == "photo") {
    draw_photo(picture, 1, pool);
  } else if (name == "fractal") {
    draw_fractal(picture, pool);
  } else if (name == "desktop") {
    draw_desktop(picture, pool);
  } else {
    assert(name == "translucent");
    draw_translucent(picture, pool);
  }
  return picture;
}

}  // namespace bench
