// HDR and wide colours of frames: their detection, and their conversion to a display's colours.
// Only for the media_source files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cpu.h"
#include "codecs/color/cinema_color.h"
#include "codecs/color/color_table.h"
#include "codecs/color/color_transform.h"
#include "codecs/color/yuv_color_table.h"
#include "sail/core/base/result.h"
#include "sail/core/base/worker_pool.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_frames.h"

namespace sail {

// Copies what the container states about light to a frame that has no such statement.
void add_light_levels(const AVStream& stream, AVFrame& frame);
// Whether the record (AVDOVIDecoderConfigurationRecord) is of Dolby Vision without pictures for
// other decoders (profile 5), whose colours cannot be converted.
bool is_dolby_vision_alone(std::span<const uint8_t> record);

// Whether the samples of a DPX picture are densities of film by its header (SMPTE ST 268-1).
bool has_film_density(std::span<const uint8_t> dpx);
// Marks a frame with such samples, in its metadata.
void mark_film_density(AVFrame& frame);
enum class FilmDensity : uint8_t {
  kNone,
  kConverted,  // RGB or grey of up to 16 bits, for convert_density()
  kKept        // other samples, which are not converted
};
FilmDensity film_density_of(const AVFrame& frame);

// The frame's colours; empty: an SDR display's, or unknown.
std::optional<codecs::SourceColor> wide_color_of(const AVFrame& frame);
// The frame's colours if they must be converted for the display. X'Y'Z' is not among them.
std::optional<codecs::SourceColor> color_to_convert(const AVFrame& frame,
                                                    const codecs::DisplayColor& display);
// The same for the colours that a container states.
bool has_wide_color(const AVCodecParameters& picture);
// Remarks for viewers about such a frame, as sentences about the film: which conversions are done,
// and which are not; empty: none.
std::string remarks_on(const AVFrame& frame, bool deinterlaced,
                       const codecs::DisplayColor& display);
// The format from which such a frame is converted; is_shallow_rgb() and needs_packing() formats are
// to be packed for DisplayColors.
AVPixelFormat display_stage(const AVFrame& frame);

// One thread at a time.
class DisplayColors {
 public:
  // `threads`: for HDR and wide colours; 0: one per core.
  DisplayColors(int threads, const codecs::DisplayColor& display)
      : threads_(threads), display_(display), cpu_(codecs::detect_cpu()) {}

  // `frame`: planar YUV, which keeps its chroma's size, or RGB48, which becomes BGRA; samples use
  // the lower `bits`. The result has eight bits, and BT.709's matrix in limited range.
  Result<AvFramePtr> convert(const AVFrame& frame, int bits, const codecs::SourceColor& color);
  // Converts film densities (kConverted) in place, to the same depth. The frame must be writable.
  void convert_density(AVFrame& frame);
  // `frame`: AV_PIX_FMT_XYZ12LE, X'Y'Z' of digital cinema. The result is BGRA.
  Result<AvFramePtr> convert_cinema(const AVFrame& frame);

 private:
  // Rebuilds the table if it is for other colours than the frame has.
  void update_table(const codecs::SourceColor& color, const codecs::ImageView& frame);
  void convert_rows(const codecs::ImageView& frame, const AVFrame& shown, int first) const;

  const int threads_;
  const codecs::DisplayColor display_;
  const codecs::CpuLevel cpu_;
  std::unique_ptr<WorkerPool> workers_;  // as soon as a frame needs them
  // One of them.
  std::unique_ptr<codecs::ColorTable> rgb_table_;
  std::unique_ptr<codecs::YuvColorTable> yuv_table_;
  codecs::SourceColor table_color_;
  codecs::ColorMatrix table_matrix_ = codecs::ColorMatrix::kRgb;
  std::unique_ptr<codecs::CinemaColor> cinema_;
  std::vector<uint16_t> cinema_lines_;  // one row: X', then Y', then Z'
  std::vector<float> cinema_dither_;    // rows of fill_dither()
  std::vector<uint16_t> film_curve_;    // display level by code value
  FramePool shown_;
};

}  // namespace sail
