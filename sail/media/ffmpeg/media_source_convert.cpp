#include "sail/media/ffmpeg/media_source_convert.h"

#include <string>
#include <utility>

#include "sail/media/ffmpeg/media_source_formats.h"

namespace sail {
namespace {

const int* coefficients_of(sail_color_matrix matrix) {
  if (matrix == SAIL_BT601) return sws_getCoefficients(SWS_CS_ITU601);
  return sws_getCoefficients(matrix == SAIL_BT2020 ? SWS_CS_BT2020 : SWS_CS_ITU709);
}

sail_frame describe(const AVFrame& frame, int bits, sail_color_matrix matrix) {
  sail_frame pixels{};
  pixels.format = native_format(frame.format);
  for (int plane = 0; plane < 3; ++plane) {
    pixels.planes[plane] = frame.data[plane];
    pixels.strides[plane] = frame.linesize[plane];
  }
  pixels.bits = bits;
  pixels.matrix = matrix;
  pixels.range = is_full_range(frame) ? SAIL_FULL : SAIL_LIMITED;
  return pixels;
}

void release_frame(void* frame) {
  AvFree()(static_cast<AVFrame*>(frame));
}

}  // namespace

Picture to_picture(ConvertedFrame converted) {
  AVFrame* frame = converted.frame.release();
  Picture picture;
  picture.pixels = converted.pixels;
  picture.pixels.release = &release_frame;
  picture.pixels.opaque = frame;
  picture.size = {frame->width, frame->height};
  picture.display_size = picture.size;
  return picture;
}

Result<ConvertedFrame> FrameConverter::convert(AvFramePtr frame, Orientation orientation) {
  if (!av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame->format))) {
    return fail(ErrorCode::kBadData, "unknown pixel format");
  }
  if (film_density_of(*frame) == FilmDensity::kConverted) {
    if (av_frame_make_writable(frame.get()) < 0) return fail(ErrorCode::kLimit, "out of memory");
    display_.convert_density(*frame);
  }
  if (const auto color = color_to_convert(*frame, options_.display)) {
    const bool keeps = options_.keep_alpha && has_alpha(frame->format) && !wide_color_of(*frame);
    auto shown = keeps ? to_display_with_alpha(std::move(frame), *color)
                       : to_display(std::move(frame), *color);
    if (!shown) return std::move(shown.error());
    frame = std::move(*shown);
  } else if (is_xyz(frame->format) && !options_.for_j2k) {
    auto shown = cinema_to_display(std::move(frame));
    if (!shown) return std::move(shown.error());
    frame = std::move(*shown);
  }
  const bool sideways = orientation.swaps_sides();
  const bool bottom_up = frame->linesize[0] < 0;
  const bool transparent = has_alpha(frame->format);
  const sail_color_matrix matrix = target_matrix(*frame);
  Size wanted_size = options_.size.value_or(Size{frame->width, frame->height});
  if (options_.size && sideways) std::swap(wanted_size.width, wanted_size.height);
  const bool scaled = wanted_size != Size{frame->width, frame->height};
  const AVPixelFormat stage = stage_format(*frame, {.keep_alpha = options_.keep_alpha,
                                                    .for_j2k = options_.for_j2k,
                                                    .rgb = options_.rgb,
                                                    .sideways = sideways});
  const bool recolored = !is_rgb(stage) && matrix != matrix_of(*frame);
  if (stage != frame->format || bottom_up || scaled || recolored) {
    auto converted = rescale(std::move(frame), stage, wanted_size, matrix);
    if (!converted) return std::move(converted.error());
    frame = std::move(*converted);
  }
  int bits = depth_of(stage);
  if (needs_packing(stage)) {
    auto packed = pack(*frame, bits);
    if (!packed) return std::move(packed.error());
    frame = std::move(*packed);
  } else if (transparent && !options_.keep_alpha) {
    // The decoder may still reference this frame.
    if (av_frame_make_writable(frame.get()) < 0) return fail(ErrorCode::kLimit, "out of memory");
    lay_over_black(*frame);
  }
  if (!orientation.is_upright()) {
    const Size upright_size =
        sideways ? Size{frame->height, frame->width} : Size{frame->width, frame->height};
    auto turned = turned_.make(static_cast<AVPixelFormat>(frame->format), upright_size, *frame);
    if (!turned) return std::move(turned.error());
    turn_samples(*frame, **turned, orientation);
    frame = std::move(*turned);
  }
  const sail_frame pixels = describe(*frame, bits, matrix);
  return ConvertedFrame{std::move(frame), pixels};
}

Result<void> FrameConverter::make_writable(ConvertedFrame& converted) {
  AvFramePtr& frame = converted.frame;
  if (av_frame_is_writable(frame.get()) > 0) return {};
  auto copy = copied_.make(static_cast<AVPixelFormat>(frame->format), {frame->width, frame->height},
                           *frame);
  if (!copy) return std::move(copy.error());
  if (av_frame_copy(copy->get(), frame.get()) < 0) return fail(ErrorCode::kLimit, "out of memory");
  frame = std::move(*copy);
  converted.pixels = describe(*frame, converted.pixels.bits, converted.pixels.matrix);
  return {};
}

// Must be called with the decoded frame: the default matrix depends on its size before scaling.
sail_color_matrix FrameConverter::target_matrix(const AVFrame& frame) const {
  const sail_color_matrix matrix = matrix_of(frame);
  return options_.for_j2k || matrix == SAIL_BT601 ? matrix : SAIL_BT709;
}

Result<AvFramePtr> FrameConverter::to_display(AvFramePtr frame, const codecs::SourceColor& color) {
  if (frame->colorspace == AVCOL_SPC_ICTCP) {
    return fail(ErrorCode::kBadData, "the colours are ICtCp, which cannot be converted");
  }
  if (frame->colorspace == AVCOL_SPC_UNSPECIFIED && color.primaries == codecs::Primaries::kBt2020) {
    frame->colorspace = AVCOL_SPC_BT2020_NCL;
  }
  const AVPixelFormat stage = display_stage(*frame);
  if (stage != frame->format) {
    const Size size{frame->width, frame->height};
    const sail_color_matrix matrix = matrix_of(*frame);
    auto staged = rescale(std::move(frame), stage, size, matrix);
    if (!staged) return staged;
    frame = std::move(*staged);
  }
  int bits = depth_of(stage);
  if (needs_packing(stage) || is_shallow_rgb(stage)) {
    auto packed = pack(*frame, bits);
    if (!packed) return packed;
    frame = std::move(*packed);
  }
  return display_.convert(*frame, bits, color);
}

Result<AvFramePtr> FrameConverter::to_display_with_alpha(AvFramePtr frame,
                                                         const codecs::SourceColor& color) {
  constexpr int kShallowBits = 8, kBgra = 4;
  const Size size{frame->width, frame->height};
  const sail_color_matrix matrix = matrix_of(*frame);
  AvFramePtr copy(av_frame_clone(frame.get()));
  if (!copy) return fail(ErrorCode::kLimit, "out of memory");
  const bool deep = depth_of(frame->format) > kShallowBits;
  auto opaque =
      rescale(std::move(copy), deep ? AV_PIX_FMT_RGB48LE : AV_PIX_FMT_RGB24, size, matrix);
  int bits = depth_of(AV_PIX_FMT_RGB48LE);
  if (opaque && !deep) opaque = pack(**opaque, bits);
  if (!opaque) return opaque;
  const auto levels = rescale(std::move(frame), AV_PIX_FMT_BGRA, size, matrix);
  if (!levels) return levels.error();
  auto shown = display_.convert(**opaque, bits, color);
  if (!shown) return shown;
  for (int y = 0; y < size.height; ++y) {
    const uint8_t* from = (*levels)->data[0] + ptrdiff_t{y} * (*levels)->linesize[0];
    uint8_t* to = (*shown)->data[0] + ptrdiff_t{y} * (*shown)->linesize[0];
    for (int x = 3; x < kBgra * size.width; x += kBgra) to[x] = from[x];
  }
  return shown;
}

Result<AvFramePtr> FrameConverter::cinema_to_display(AvFramePtr frame) {
  if (frame->format != AV_PIX_FMT_XYZ12LE) {
    const Size size{frame->width, frame->height};
    auto staged = rescale(std::move(frame), AV_PIX_FMT_XYZ12LE, size, SAIL_XYZ);
    if (!staged) return staged;
    frame = std::move(*staged);
  }
  return display_.convert_cinema(*frame);
}

Result<AvFramePtr> FrameConverter::pack(const AVFrame& frame, int& bits) {
  auto packed = packed_.make(AV_PIX_FMT_RGB48LE, {frame.width, frame.height}, frame);
  if (packed) bits = pack_samples(frame, **packed);
  return packed;
}

Result<AvFramePtr> FrameConverter::rescale(AvFramePtr frame, AVPixelFormat format, Size size,
                                           sail_color_matrix matrix) {
  const auto source_format = static_cast<AVPixelFormat>(frame->format);
  scaler_.reset(sws_getCachedContext(
      scaler_.release(), frame->width, frame->height, source_format, size.width, size.height,
      format, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nullptr, nullptr, nullptr));
  const char* name = av_get_pix_fmt_name(source_format);
  if (!scaler_) {
    return fail(ErrorCode::kBadData, std::string("cannot convert pixel format ") + name);
  }
  const int full = is_full_range(*frame) ? 1 : 0;
  // Keep the range, except that RGB is always full range.
  const bool to_rgb = is_rgb(format);
  const int target_full = to_rgb ? 1 : full;
  sws_setColorspaceDetails(scaler_.get(), coefficients_of(matrix_of(*frame)), full,
                           coefficients_of(matrix), target_full, 0, 1 << 16, 1 << 16);

  auto made = scaled_.make(format, size, *frame);
  if (!made) return made;
  AVFrame& converted = **made;
  converted.color_range = full != 0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  if (sws_scale(scaler_.get(), frame->data, frame->linesize, 0, frame->height, converted.data,
                converted.linesize) != size.height) {
    return fail(ErrorCode::kBadData, std::string("cannot convert pixel format ") + name);
  }
  return made;
}

}  // namespace sail
