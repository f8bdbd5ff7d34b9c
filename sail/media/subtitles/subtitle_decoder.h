// Decodes the packets of one subtitle track by FFmpeg. One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/media/subtitles/subtitle_blend.h"

struct AVCodecContext;
struct AVCodecParameters;
struct AVPacket;
struct AVRational;

namespace sail {

// A subtitle that is stored as a picture.
struct SubtitlePicture {
  Rect rect;                         // on the track's canvas
  std::vector<uint8_t> indices;      // one per pixel, row by row
  std::array<uint32_t, 256> argb{};  // colours of the indices; not premultiplied
};

// The pictures and texts that a packet shows from one time to another. Without both, the packet
// ends an earlier picture.
struct SubtitleCue {
  int64_t start_ns = 0;
  int64_t end_ns = 0;               // INT64_MAX: at the next cue
  std::vector<std::string> events;  // for SubtitleRenderer
  std::vector<SubtitlePicture> pictures;
  Size canvas;  // canvas on which the pictures lie
};

class SubtitleDecoder {
 public:
  // kBadData: no decoder. kLimit: out of memory.
  static Result<std::unique_ptr<SubtitleDecoder>> open(const AVCodecParameters& track,
                                                       const AVRational& time_base);
  ~SubtitleDecoder();

  // True for pictures, false for text.
  bool has_pictures() const;
  // The header of a text track: an ASS script without events.
  std::string header() const;
  // kBadData: damaged. kLimit: too large.
  Result<SubtitleCue> decode(const AVPacket& packet, int64_t start_ns);
  // The next packet is from another part of the film.
  void jump();

  // Largest text of a subtitle, in bytes: drawings of ASS are text, too.
  static constexpr size_t kMaxEvent = 64 << 10;

 private:
  struct Free {
    void operator()(AVCodecContext* codec) const;
  };
  explicit SubtitleDecoder(AVCodecContext* codec) : codec_(codec) {}

  std::unique_ptr<AVCodecContext, Free> codec_;
};

// Draws the pictures for film pictures of this size. The subtitles' canvas is scaled to the whole
// film picture.
std::vector<SubtitlePatch> draw_subtitle_pictures(const SubtitleCue& cue, Size film);

}  // namespace sail
