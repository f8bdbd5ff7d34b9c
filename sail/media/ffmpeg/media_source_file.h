// An opened container: reads the packets of its video stream, with film times. One thread at a
// time. Only for the media_source files.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_io.h"
#include "sail/media/ffmpeg/media_source_pictures.h"
#include "sail/media/subtitles/film_subtitles.h"

namespace sail {

class MediaFile {
 public:
  // FFmpeg stores this object's address, so the object cannot be moved.
  MediaFile(std::string url, MediaOptions options);
  MediaFile(const MediaFile&) = delete;
  MediaFile& operator=(const MediaFile&) = delete;

  enum class Probe : uint8_t {
    kHeader,   // read the container's header only
    kPictures  // also decode the first pictures to find stream parameters
  };
  // Opens (or reopens) the file at its beginning. Errors are complete sentences.
  Result<void> open(Probe probe);

  // Reads the next packet of the video stream; false at the end.
  bool read(AVPacket& packet);
  // True if the end was that of a live source after a silence. Pictures that the decoder still
  // holds are old then: they would look like new ones.
  bool fell_silent() const { return fell_silent_; }
  // Seeks to a packet from which the film time can be reached; false if not supported.
  bool jump_before(int64_t position_ns);
  // Reads the subtitles that began shortly before the film time. Call before a seek to it.
  void read_subtitles_before(int64_t position_ns);
  FilmSubtitles& subtitles() { return subtitles_; }
  // True if reopening starts at the beginning again; false for live streams.
  bool repeatable() const;

  // Converts a time stamp in the stream's time base to film time. Without a time stamp, returns the
  // expected time.
  int64_t film_time_ns(int64_t stamp);
  // `duration`: in the stream's time base; if not positive, the nominal frame rate is used. 0:
  // unknown.
  int64_t duration_ns(int64_t duration, AVFrame* frame) const;
  // Sets the current film time, for complaints and for packets without time stamps.
  void expect(int64_t position_ns);

  SourceInfo info() const;
  ReadFigures read_figures() const { return io_ ? io_->figures() : ReadFigures(); }
  AVStream& stream() const { return *stream_; }
  const std::string& url() const { return url_; }
  bool is_numbered() const { return pictures_.has_value(); }
  const MediaOptions& options() const { return options_; }
  // Width of a pixel divided by its height, from the container's value; 1 if unknown or
  // implausible.
  static double usual_aspect(AVRational aspect);

  // From now on, FFmpeg's messages go to the log of the file concerned, and never to the terminal.
  static void catch_messages();
  // Put this pointer into a decoder context's `opaque`, so that its messages go to the file's log.
  void* log_owner() { return this; }
  std::string error_text(int error) const;
  // A hint for error messages that the server does not support byte ranges; else empty.
  std::string sent_once() const;
  // Records remarks_on() the frame, once per film.
  void note_remarks(const AVFrame& frame);
  // Records what the user must know about the pictures, once per film. Empty: nothing.
  void note_about_pictures(const std::string& notice);
  // Record damage: all of it is counted, only the first is described. For a film of numbered files,
  // every file is described.
  void note_damage(int error);
  // A frame with this time stamp came out of the decoder.
  void note_frame(int64_t stamp, bool damaged);
  // The picture with this time stamp cannot be decoded. `fault` is a sentence.
  void note_fault(int64_t stamp, const std::string& fault);
  void note_early_end();
  // Returns a recorded sentence, once.
  std::optional<std::string> take_complaint();
  // Damaged pictures since the last call.
  uint64_t take_left_out();

 private:
  Result<void> open_container(Probe probe);
  // bytes: false for sequences and devices, which FFmpeg reads itself.
  Result<void> open_io(bool bytes);
  // True if the URL is a live stream, which FFmpeg then reads itself.
  Result<bool> open_live();
  Result<void> choose_stream();
  void choose_subtitles();
  // True for formats with discontinuities, such as concatenated transport streams.
  bool stamps_may_jump() const;
  void start_waiting();
  bool ended_in_silence(int read) const;
  // What to do about a failed opening; empty: not known.
  std::string advice(int error) const;
  void note_end(int error);
  void complain(std::string sentence);
  // Only the first such sentence of a film is kept.
  void complain_once(std::string sentence);
  static int interrupted(void* self);
  static void write_log(void* context, int level, const char* format, va_list arguments);

  const std::string url_;
  const MediaOptions options_;
  std::chrono::steady_clock::time_point deadline_;
  bool gave_up_ = false;  // nothing arrived until deadline_
  bool fell_silent_ = false;

  std::unique_ptr<MediaIo> io_;  // null: FFmpeg reads itself
  AvPtr<AVIOContext> live_;  // FFmpeg's open connection of a live stream; null: FFmpeg opens one
  std::unique_ptr<MediaPipe> pipe_;       // for options_.descriptor
  std::optional<PictureFiles> pictures_;  // of a film of numbered files
  AvPtr<AVFormatContext> format_;
  FilmSubtitles subtitles_;
  bool subtitles_chosen_ = false;
  AVStream* stream_ = nullptr;       // owned by format_
  int64_t origin_ = AV_NOPTS_VALUE;  // time stamp of film time 0, in the stream's time base
  int64_t expected_ns_ = 0;          // film time of a packet without a time stamp
  bool jumped_ = false;              // the time stamps have jumped
  bool at_end_ = false;
  std::deque<std::string> complaints_;
  bool complained_ = false;
  bool remarked_ = false;
  uint64_t left_out_ = 0;
};

// Decoder limits: pixels per picture, and pixels per side.
constexpr int64_t kMaxMediaPixels = int64_t{kMaxFrameSide} * kMaxFrameSide;
constexpr bool beyond_limits(int width, int height) {
  return width > kMaxFrameSide || height > kMaxFrameSide;
}

// Limits the decoders' memory while the container is probed.
class ProbeOptions {
 public:
  explicit ProbeOptions(unsigned streams) : dictionaries_(streams) {
    for (AVDictionary*& dictionary : dictionaries_) {
      av_dict_set_int(&dictionary, "max_pixels", kMaxMediaPixels, 0);
    }
  }
  ~ProbeOptions() {
    for (AVDictionary*& dictionary : dictionaries_) av_dict_free(&dictionary);
  }
  ProbeOptions(const ProbeOptions&) = delete;
  ProbeOptions& operator=(const ProbeOptions&) = delete;
  AVDictionary** data() { return dictionaries_.data(); }

 private:
  std::vector<AVDictionary*> dictionaries_;
};

}  // namespace sail
