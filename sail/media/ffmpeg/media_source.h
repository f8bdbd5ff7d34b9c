// Films and stills through FFmpeg. In sail/media only the media_source files include FFmpeg's
// headers. One thread at a time calls; FFmpeg decodes on its own threads.
//
// 8-bit yuv420p, yuv422p, nv12, nv16, rgba, bgra and rgb24 pictures are passed on without a copy.
// All others are converted to the nearest of I420, I422 (deeper 4:2:2) and BGRA (RGB families,
// XYZ), and BT.2020 to the BT.709 matrix. For JPEG 2000, depth, chroma and matrix are kept: planar
// YUV of up to 16 bits is passed on, deep RGB and XYZ are packed. Transparent pictures are blended
// over black unless keep_alpha is set. Quarter turns and mirroring in the metadata are applied, at
// the cost of a copy. Colour matrix and range are the file's; the default is BT.709 from 1280
// columns or 720 rows on, and BT.601 below. OpenEXR is converted from linear light. JPEG 2000 of
// Part 15 becomes 8-bit BGRA. In a film of numbered files the picture before a missing or damaged
// one is held, unless `missing` says otherwise. Interlaced frames are deinterlaced unless
// `deinterlacing` says otherwise. HDR (PQ, HLG) and wide colours are converted to eight bits for an
// SDR display, also for JPEG 2000, and without alpha; this is reported. So are all colours if the
// display's primaries are not BT.709's. A picture is copied before
// subtitles are drawn into it, unless nothing else refers to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/color/color_transform.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/content.h"
#include "sail/media/source/film_description.h"
#include "sail/media/source/source.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/subtitles/subtitle_choice.h"

namespace sail {

// The name of standard input.
constexpr std::string_view kStandardInput = "-";

// Interlaced frames that cannot be deinterlaced. kShown: they are shown as they are, with a
// complaint. kCounted: take_left_out() also counts them. kRefused: open() and next() fail.
enum class Combs { kShown, kCounted, kRefused };

struct MediaOptions {
  int threads = 0;  // decoder threads; 0: one per core
  // Polled while FFmpeg waits for the file or network; returning true aborts.
  std::function<bool()> interrupted = {};
  const Log* log = nullptr;  // receives FFmpeg's messages at debug level; must outlive the source
  // Scales all pictures to this size; their pixels then count as square.
  std::optional<Size> size = {};
  // Keeps the file's alpha (255 if it has none); otherwise pictures are blended over black.
  bool keep_alpha = false;
  // Keeps depth and chroma of the file: JPEG 2000 streams support all of them.
  bool for_j2k = false;
  // Converts 8-bit pictures to BGRA, so that they can be cut at any pixel.
  bool rgb = false;
  codecs::DisplayColor display = {};
  Deinterlacing deinterlacing = Deinterlacing::kAuto;
  Combs combs = Combs::kShown;
  // Pictures per second of image sequences, named by a printf pattern ("frame.%05d.png") or by
  // their folder. 0: image sequences are not opened.
  double sequence_fps = 0;
  // kBlack only leaves damaged pictures out; BlackPictures shows black for all that are left out.
  MissingAction missing = MissingAction::kHold;
  // The part that is read. A film of numbered files ends there. Missing and damaged pictures
  // outside of it are not reported.
  ClipRange range = {};
  // Reads the container from this descriptor, front to back, instead of the URL, which then only
  // names it. The descriptor is not closed. Silence never counts as the end.
  std::optional<int> descriptor = {};
  // Does not open files that a local file (such as a playlist) refers to.
  bool alone = false;
  // Replaces open_bytes() for the URL.
  std::function<Result<std::unique_ptr<const ByteSource>>()> open = {};
  // The subtitles to draw into the pictures. If they cannot be shown, the film is shown without
  // them, with a complaint. Files beside the film are not looked for with `descriptor`, `alone` or
  // `open`.
  SubtitleChoice subtitles = {};
  bool needs_subtitles = false;  // without the chosen subtitles, the film is not opened
};

// True for URLs of FFmpeg's capture devices: "v4l2:/dev/video0", "x11::0.0+10,20", "alsa:hw:1".
bool is_capture_device(const std::string& url);

class MediaSource : public Source {
 public:
  // Opens a file name, a URL, kStandardInput, an image sequence, or anything else that FFmpeg
  // opens. Decodes the first picture, so that unusable films fail here; errors begin with the name.
  static Result<std::unique_ptr<MediaSource>> open(const std::string& url,
                                                   const MediaOptions& options);
  ~MediaSource() override;

  const SourceInfo& info() const override;
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  void leave_out(const Late& late) override;
  std::optional<std::string> take_complaint() override;
  uint64_t take_left_out() override;
  ReadFigures read_figures() const override;
  Result<void> choose_subtitles(const SubtitleChoice& choice) override;

 private:
  class Impl;
  explicit MediaSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// When a picture is shown, and whether decoding may begin with it.
struct PictureTime {
  int64_t pts_ns = 0;
  bool key = false;

  bool operator==(const PictureTime&) const = default;
};

// All pictures of a film, in the order in which they are shown, to divide it. Reads the container
// once, without decoding. kBadData: its data is sent only once, or its time stamps do not order the
// pictures.
Result<std::vector<PictureTime>> picture_times(const std::string& url, const MediaOptions& options);

// Facts about a film for lists of films, found without this project's decoders.
struct MediaFacts {
  Size size;                // as stored
  std::string codec;        // FFmpeg's name: "h264"
  int64_t duration_ns = 0;  // 0: unknown
  double fps = 0;           // nominal; 0: unknown
  bool playable = false;    // walls can show it as stored, without decoding
  FilmDescription description{};
};

// Probes any file with pictures that FFmpeg's demuxers can read, but not playlists. interrupted:
// polled while waiting; returning true aborts. open: replaces open_bytes(). Does not determine
// `playable`.
Result<MediaFacts> media_facts(
    const std::string& name, std::function<bool()> interrupted,
    std::function<Result<std::unique_ptr<const ByteSource>>()> open = {});

}  // namespace sail
