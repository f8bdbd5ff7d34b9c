// The pictures that the codec benchmark works on.
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

// Bytes at an address that is a multiple of 64, as FFmpeg's and graphics' buffers are; all 0.
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
  bool translucent = false;  // alpha varies; elsewhere it is 255

  ptrdiff_t stride() const { return ptrdiff_t{4} * size.width; }
  int64_t pixel_count() const { return int64_t{size.width} * size.height; }
  uint8_t* at(int x, int y) { return pixels.data() + stride() * y + ptrdiff_t{4} * x; }
  const uint8_t* at(int x, int y) const { return pixels.data() + stride() * y + ptrdiff_t{4} * x; }
  codecs::ImageView view() const;
};

// Computes every pixel: paint(x, y, rgba) on all the pool's threads.
void paint_pixels(Picture& picture, sail::WorkerPool& pool,
                  const std::function<void(int x, int y, uint8_t* rgba)>& paint);

// One texel block out of each cell of columns × rows texel blocks, chosen at random (the same ones
// each time): a small picture on which slow encoders do the same work for a block, and have nearly
// the same error.
Picture sample(const Picture& picture, int columns, int rows);

// The picture as a video decoder delivers it: BT.709, limited range, 2×2 subsampled by averaging.
// Even sizes.
struct YuvPicture {
  Buffer planes[3];  // the third stays empty for NV12
  codecs::ImageView view;
};
YuvPicture to_yuv(const Picture& picture, codecs::PixelFormat format);

// What a YUV picture shows, converted by the reference kernel.
Picture shown(const YuvPicture& yuv);

// Peak signal-to-noise ratio of pixels (R, G, B, A or B, G, R, A as `order` says, no gaps) over
// red, green and blue, and over alpha too where asked.
double psnr_db(const Picture& truth, const uint8_t* pixels, codecs::PixelFormat order,
               bool with_alpha);

}  // namespace bench
