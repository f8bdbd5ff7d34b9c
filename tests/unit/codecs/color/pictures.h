// Test pictures with known properties, and memory that detects stray accesses.
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

// CPU levels of this machine, the reference first.
std::vector<CpuLevel> available_levels();

// Exactly sized, so that AddressSanitizer detects the first byte accessed beyond it.
using Bytes = std::vector<uint8_t>;

// Packed R, G, B.
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

// The picture in another format, with separately allocated planes. The last row of each plane ends
// at the end of its allocation.
struct Frame {
  ImageView view;
  Bytes planes[3];
};
Frame make_frame(const Picture& picture, PixelFormat format, int stride_padding = 0);

// An output buffer with guard bytes around it and between rows.
class GuardedPixels {
 public:
  GuardedPixels(int width, int height, int stride_padding = 12);
  BgraTarget target();
  const uint8_t* at(int x, int y) const;
  // Only the pixels, row by row.
  Bytes pixels() const;
  // Returns true if all guard bytes are unchanged.
  bool guards_untouched() const;

 private:
  static constexpr uint8_t kGuard = 0xa5;
  static constexpr size_t kMargin = 64;
  int width_;
  int height_;
  size_t stride_;
  Bytes bytes_;
};

// Peak signal-to-noise ratio over red, green and blue; `bgra` is packed.
double psnr(const Picture& picture, const Bytes& bgra);

}  // namespace codecs::test
