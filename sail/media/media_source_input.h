// One opened film: demuxer and decoder, frames with their film times. One thread calls. Only for
// the media_source files.
#pragma once

#include <optional>
#include <string>

#include "sail/media/media_source.h"
#include "sail/media/media_source_av.h"
#include "sail/media/media_source_file.h"

namespace sail {

// What a decoder yielded.
struct Decoded {
  AvFramePtr frame;
  int64_t pts_ns = 0;
  int64_t duration_ns = 0;  // 0: unknown
};

class MediaInput {
 public:
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
  bool repeatable() const { return file_.repeatable(); }

  SourceInfo info() const { return file_.info(); }
  std::string sent_once() const { return file_.sent_once(); }
  ReadFigures read_figures() const { return file_.read_figures(); }
  // Quarter turns clockwise that bring the frame upright.
  int quarter_turns(const AVFrame& frame) const;
  // Width of a pixel over its height.
  double pixel_aspect(const AVFrame& frame) const;

  // Where the film is damaged: a sentence, once for the whole film.
  std::optional<std::string> take_complaint() { return file_.take_complaint(); }

 private:
  Result<void> open_decoder();
  // Puts the next packet into the decoder, or tells it that there is none.
  void feed();
  Decoded stamp(AvFramePtr frame);

  MediaFile file_;  // its log is the decoder's, too: declared first
  AvPtr<AVCodecContext> codec_;
  AvPtr<AVPacket> packet_;
  bool draining_ = false;
};

}  // namespace sail
