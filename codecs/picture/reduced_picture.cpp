#include "codecs/picture/reduced_picture.h"

#include <algorithm>
#include <cstring>

#include "codecs/color/scaling.h"

namespace codecs {
namespace {

// Layout of a plane: bytes per sample, interleaved channels, subsampling.
struct Shape {
  int sample_bytes;
  int channels;
  int step_x;
  int step_y;
};

bool is_rgb(PixelFormat format) {
  return format == PixelFormat::kRgba || format == PixelFormat::kBgra ||
         format == PixelFormat::kRgb;
}

int plane_count(PixelFormat format) {
  if (format == PixelFormat::kRgbDeep) return 1;
  return has_interleaved_chroma(format) ? 2 : 3;
}

Shape shape_of(PixelFormat format, int plane) {
  const int sample_bytes = is_deep(format) ? 2 : 1;
  if (format == PixelFormat::kRgbDeep) return {sample_bytes, 3, 1, 1};
  if (plane == 0) return {sample_bytes, 1, 1, 1};
  const bool full = format == PixelFormat::kI444 || format == PixelFormat::kI444Deep;
  return {sample_bytes, has_interleaved_chroma(format) ? 2 : 1, full ? 1 : 2,
          chroma_rows_step(format)};
}

int divided(int length, int step) {
  return (length + step - 1) / step;
}

}  // namespace

// The part of a plane that is read, in samples.
struct ReducedPicture::Plane {
  const uint8_t* first;  // first sample of the part
  ptrdiff_t stride;
  int channels;
  int width;  // size of the part, clipped to the frame
  int height;
  int reduced_width;
  int reduced_height;
};

const ImageView& ReducedPicture::make(const ImageView& frame, int reduction, int x, int y,
                                      int width, int height, CpuLevel cpu) {
  view_ = frame;
  view_.width = width;
  view_.height = height;
  if (!is_rgb(frame.format)) {
    make_planes(frame, reduction, x, y);
    return view_;
  }
  const ptrdiff_t stride = ptrdiff_t{4} * width;
  const auto bytes = static_cast<size_t>(stride * height);
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  reduce_to_bgra(frame, reduction, x, y, width, height, {bytes_.data(), stride}, cpu);
  view_.format = PixelFormat::kBgra;
  view_.planes[0] = bytes_.data();
  view_.strides[0] = stride;
  return view_;
}

void ReducedPicture::make_planes(const ImageView& frame, int reduction, int x, int y) {
  Plane planes[3];
  size_t offsets[3] = {};
  size_t bytes = 0;
  const int count = plane_count(frame.format);
  for (int i = 0; i < count; ++i) {
    const Shape shape = shape_of(frame.format, i);
    const int left = (x / shape.step_x) << reduction;
    const int top = (y / shape.step_y) << reduction;
    Plane& plane = planes[i];
    plane.reduced_width = divided(view_.width, shape.step_x);
    plane.reduced_height = divided(view_.height, shape.step_y);
    plane.width =
        std::min(plane.reduced_width << reduction, divided(frame.width, shape.step_x) - left);
    plane.height =
        std::min(plane.reduced_height << reduction, divided(frame.height, shape.step_y) - top);
    plane.channels = shape.channels;
    plane.stride = frame.strides[i];
    plane.first = frame.planes[i] + plane.stride * top +
                  ptrdiff_t{left} * shape.channels * shape.sample_bytes;
    offsets[i] = bytes;
    view_.strides[i] = ptrdiff_t{plane.reduced_width} * shape.channels * shape.sample_bytes;
    bytes += static_cast<size_t>(view_.strides[i] * plane.reduced_height);
  }
  if (bytes_.size() < bytes) bytes_.resize(bytes);
  for (int i = 0; i < count; ++i) {
    view_.planes[i] = bytes_.data() + offsets[i];
    uint8_t* to = bytes_.data() + offsets[i];
    is_deep(frame.format) ? reduce_plane<uint16_t>(planes[i], reduction, to)
                          : reduce_plane<uint8_t>(planes[i], reduction, to);
  }
}

template <class Sample>
void ReducedPicture::reduce_plane(const Plane& plane, int reduction, uint8_t* to) {
  const int side = 1 << reduction;
  const auto row_samples = static_cast<size_t>(plane.width * plane.channels);
  if (sums_.size() < row_samples) sums_.resize(row_samples);
  for (int row = 0; row < plane.reduced_height; ++row) {
    const int rows = std::min(side, plane.height - (row << reduction));
    std::fill_n(sums_.begin(), row_samples, 0U);
    for (int i = 0; i < rows; ++i) {
      const uint8_t* from = plane.first + plane.stride * ((row << reduction) + i);
      for (size_t at = 0; at < row_samples; ++at) {
        Sample sample;  // rows of deep samples may be unaligned
        std::memcpy(&sample, from + at * sizeof(Sample), sizeof(Sample));
        sums_[at] += sample;
      }
    }
    for (int column = 0; column < plane.reduced_width; ++column) {
      const int columns = std::min(side, plane.width - (column << reduction));
      const auto area = static_cast<uint32_t>(rows * columns);
      for (int channel = 0; channel < plane.channels; ++channel) {
        uint32_t sum = area / 2;
        for (int i = 0; i < columns; ++i) {
          sum += sums_[static_cast<size_t>(((column << reduction) + i) * plane.channels + channel)];
        }
        const auto mean = static_cast<Sample>(sum / area);
        std::memcpy(to, &mean, sizeof mean);
        to += sizeof mean;
      }
    }
  }
}

}  // namespace codecs
