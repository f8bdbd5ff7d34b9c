// Films and stills through FFmpeg; the media_source files are the only ones that include its
// headers. One thread calls; FFmpeg decodes with threads of its own.
//
// 8-bit yuv420p, yuv422p, nv12, nv16, rgba, bgra and rgb24 pictures go on as they were decoded,
// without a copy; all else is converted to the nearest of I420, I422 (4:2:2 of more bits) and BGRA
// (RGB families, XYZ), and BT.2020 to BT.709's matrix. For JPEG 2000 depth, chroma and matrix are
// kept: planar YUV of up to 16 bits goes on as it is, deep RGB and XYZ are packed. What is
// transparent is shown over black, unless keep_alpha says otherwise. Rotation by quarter turns in
// the file's metadata is applied, at the cost of a copy. Colour matrix and range are the file's;
// where it says nothing, BT.709 from 1280 columns or 720 rows on and BT.601 below. Not done:
// deinterlacing, tone mapping of HDR, mirroring.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/log.h"
#include "sail/media/source.h"

namespace sail {

// The film that other programs write into ours.
constexpr std::string_view kStandardInput = "-";

struct MediaOptions {
  int threads = 0;  // of the decoder; 0: one a core
  // Asked while FFmpeg waits for the file or the network; true makes it give up.
  std::function<bool()> interrupted = {};
  const Log* log = nullptr;  // gets FFmpeg's own words at debug; outlives the source
  // All pictures are scaled to this size and their pixels then count as square.
  std::optional<Size> size = {};
  // Alpha stays as it is in the file, 255 where that has none; otherwise all is shown over black.
  bool keep_alpha = false;
  // Depth and chroma stay as they are in the file: for streams of JPEG 2000, which take them all.
  bool for_j2k = false;
  // Pictures of 8 bits become BGRA, so that they can be cut at any pixel.
  bool rgb = false;
  // Pictures a second of image sequences: a printf pattern ("frame.%05d.png"), or the folder that
  // they are in. 0: neither is opened.
  double sequence_fps = 0;
  // Bytes of any container that FFmpeg reads from front to back, instead of the URL, which only
  // names them. Not closed. Nothing that comes late is taken for the end.
  std::optional<int> descriptor = {};
  // What a local file names, as a list does, is not opened.
  bool alone = false;
  // What the URL stands for, instead of what open_bytes() makes of it.
  std::function<Result<std::unique_ptr<const ByteSource>>()> open = {};
};

// "v4l2:/dev/video0", "x11::0.0+10,20", "alsa:hw:1": what FFmpeg's devices take pictures and sound
// from.
bool is_capture_device(const std::string& url);

class MediaSource : public Source {
 public:
  // A file name, a URL, kStandardInput, an image sequence, or whatever else FFmpeg opens. Decodes
  // the first picture, so that what cannot be shown fails here; errors begin with the name.
  static Result<std::unique_ptr<MediaSource>> open(const std::string& url,
                                                   const MediaOptions& options);
  ~MediaSource() override;

  const SourceInfo& info() const override;
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override;
  ReadFigures read_figures() const override;

 private:
  class Impl;
  explicit MediaSource(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace sail
