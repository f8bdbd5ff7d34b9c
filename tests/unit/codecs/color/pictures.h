// Pictures with a known character, and memory that notices a stray access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/base/image.h"

namespace codecs::test {

enum class Content { kFlat, kGradient, kTwoColours, kNoise, kPhotograph, kText };
constexpr Content kAllContents[] = {Content::kFlat,  Content::kGradient,   Content::kTwoColours,
                                    Content::kNoise, Content::kPhotograph, Content::kText};
const char* content_name(Content content);

constexpr PixelFormat kAllFormats[] = {PixelFormat::kRgba, PixelFormat::kBgra, PixelFormat::kRgb,
                                       PixelFormat::kNv12, PixelFormat::kI420, PixelFormat::kNv16,
                                       PixelFormat::kI422};

// The levels of this machine, the reference first.
std::vector<CpuLevel> available_levels();

// An exact-size allocation: AddressSanitizer sees the first byte read or written beside it.
using Bytes = std::vector<uint8_t>;

// Tightly packed R, G, B.
struct Picture {
  int width = 0;
  int height = 0;
  Bytes rgb;
  const uint8_t* at(int x, int y) const {
    return rgb.data() +
           (static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) * 3;
  }
};
Picture make_picture(Content content, int width, int height, uint32_t seed = 1);

// The picture in another format, its planes in memory of their own; the last row of each plane ends
// where its allocation ends.
struct Frame {
  ImageView view;
  Bytes planes[3];
};
Frame make_frame(const Picture& picture, PixelFormat format, int stride_padding = 0);

// Pixels to write to, with guard bytes all around and between the rows.
class GuardedPixels {
 public:
  GuardedPixels(int width, int height, int stride_padding = 12);
  BgraTarget target();
  const uint8_t* at(int x, int y) const;
  // Only the pixels, row by row.
  Bytes pixels() const;
  // Whether every byte beside them is as it was.
  bool guards_untouched() const;

 private:
  static constexpr uint8_t kGuard = 0xa5;
  static constexpr size_t kMargin = 64;
  int width_;
  int height_;
  size_t stride_;
  Bytes bytes_;
};

// Peak signal-to-noise ratio over red, green and blue; `bgra` is tightly packed.
double psnr(const Picture& picture, const Bytes& bgra);

}  // namespace codecs::test
