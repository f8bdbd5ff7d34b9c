#include "codecs/j2k/component_planes.h"

#include <algorithm>
#include <cstring>

#include "codecs/base/streamed_copy.h"
#include "codecs/color/convert.h"
#include "codecs/j2k/j2k_header.h"
#include "codecs/simd/sample_kernels.h"

namespace codecs {
namespace {

template <class Value>
void grow(std::vector<Value>& values, size_t count) {
  if (values.size() < count) values.resize(count);
}

float dither_of(int x, int y) {
  constexpr float kCells = kDitherSide * kDitherSide;
  return (static_cast<float>(bayer(x % kDitherSide, y % kDitherSide)) + 0.5F) / kCells;
}

bool is_yuv(ColorMatrix matrix) {
  return matrix == ColorMatrix::kBt601 || matrix == ColorMatrix::kBt709 ||
         matrix == ColorMatrix::kBt2020;
}

PixelFormat subsampled_format(const J2kHeader& header) {
  return header.chroma_step_y == 2 ? PixelFormat::kI420 : PixelFormat::kI422;
}

}  // namespace

bool fits_color(const J2kHeader& header, ColorMatrix matrix) {
  if (is_yuv(matrix)) return true;
  if (matrix == ColorMatrix::kXyz) return header.components >= 3 && header.chroma_step_x == 1;
  return matrix == ColorMatrix::kRgb && header.chroma_step_x == 1;
}

PixelFormat j2k_format(const J2kHeader& header, ColorMatrix matrix) {
  if (!is_yuv(matrix) || header.bits != 8 || header.components < 3 || header.chroma_step_x == 1 ||
      (header.left | header.top) != 0)
    return PixelFormat::kBgra;
  return subsampled_format(header);
}

ComponentPlanes::ComponentPlanes(CpuLevel cpu) : cpu_(cpu), kernels_(*kernels_for(cpu).samples) {}

bool ComponentPlanes::begin(const J2kHeader& header, const J2kTarget& target) {
  const PictureColor& color = target.color;
  if (!fits_color(header, color.matrix)) return false;
  shape_ = header;
  yuv_ = is_yuv(color.matrix);
  const bool colored = header.components >= 3;
  deep_ = header.bits > 8 || !colored || color.matrix == ColorMatrix::kXyz ||
          (yuv_ && header.chroma_step_x == 1);
  dithers_ = header.bits > 8;
  if (yuv_) matrix_ = deep_matrix(color, header.bits);
  if (color.matrix == ColorMatrix::kXyz &&
      (!cinema_ || cinema_->bits() != header.bits || cinema_->display() != target.display)) {
    cinema_ = std::make_unique<CinemaColor>(header.bits, target.display);
  }
  const PixelFormat format = j2k_format(header, color.matrix);
  if (target.planes != nullptr && format == PixelFormat::kBgra) return false;
  ImageView whole;
  if (target.planes != nullptr) {
    whole = packed_view(format, reduced_side(target.width, target.reduction),
                        reduced_side(target.height, target.reduction), target.planes);
  }
  const Area wanted = wanted_area(target);
  picture_ = j2k_component_area(header, 0, target.reduction);
  wanted_ = {picture_.x0 + wanted.x0, picture_.y0 + wanted.y0, picture_.x0 + wanted.x1,
             picture_.y0 + wanted.y1};
  const int left = std::min(wanted_.x0, picture_.x1 - 1) / 2 * 2;
  const int top = std::min(wanted_.y0, picture_.y1 - 1) / 2 * 2;
  for (int i = 0; i < header.shown_components(); ++i) {
    Plane& plane = planes_[i];
    const int step_x = i == 0 ? 1 : header.chroma_step_x;
    const int step_y = i == 0 ? 1 : header.chroma_step_y;
    // There is always a sample to extend from.
    const Area all = j2k_component_area(header, i, target.reduction);
    plane.area = {left / step_x, top / step_y,
                  std::max((wanted_.x1 + step_x - 1) / step_x, all.x0 + 1),
                  std::max((wanted_.y1 + step_y - 1) / step_y, all.y0 + 1)};
    if (target.planes != nullptr) {
      plane.stride = whole.strides[i];
      plane.samples = target.planes + (whole.planes[i] - whole.planes[0]) +
                      plane.stride * plane.area.y0 + plane.area.x0;
      continue;
    }
    plane.stride = plane.area.width() * (deep_ ? 2 : 1);
    if (wants_rgb()) continue;
    grow(plane.bytes, static_cast<size_t>(plane.stride) * static_cast<size_t>(plane.area.height()));
    plane.samples = plane.bytes.data();
  }
  const int rows = wants_rgb() ? planes_[0].area.height() : 1;
  grow(bgra_, row_bytes() * static_cast<size_t>(rows));
  if (deep_) {
    set_dither(planes_[0].area.width(), target.frame_x + left - picture_.x0 + kDitherSide);
  }
  return true;
}

size_t ComponentPlanes::row_bytes() const {
  return kBgraBytes * static_cast<size_t>(planes_[0].area.width());
}

void ComponentPlanes::set_dither(int width, int frame_x) {
  for (std::vector<uint16_t>& wide : wide_) grow(wide, static_cast<size_t>(width));
  const int x = dithers_ ? frame_x % kDitherSide : kDitherSide;  // kDitherSide: no dithering
  if (width <= dither_stride_ && x == dither_x_) return;
  dither_stride_ = std::max(width, dither_stride_);
  dither_x_ = x;
  dither_.resize(static_cast<size_t>(dither_stride_) * kDitherSide);
  for (int i = 0; i < kDitherSide * dither_stride_; ++i) {
    dither_[static_cast<size_t>(i)] =
        dithers_ ? dither_of(x + i % dither_stride_, i / dither_stride_) : 0.5F;
  }
}

size_t ComponentPlanes::bgra_at(int x, int row) const {
  const Area& area = planes_[0].area;
  return row_bytes() * static_cast<size_t>(row - area.y0) +
         kBgraBytes * static_cast<size_t>(x - area.x0);
}

void ComponentPlanes::put(int component, int x, int row, int count, const int32_t* samples) {
  uint8_t* to = planes_[component].samples + plane_at(component, x, row);
  if (!deep_) return kernels_.narrow8(samples, count, to);
  kernels_.narrow16(samples, count, (1 << shape_.bits) - 1, reinterpret_cast<uint16_t*>(to));
}

void ComponentPlanes::put_rgb(int x, int row, int count, SampleRows<int32_t> samples) {
  uint8_t* bgra = rgb_row(x, row);
  kernels_.merge_rgb(samples, count, bgra);
}

// At an offset, a halved picture or its chroma may begin one sample later or end one earlier than
// the pixels need: repeats the outermost samples.
void ComponentPlanes::extend(int reduction) {
  for (int i = 0; i < (wants_rgb() ? 1 : shape_.shown_components()); ++i) {
    const Area& area = planes_[i].area;
    const Area put = common_area(area, j2k_component_area(shape_, i, reduction));
    if (put == area) continue;
    const size_t bytes = wants_rgb() ? kBgraBytes : deep_ ? 2 : 1;
    const auto at = [&](int x, int y) {
      return wants_rgb() ? rgb_row(x, y) : planes_[i].samples + plane_at(i, x, y);
    };
    for (int y = put.y0; y < put.y1; ++y) {
      for (int x = area.x0; x < put.x0; ++x) std::memcpy(at(x, y), at(put.x0, y), bytes);
      for (int x = put.x1; x < area.x1; ++x) std::memcpy(at(x, y), at(put.x1 - 1, y), bytes);
    }
    const auto repeat = [&](int from, int to) {
      std::memcpy(at(area.x0, to), at(area.x0, from), bytes * static_cast<size_t>(area.width()));
    };
    for (int y = area.y0; y < put.y0; ++y) repeat(put.y0, y);
    for (int y = put.y1; y < area.y1; ++y) repeat(put.y1 - 1, y);
  }
}

void ComponentPlanes::show(const J2kTarget& target) {
  if (target.planes != nullptr) return;
  if ((shape_.left | shape_.top) != 0) extend(target.reduction);
  if (!deep_ && yuv_) return show_yuv(target);
  const Area& wanted = wanted_;
  const Area& area = planes_[0].area;
  const size_t skipped = kBgraBytes * static_cast<size_t>(wanted.x0 - area.x0);
  uint8_t* to = target.pixels.pixels;
  for (int y = wanted.y0; y < wanted.y1; ++y, to += target.pixels.stride) {
    if (deep_) show_deep_row(target, y - area.y0, bgra_.data());
    const uint8_t* const row = deep_ ? bgra_.data() : rgb_row(area.x0, y);
    copy_streamed(row + skipped, kBgraBytes * static_cast<size_t>(wanted.width()), to);
  }
  finish_streaming();
}

void ComponentPlanes::show_yuv(const J2kTarget& target) const {
  const Area& wanted = wanted_;
  const Area& area = planes_[0].area;
  ImageView view{.format = subsampled_format(shape_),
                 .width = area.width(),
                 .height = area.height(),
                 .matrix = target.color.matrix,
                 .range = target.color.range};
  for (int i = 0; i < 3; ++i) {
    view.planes[i] = planes_[i].samples;
    view.strides[i] = planes_[i].stride;
  }
  stream_to_bgra(view, wanted.x0 - area.x0, wanted.y0 - area.y0, wanted.width(), wanted.height(),
                 target.pixels, cpu_);
}

const uint16_t* ComponentPlanes::wide_row(int component, int y) {
  uint16_t* wide = wide_[component - 1].data();
  const int width = planes_[0].area.width();
  if (shape_.components < 3) {
    std::fill_n(wide, width, static_cast<uint16_t>(1 << (shape_.bits - 1)));
    return wide;
  }
  const uint16_t* samples = row<uint16_t>(component, y / shape_.chroma_step_y);
  if (shape_.chroma_step_x == 1) return samples;
  kernels_.repeat16(samples, width, wide);
  return wide;
}

void ComponentPlanes::show_deep_row(const J2kTarget& target, int y, uint8_t* bgra) {
  const int width = planes_[0].area.width();
  const int frame_y = target.frame_y + planes_[0].area.y0 + y - picture_.y0;
  const float* dither = dither_.data() + ptrdiff_t{dither_stride_} * (frame_y % kDitherSide);
  const uint16_t* first = row<uint16_t>(0, y);
  if (yuv_) {
    const uint16_t* const rows[3] = {first, wide_row(1, y), wide_row(2, y)};
    return kernels_.merge_deep_yuv(rows, width, matrix_, dither, bgra);
  }
  if (target.color.matrix == ColorMatrix::kXyz) return show_cinema_row(y, dither, bgra);
  const bool grey = shape_.components < 3;
  const uint16_t* const rows[3] = {first, grey ? first : row<uint16_t>(1, y),
                                   grey ? first : row<uint16_t>(2, y)};
  const float gain = 255.0F / static_cast<float>((1 << shape_.bits) - 1);
  kernels_.merge_deep_rgb(rows, width, gain, dither, bgra);
}

void ComponentPlanes::show_cinema_row(int y, const float* dither, uint8_t* bgra) {
  const uint16_t* const xyz[3] = {row<uint16_t>(0, y), row<uint16_t>(1, y), row<uint16_t>(2, y)};
  cinema_->show_row(xyz, planes_[0].area.width(), dither, bgra);
}

}  // namespace codecs
