// One opened film: demuxer and decoder, frames with their film times. One thread calls. Only for
// the media_source files.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/media/media_source.h"
#include "sail/media/media_source_av.h"

namespace sail {

// What a decoder yielded.
struct Decoded {
  AvFramePtr frame;
  int64_t pts_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown
};

class MediaInput {
 public:
  // The address is kept by FFmpeg.
  MediaInput(std::string url, MediaOptions options);
  MediaInput(const MediaInput&) = delete;
  MediaInput& operator=(const MediaInput&) = delete;

  // Opens (again) and stands at the beginning. Errors are whole sentences.
  Result<void> open();

  // Nothing at the end.
  std::optional<Decoded> decode();

  // To a place from which decoding reaches the film time; false when the film cannot.
  bool jump_before(int64_t position_ns);
  // Whether opening again would bring the beginning back: false for what is being sent only once.
  bool repeatable() const;

  SourceInfo info() const;
  // Quarter turns clockwise that bring the frame upright.
  int quarter_turns(const AVFrame& frame) const;
  // Width of a pixel over its height.
  double pixel_aspect(const AVFrame& frame) const;

  // Where the film is damaged: a sentence, once for the whole film.
  std::optional<std::string> take_complaint();

 private:
  Result<void> open_container();
  Result<void> choose_stream();
  Result<void> open_decoder();
  // Puts the next packet into the decoder, or tells it that there is none.
  void feed();
  Decoded stamp(AvFramePtr frame);
  void note_damage(int error);
  void note_early_end();
  std::string error_text(int error) const;

  void start_waiting();
  static int interrupted(void* self);
  static void write_log(void* context, int level, const char* format, va_list arguments);

  const std::string url_;
  const MediaOptions options_;
  std::chrono::steady_clock::time_point deadline_;

  AvPtr<AVFormatContext> format_;
  AvPtr<AVCodecContext> codec_;
  AvPtr<AVPacket> packet_;
  AVStream* stream_ = nullptr;  // within format_
  bool draining_ = false;
  int64_t origin_ = AV_NOPTS_VALUE;  // the time stamp of film time 0, in the stream's time base
  int64_t expected_ns_ = 0;          // film time of a frame that has no time stamp
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

}  // namespace sail
