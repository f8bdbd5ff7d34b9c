// Pictures of the codec benchmark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "codecs/base/image.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/worker_pool.h"

namespace bench {

// Zeroed bytes aligned to 64, as FFmpeg's and graphics buffers are.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(size_t bytes);

  uint8_t* data() { return bytes_.get(); }
  const uint8_t* data() const { return bytes_.get(); }
  size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t[], Free> bytes_;
  size_t size_ = 0;
};

// R, G, B, A, row after row without gaps.
struct Picture {
  Picture(std::string name, sail::Size size);

  std::string name;
  sail::Size size;
  Buffer pixels;
  bool translucent = false;  // alpha varies; otherwise it is 255

  ptrdiff_t stride() const { return ptrdiff_t{4} * size.width; }
  int64_t pixel_count() const { return int64_t{size.width} * size.height; }
  uint8_t* at(int x, int y) { return pixels.data() + stride() * y + ptrdiff_t{4} * x; }
  const uint8_t* at(int x, int y) const { return pixels.data() + stride() * y + ptrdiff_t{4} * x; }
  codecs::ImageView view() const;
};

// Computes every pixel: calls paint(x, y, rgba) on all threads of the pool.
void paint_pixels(Picture& picture, sail::WorkerPool& pool,
                  const std::function<void(int x, int y, uint8_t* rgba)>& paint);

// Takes one random texel block out of each cell of columns × rows texel blocks (the same ones each
// time). On this small picture slow encoders do the same work for each block, with nearly the same
// error.
Picture sample(const Picture& picture, int columns, int rows);

// The picture as a video decoder delivers it: BT.709, limited range, 2×2 subsampled by averaging.
// Sizes must be even.
struct YuvPicture {
  Buffer planes[3];  // the third is empty for NV12
  codecs::ImageView view;
};
YuvPicture to_yuv(const Picture& picture, codecs::PixelFormat format);

// Converts a YUV picture with the reference kernel.
Picture shown(const YuvPicture& yuv);

// Peak signal-to-noise ratio of pixels (R, G, B, A or B, G, R, A, given by `order`, no gaps) over
// red, green and blue, and over alpha if with_alpha.
double psnr_db(const Picture& truth, const uint8_t* pixels, codecs::PixelFormat order,
               bool with_alpha);

}  // namespace bench
