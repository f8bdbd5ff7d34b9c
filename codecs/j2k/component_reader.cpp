#include "codecs/j2k/component_reader.h"

#include "codecs/simd/kernels.h"

namespace codecs {
namespace {

bool is_rgb_format(PixelFormat format) {
  return format <= PixelFormat::kRgb || format == PixelFormat::kRgbDeep;
}

int pixel_bytes(PixelFormat format) {
  if (format == PixelFormat::kRgb) return 3;
  return format == PixelFormat::kRgbDeep ? 6 : 4;
}

bool has_full_chroma(PixelFormat format) {
  return format == PixelFormat::kI444 || format == PixelFormat::kI444Deep || is_rgb_format(format);
}

}  // namespace

ComponentReader::ComponentReader(const ImageView& frame, int x, int y, int width, int height,
                                 CpuLevel cpu)
    : format_(frame.format),
      kernels_(*kernels_for(cpu).samples),
      width_(width),
      height_(height),
      is_rgb_(is_rgb_format(frame.format)),
      bits_(is_deep(frame.format) ? frame.bits : 8),
      step_x_(has_full_chroma(frame.format) ? 1 : 2),
      step_y_(chroma_rows_step(frame.format)),
      mask_((1 << bits_) - 1) {
  const ptrdiff_t sample_bytes = is_deep(format_) ? 2 : 1;
  if (is_rgb_) {
    planes_[0] = frame.planes[0] + frame.strides[0] * y + ptrdiff_t{pixel_bytes(format_)} * x;
    strides_[0] = frame.strides[0];
    return;
  }
  planes_[0] = frame.planes[0] + frame.strides[0] * y + sample_bytes * x;
  strides_[0] = frame.strides[0];
  for (int i = 1; i < kComponents; ++i) {
    const bool interleaved = has_interleaved_chroma(format_);
    const int plane = interleaved ? 1 : i;
    const ptrdiff_t left =
        interleaved ? ptrdiff_t{x / 2} * 2 + (i - 1) : sample_bytes * (x / step_x_);
    planes_[i] = frame.planes[plane] + frame.strides[plane] * (y / step_y_) + left;
    strides_[i] = frame.strides[plane];
  }
}

int ComponentReader::width(int component) const {
  return component == 0 ? width_ : (width_ + step_x_ - 1) / step_x_;
}

int ComponentReader::height(int component) const {
  return component == 0 ? height_ : (height_ + step_y_ - 1) / step_y_;
}

const uint8_t* ComponentReader::packed_pixels(int row) const {
  const bool packed = format_ == PixelFormat::kRgba || format_ == PixelFormat::kBgra;
  return packed ? row_of(0, row) : nullptr;
}

void ComponentReader::prefetch(int component, int row) const {
  if (row >= height(component)) return;
  constexpr ptrdiff_t kCacheLine = 64;
  const int bytes = is_rgb_ ? pixel_bytes(format_) : is_deep(format_) ? 2 : 1;
  const uint8_t* const from = row_of(component, row);
  for (ptrdiff_t i = 0; i < ptrdiff_t{width(component)} * bytes; i += kCacheLine) {
    __builtin_prefetch(from + i);
  }
}

const uint8_t* ComponentReader::plain_samples(int component, int row) const {
  const bool interleaved = component > 0 && has_interleaved_chroma(format_);
  return is_rgb_ || interleaved || is_deep(format_) ? nullptr : row_of(component, row);
}

void ComponentReader::read_rgb(int row, int32_t* const lines[3]) const {
  const uint8_t* pixels = row_of(0, row);
  switch (format_) {
    case PixelFormat::kRgba:
      return kernels_.split_rgba(pixels, width_, lines);
    case PixelFormat::kBgra:
      return kernels_.split_bgra(pixels, width_, lines);
    case PixelFormat::kRgb:
      return kernels_.split_rgb(pixels, width_, lines);
    default:
      return kernels_.split_rgb16(pixels, width_, mask_, lines);
  }
}

void ComponentReader::read(int component, int row, int32_t* line) const {
  const uint8_t* samples = row_of(component, row);
  const int count = width(component);
  if (is_deep(format_)) return kernels_.widen16(samples, count, mask_, line);
  if (component > 0 && has_interleaved_chroma(format_)) {
    return kernels_.widen8_pairs(samples, count, line);
  }
  kernels_.widen8(samples, count, line);
}

}  // namespace codecs
