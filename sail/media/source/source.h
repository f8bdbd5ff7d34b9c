// The interface of picture sources: a film or still (MediaSource), a pre-compressed film
// (VmovSource), the test card (TestSource), standard input (RawSource). One thread at a time. Times
// are film time in nanoseconds: 0 is the film's first picture.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/media/source/film_time.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/subtitles/subtitle_choice.h"

namespace sail {

// A picture's pixel blocks, as for sail_submit_encoded.
struct CompressedPicture {
  StreamCodec codec;
  std::span<const uint8_t> bytes;
  std::span<const uint32_t> lengths;
  Size block_size = kDefaultBlockSize;
  codecs::PictureColor color;  // for JPEG 2000
  int max_reduction = 0;       // how often it can be halved
};

// A picture, as pixels or compressed. It owns the memory that it refers to: its destructor calls
// pixels.release in both cases. Pictures may outlive their source.
struct Picture {
  sail_frame pixels{};
  std::optional<CompressedPicture> compressed;  // if set, pixels has no planes
  Size size;
  Size display_size;  // size with square pixels; differs from size if the film's pixels are not
                      // square
  int64_t pts_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown

  Picture() = default;
  Picture(Picture&& other) noexcept { *this = std::move(other); }
  Picture& operator=(Picture&& other) noexcept {
    if (this == &other) return *this;
    release();
    pixels = other.pixels;
    compressed = other.compressed;
    size = other.size;
    display_size = other.display_size;
    pts_ns = other.pts_ns;
    duration_ns = other.duration_ns;
    other.pixels.release = nullptr;
    return *this;
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;
  ~Picture() { release(); }

 private:
  void release() {
    if (pixels.release) pixels.release(pixels.opaque);
    pixels.release = nullptr;
  }
};

struct SourceInfo {
  int64_t duration_ns = 0;  // 0: unknown or endless
  FrameRate rate;           // nominal
  // Live source: pictures are late because of the source, so they are not dropped.
  bool live = false;
  bool reconnects = false;  // live, to be reopened when it falls silent
  bool jumps = false;       // time stamps may jump ahead; the player must not wait for them
  std::string description;  // "h264, 1280x720, 25 fps"
  // Between which choose_subtitles() chooses.
  std::vector<SubtitleTrackFacts> subtitles = {};
  std::optional<StreamCodec> stored = {};  // the first picture's codec, if delivered as stored
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  virtual const SourceInfo& info() const = 0;

  // The next picture; empty at the end.
  virtual Result<std::optional<Picture>> next() = 0;

  // The next picture is then the one shown at that time (the last one, past the end). On failure
  // the source continues where it was, or ends.
  virtual Result<void> seek(int64_t position_ns) = 0;

  // The pictures that follow show these subtitles. On failure they show none.
  virtual Result<void> choose_subtitles(const SubtitleChoice& choice) {
    if (!choice.is_explicit()) return {};
    return fail(ErrorCode::kUnavailable, "subtitles cannot be drawn into this kind of film");
  }

  // Returns true if a picture is too late to be shown. duration_ns 0: unknown.
  using Late = std::function<bool(int64_t pts_ns, int64_t duration_ns)>;
  // For players: next() then may leave out pictures that are late, before it converts them. The
  // first picture after opening or a seek, and the film's last one, are never left out. next()
  // calls `late` in the order of the pictures.
  virtual void leave_out(const Late& /*late*/) {}

  // Returns a sentence about a defect that does not stop playback, once. There may be several.
  virtual std::optional<std::string> take_complaint() { return std::nullopt; }
  // Pictures that were missing, damaged, not deinterlaced or left out since the last call.
  virtual uint64_t take_left_out() { return 0; }
  // Read-ahead statistics.
  virtual ReadFigures read_figures() const { return {}; }
};

}  // namespace sail
