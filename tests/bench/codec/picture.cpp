#include "tests/bench/codec/picture.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>

#include "codecs/color/convert.h"
#include "codecs/dxt/dxt.h"
#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

using codecs::kTexelBlock;
using codecs::PixelFormat;

uint8_t rounded_byte(double value) {
  return static_cast<uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

}  // namespace

Buffer::Buffer(size_t bytes) : size_(bytes) {
  constexpr size_t kAlignment = 64;
  const size_t rounded = (bytes / kAlignment + 1) * kAlignment;
  bytes_.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, rounded)));
  if (!bytes_) throw std::bad_alloc();
  std::memset(bytes_.get(), 0, rounded);  // touches all pages before anything is measured
}

Picture::Picture(std::string picture_name, sail::Size picture_size)
    : name(std::move(picture_name)),
      size(picture_size),
      pixels(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4) {}

codecs::ImageView Picture::view() const {
  codecs::ImageView view;
  view.format = PixelFormat::kRgba;
  view.width = size.width;
  view.height = size.height;
  view.planes[0] = pixels.data();
  view.strides[0] = stride();
  return view;
}

void paint_pixels(Picture& picture, sail::WorkerPool& pool,
                  const std::function<void(int x, int y, uint8_t* rgba)>& paint) {
  pool.for_each(static_cast<size_t>(picture.size.height), [&](size_t row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < picture.size.width; ++x) paint(x, y, picture.at(x, y));
  });
}

Picture sample(const Picture& picture, int columns, int rows) {
  const int across = std::max(1, picture.size.width / kTexelBlock / columns);
  const int down = std::max(1, picture.size.height / kTexelBlock / rows);
  Picture out(picture.name, {across * kTexelBlock, down * kTexelBlock});
  out.translucent = picture.translucent;
  for (int i = 0; i < across * down; ++i) {
    const int column = i % across, row = i / across;
    const uint32_t random = hash(static_cast<uint32_t>(column), static_cast<uint32_t>(row), 1);
    const int within = static_cast<int>(random % static_cast<uint32_t>(columns * rows));
    const int from_x = (column * columns + within % columns) * kTexelBlock;
    const int from_y = (row * rows + within / columns) * kTexelBlock;
    for (int y = 0; y < kTexelBlock; ++y) {
      std::memcpy(out.at(column * kTexelBlock, row * kTexelBlock + y),
                  picture.at(from_x, from_y + y), size_t{4} * kTexelBlock);
    }
  }
  return out;
}

YuvPicture to_yuv(const Picture& picture, PixelFormat format) {
  const int width = picture.size.width, height = picture.size.height;
  assert(width % 2 == 0 && height % 2 == 0);
  const bool interleaved = format == PixelFormat::kNv12;
  const size_t chroma_bytes = static_cast<size_t>(picture.pixel_count()) / 4;
  YuvPicture yuv;
  yuv.planes[0] = Buffer(chroma_bytes * 4);
  yuv.planes[1] = Buffer(chroma_bytes * (interleaved ? 2 : 1));
  if (!interleaved) yuv.planes[2] = Buffer(chroma_bytes);
  yuv.view.format = format;
  yuv.view.width = width;
  yuv.view.height = height;
  for (int i = 0; i < (interleaved ? 2 : 3); ++i) {
    yuv.view.planes[i] = yuv.planes[i].data();
    yuv.view.strides[i] = i == 0 || interleaved ? width : width / 2;
  }
  const ptrdiff_t step = interleaved ? 2 : 1;
  uint8_t* cb = yuv.planes[1].data();
  uint8_t* cr = interleaved ? cb + 1 : yuv.planes[2].data();
  for (int y = 0; y < height; y += 2) {
    for (int x = 0; x < width; x += 2, cb += step, cr += step) {
      double sum[3] = {};
      for (int i = 0; i < 4; ++i) {
        const uint8_t* rgb = picture.at(x + i % 2, y + i / 2);
        for (int c = 0; c < 3; ++c) sum[c] += rgb[c];
        const double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        yuv.planes[0].data()[ptrdiff_t{width} * (y + i / 2) + x + i % 2] =
            rounded_byte(16 + 219.0 / 255 * luma);
      }
      const double luma = (0.2126 * sum[0] + 0.7152 * sum[1] + 0.0722 * sum[2]) / 4;
      *cb = rounded_byte(128 + 224.0 / 255 * (sum[2] / 4 - luma) / 1.8556);
      *cr = rounded_byte(128 + 224.0 / 255 * (sum[0] / 4 - luma) / 1.5748);
    }
  }
  return yuv;
}

Picture shown(const YuvPicture& yuv) {
  Picture picture("", {yuv.view.width, yuv.view.height});
  codecs::convert_to_bgra(yuv.view, 0, 0, yuv.view.width, yuv.view.height,
                          {picture.pixels.data(), picture.stride()}, codecs::CpuLevel::kReference);
  uint8_t* pixel = picture.pixels.data();
  for (int64_t i = 0; i < picture.pixel_count(); ++i, pixel += 4) std::swap(pixel[0], pixel[2]);
  return picture;
}

double psnr_db(const Picture& truth, const uint8_t* pixels, PixelFormat order, bool with_alpha) {
  const int red = order == PixelFormat::kRgba ? 0 : 2;
  const uint8_t* expected = truth.pixels.data();
  double squares = 0;
  for (int y = 0; y < truth.size.height; ++y) {
    uint64_t row = 0;
    for (int x = 0; x < truth.size.width; ++x, expected += 4, pixels += 4) {
      const int r = expected[0] - pixels[red], g = expected[1] - pixels[1];
      const int b = expected[2] - pixels[2 - red];
      const int a = with_alpha ? expected[3] - pixels[3] : 0;
      row += static_cast<uint64_t>(r * r + g * g + b * b + a * a);
    }
    squares += static_cast<double>(row);
  }
  const double samples = static_cast<double>(truth.pixel_count()) * (with_alpha ? 4 : 3);
  return 10 * std::log10(255.0 * 255.0 * samples / squares);
}

}  // namespace bench
