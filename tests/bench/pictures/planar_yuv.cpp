#include "tests/bench/pictures/planar_yuv.h"

#include <algorithm>
#include <cmath>

namespace bench {
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
