#include "sail/media/ffmpeg/media_source_display.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/source/source_color.h"

namespace sail {
namespace {

// Some films state another peak with every frame. A difference of less than a tenth is not visible.
constexpr double kSamePeak = 1.1;
// What a thread converts at once. The dithering does not depend on it.
constexpr int kRowsAtOnce = 4 * codecs::YuvColorTable::kRows;

template <class Record>
const Record* record_of(const AVFrame& frame, AVFrameSideDataType type) {
  const AVFrameSideData* side = av_frame_get_side_data(&frame, type);
  if (side == nullptr || side->size < sizeof(Record)) return nullptr;
  return reinterpret_cast<const Record*>(side->data);
}

codecs::LightLevels light_levels_of(const AVFrame& frame) {
  codecs::LightLevels levels;
  const auto* mastering =
      record_of<AVMasteringDisplayMetadata>(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  if (mastering != nullptr && mastering->has_luminance != 0 && mastering->max_luminance.den > 0) {
    levels.mastering_peak = av_q2d(mastering->max_luminance);
  }
  const auto* content = record_of<AVContentLightMetadata>(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  if (content != nullptr) {
    levels.max_cll = content->MaxCLL;
    levels.max_fall = content->MaxFALL;
  }
  return levels;
}

codecs::ImageView view_of(const AVFrame& frame, int bits) {
  codecs::ImageView view;
  view.format = static_cast<codecs::PixelFormat>(native_format(frame.format));
  view.width = frame.width;
  view.height = frame.height;
  for (int plane = 0; plane < 3; ++plane) {
    view.planes[plane] = frame.data[plane];
    view.strides[plane] = frame.linesize[plane];
  }
  view.matrix = static_cast<codecs::ColorMatrix>(matrix_of(frame));
  view.range = is_full_range(frame) ? codecs::ColorRange::kFull : codecs::ColorRange::kLimited;
  view.bits = bits;
  return view;
}

// Returns the eight-bit format with the same chroma subsampling.
AVPixelFormat shown_format(codecs::PixelFormat format) {
  switch (format) {
    case codecs::PixelFormat::kRgbDeep:
      return AV_PIX_FMT_BGRA;
    case codecs::PixelFormat::kI444:
    case codecs::PixelFormat::kI444Deep:
      return AV_PIX_FMT_YUV444P;
    case codecs::PixelFormat::kI422:
    case codecs::PixelFormat::kI422Deep:
      return AV_PIX_FMT_YUV422P;
    default:
      return AV_PIX_FMT_YUV420P;
  }
}

constexpr const char* kDensityMark = "vitrail_film_density";

// Kodak, "Conversion of 10-bit Log Film Data To 8-bit Linear or Video Data for The Cineon Digital
// Film System" (1995): a code is 0.002 of density, the negative's gamma is 0.6, white is 685 and
// black is 95. Display gamma 2.2. Brighter codes are white.
double film_level(double code) {
  constexpr double kWhiteCode = 685, kBlackCode = 95, kCodesPerDecade = 0.6 / 0.002;
  constexpr double kDisplayGamma = 2.2;
  const auto light = [](double at) { return std::pow(10, (at - kWhiteCode) / kCodesPerDecade); };
  const double above_black = (light(code) - light(kBlackCode)) / (1 - light(kBlackCode));
  return std::pow(std::clamp(above_black, 0.0, 1.0), 1 / kDisplayGamma);
}

std::vector<uint16_t> film_curve(int bits) {
  constexpr double kLargestCode = 1023;
  std::vector<uint16_t> curve(size_t{1} << bits);
  const auto largest = static_cast<double>(curve.size() - 1);
  for (size_t i = 0; i < curve.size(); ++i) {
    const double level = film_level(static_cast<double>(i) / largest * kLargestCode);
    curve[i] = static_cast<uint16_t>(std::lround(level * largest));
  }
  return curve;
}

// A row of one component: `step` bytes from sample to sample.
void apply_curve(const std::vector<uint16_t>& curve, uint8_t* row, int count, int step, bool deep,
                 bool big_endian) {
  for (int x = 0; x < count; ++x, row += step) {
    if (!deep) {
      *row = static_cast<uint8_t>(curve[*row]);
      continue;
    }
    uint8_t& low = row[big_endian ? 1 : 0];
    uint8_t& high = row[big_endian ? 0 : 1];
    const uint16_t level = curve[static_cast<size_t>(low | high << 8) & (curve.size() - 1)];
    low = static_cast<uint8_t>(level);
    high = static_cast<uint8_t>(level >> 8);
  }
}

bool is_same(const codecs::SourceColor& a, const codecs::SourceColor& b) {
  const auto [low, high] = std::minmax(a.peak_nits, b.peak_nits);
  return a.primaries == b.primaries && a.transfer == b.transfer && high < low * kSamePeak;
}

}  // namespace

void add_light_levels(const AVStream& stream, AVFrame& frame) {
  constexpr struct {
    AVPacketSideDataType of_stream;
    AVFrameSideDataType of_frame;
  } kKinds[] = {{AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA},
                {AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL}};
  for (const auto& kind : kKinds) {
    const std::span<const uint8_t> data = stream_side_data(stream, kind.of_stream);
    if (data.empty() || av_frame_get_side_data(&frame, kind.of_frame) != nullptr) continue;
    AVFrameSideData* side = av_frame_new_side_data(&frame, kind.of_frame, data.size());
    if (side != nullptr) std::memcpy(side->data, data.data(), data.size());
  }
}

bool is_dolby_vision_alone(std::span<const uint8_t> record) {
  AVDOVIDecoderConfigurationRecord config{};
  if (record.size() < sizeof config) return false;
  std::memcpy(&config, record.data(), sizeof config);
  // Profile 10 is the same for AV1.
  return (config.dv_profile == 5 || config.dv_profile == 10) &&
         config.dv_bl_signal_compatibility_id == 0;
}

bool has_film_density(std::span<const uint8_t> dpx) {
  constexpr size_t kTransfer = 801;  // offset of the first image element's transfer characteristic
  constexpr uint8_t kPrintingDensity = 1, kLogarithmic = 3;
  return dpx.size() > kTransfer &&
         (dpx[kTransfer] == kPrintingDensity || dpx[kTransfer] == kLogarithmic);
}

void mark_film_density(AVFrame& frame) {
  av_dict_set(&frame.metadata, kDensityMark, "1", 0);
}

FilmDensity film_density_of(const AVFrame& frame) {
  if (av_dict_get(frame.metadata, kDensityMark, nullptr, 0) == nullptr) return FilmDensity::kNone;
  constexpr int kMostBits = 16;
  const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool whole = shape.comp[0].depth <= kMostBits && (shape.flags & AV_PIX_FMT_FLAG_FLOAT) == 0;
  const bool has_curve = is_rgb(frame.format) || shape.nb_components < 3;
  return whole && has_curve ? FilmDensity::kConverted : FilmDensity::kKept;
}

std::optional<codecs::SourceColor> wide_color_of(const AVFrame& frame) {
  if (is_xyz(frame.format)) return std::nullopt;
  auto color = source_color(frame.color_primaries, frame.color_trc);
  if (color && color->transfer == codecs::Transfer::kPq) {
    color->peak_nits = codecs::peak_of(light_levels_of(frame));
  }
  return color;
}

std::optional<codecs::SourceColor> color_to_convert(const AVFrame& frame,
                                                    const codecs::DisplayColor& display) {
  if (is_xyz(frame.format)) return std::nullopt;
  return color_to_convert(wide_color_of(frame), display);
}

bool has_wide_color(const AVCodecParameters& picture) {
  return !is_xyz(picture.format) &&
         source_color(picture.color_primaries, picture.color_trc).has_value();
}

// Ordinary colours are shown exactly by any display, which needs no remark.
std::string remarks_on(const AVFrame& frame, bool deinterlaced,
                       const codecs::DisplayColor& display) {
  std::string sentences;
  if (const auto color = wide_color_of(frame); color && color_to_convert(color, display)) {
    sentences = "is shown converted: " + conversion_words(*color, display);
  } else if (const FilmDensity density = film_density_of(frame); density != FilmDensity::kNone) {
    sentences = density == FilmDensity::kConverted
                    ? "is shown converted: film density → SDR"
                    : "has film densities of YCbCr or floating-point samples, which are shown "
                      "without conversion: too grey";
  }
  if (deinterlaced || !is_interlaced(frame)) return sentences;
  if (!sentences.empty()) sentences += "; ";
  return sentences + "is interlaced, which is shown without conversion: moving edges are combs";
}

AVPixelFormat display_stage(const AVFrame& frame) {
  constexpr int kShallowBits = 8;
  const bool deep = depth_of(frame.format) > kShallowBits;
  // FFmpeg's scaler would widen eight bits by a shift: white would be 65280.
  if (has_alpha(frame.format)) return deep ? AV_PIX_FMT_RGBA64LE : AV_PIX_FMT_RGBA;
  if (is_rgb(frame.format)) return deep ? AV_PIX_FMT_RGB48LE : AV_PIX_FMT_RGB24;
  if (deep) return stage_format(frame, {.for_j2k = true});
  const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  if (shape.nb_components < 3 || shape.log2_chroma_h > 0) return AV_PIX_FMT_YUV420P;
  return shape.log2_chroma_w > 0 ? AV_PIX_FMT_YUV422P : AV_PIX_FMT_YUV444P;
}

void DisplayColors::update_table(const codecs::SourceColor& color, const codecs::ImageView& frame) {
  const bool rgb = frame.format == codecs::PixelFormat::kRgbDeep;
  const bool there = rgb ? rgb_table_ != nullptr : yuv_table_ != nullptr;
  if (there && table_matrix_ == frame.matrix && is_same(table_color_, color)) return;
  rgb_table_.reset();
  yuv_table_.reset();
  if (rgb) {
    rgb_table_ = std::make_unique<codecs::ColorTable>(color, display_);
  } else {
    yuv_table_ = std::make_unique<codecs::YuvColorTable>(color, display_, frame.matrix);
  }
  table_color_ = color;
  table_matrix_ = frame.matrix;
}

void DisplayColors::convert_rows(const codecs::ImageView& frame, const AVFrame& shown,
                                 int first) const {
  codecs::ImageView part = frame;
  part.height = std::min(kRowsAtOnce, frame.height - first);
  codecs::PlaneTarget target;
  for (int plane = 0; plane < 3; ++plane) {
    const int row = plane == 0 ? first : first / codecs::chroma_rows_step(frame.format);
    target.strides[plane] = shown.linesize[plane];
    if (shown.data[plane] == nullptr) continue;
    part.planes[plane] += frame.strides[plane] * row;
    target.planes[plane] = shown.data[plane] + target.strides[plane] * row;
  }
  if (rgb_table_) return rgb_table_->convert(part, {target.planes[0], target.strides[0]}, cpu_);
  yuv_table_->convert(part, target, cpu_);
}

Result<AvFramePtr> DisplayColors::convert(const AVFrame& frame, int bits,
                                          const codecs::SourceColor& color) {
  const codecs::ImageView view = view_of(frame, bits);
  const bool rgb = view.format == codecs::PixelFormat::kRgbDeep;
  auto made = shown_.make(shown_format(view.format), {frame.width, frame.height}, frame);
  if (!made) return made;
  AVFrame& shown = **made;
  shown.color_primaries = AVCOL_PRI_BT709;  // the display's values, whatever its primaries
  shown.color_trc = AVCOL_TRC_BT709;
  shown.colorspace = rgb ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
  shown.color_range = rgb ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  update_table(color, view);
  if (!workers_) {
    // This thread works, too.
    workers_ =
        std::make_unique<WorkerPool>(threads_ == 0 ? WorkerPool::default_threads() : threads_ - 1);
  }
  const int parts = (frame.height + kRowsAtOnce - 1) / kRowsAtOnce;
  workers_->for_each(static_cast<size_t>(parts), [&](size_t part) {
    convert_rows(view, shown, kRowsAtOnce * static_cast<int>(part));
  });
  return made;
}

void DisplayColors::convert_density(AVFrame& frame) {
  const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool has_opacity = (shape.flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
  const int bits = shape.comp[0].depth;
  if (film_curve_.size() != size_t{1} << bits) film_curve_ = film_curve(bits);
  for (int c = 0; c < shape.nb_components - (has_opacity ? 1 : 0); ++c) {
    const AVComponentDescriptor& component = shape.comp[c];
    uint8_t* row = frame.data[component.plane] + component.offset;
    for (int y = 0; y < frame.height; ++y, row += frame.linesize[component.plane]) {
      apply_curve(film_curve_, row, frame.width, component.step, bits > 8,
                  (shape.flags & AV_PIX_FMT_FLAG_BE) != 0);
    }
  }
  av_dict_set(&frame.metadata, kDensityMark, nullptr, 0);
}

Result<AvFramePtr> DisplayColors::convert_cinema(const AVFrame& frame) {
  constexpr int kBits = 12;
  constexpr int kUnusedBits = 4;  // the lowest of 16 bits
  auto made = shown_.make(AV_PIX_FMT_BGRA, {frame.width, frame.height}, frame);
  if (!made) return made;
  AVFrame& shown = **made;
  shown.colorspace = AVCOL_SPC_RGB;
  shown.color_range = AVCOL_RANGE_JPEG;
  if (!cinema_) cinema_ = std::make_unique<codecs::CinemaColor>(kBits, display_);
  const auto width = static_cast<size_t>(frame.width);
  if (cinema_lines_.size() != 3 * width) {
    cinema_lines_.resize(3 * width);
    cinema_dither_.resize(codecs::kDitherRows * width);
    for (size_t y = 0; y < codecs::kDitherRows; ++y) {
      codecs::fill_dither(static_cast<int>(y), std::span(cinema_dither_).subspan(y * width, width));
    }
  }
  uint16_t* const lines = cinema_lines_.data();
  const uint16_t* const xyz[3] = {lines, lines + width, lines + 2 * width};
  for (int y = 0; y < frame.height; ++y) {
    const auto* from =
        reinterpret_cast<const uint16_t*>(frame.data[0] + ptrdiff_t{y} * frame.linesize[0]);
    for (size_t x = 0; x < width; ++x) {
      for (size_t c = 0; c < 3; ++c) {
        lines[c * width + x] = static_cast<uint16_t>(from[3 * x + c] >> kUnusedBits);
      }
    }
    const size_t dither_row = static_cast<size_t>(y) % codecs::kDitherRows;
    cinema_->show_row(xyz, frame.width, cinema_dither_.data() + dither_row * width,
                      shown.data[0] + ptrdiff_t{y} * shown.linesize[0]);
  }
  return made;
}

}  // namespace sail
