// One opened container: packets of its picture stream, with their film times. One thread calls.
// Only for the media_source files.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/media/media_source.h"
#include "sail/media/media_source_av.h"
#include "sail/media/media_source_io.h"
#include "sail/media/media_source_pipe.h"
#include "sail/wire/limits.h"

namespace sail {

class MediaFile {
 public:
  // The address is kept by FFmpeg.
  MediaFile(std::string url, MediaOptions options);
  MediaFile(const MediaFile&) = delete;
  MediaFile& operator=(const MediaFile&) = delete;

  enum class Probe : uint8_t {
    kHeader,   // what the container's header says
    kPictures  // what only decoding the first pictures tells, too
  };
  // Opens (again) and stands at the beginning. Errors are whole sentences.
  Result<void> open(Probe probe);

  // The next packet of the picture stream; false at the end.
  bool read(AVPacket& packet);
  // To a packet from which the film time can be reached; false when the film cannot.
  bool jump_before(int64_t position_ns);
  // Whether opening again would bring the beginning back: false for what is being sent only once.
  bool repeatable() const;

  // The film time of a stamp in the stream's time base, and of something that has none.
  int64_t film_time_ns(int64_t stamp);
  // `duration`: in the stream's time base; not positive: by the nominal rate. 0: unknown.
  int64_t duration_ns(int64_t duration, AVFrame* frame) const;
  // Where reading is: for complaints, and for what has no time stamp.
  void expect(int64_t position_ns);

  SourceInfo info() const;
  ReadFigures read_figures() const { return io_ ? io_->figures() : ReadFigures(); }
  AVStream& stream() const { return *stream_; }
  const std::string& url() const { return url_; }
  const MediaOptions& options() const { return options_; }
  // The container's: width of a pixel over its height, positive and not too strange. 1: unknown.
  static double usual_aspect(AVRational aspect);

  // FFmpeg asks for the decoder's log here: put it into its context's `opaque`.
  void* log_owner() { return this; }
  std::string error_text(int error) const;
  // What may be why a film cannot be read: its server sends it from front to back only. Or empty.
  std::string sent_once() const;
  // Where the film is damaged: a sentence, once for the whole film.
  void note_damage(int error);
  void note_early_end();
  void note_silence();
  std::optional<std::string> take_complaint();

 private:
  Result<void> open_container(Probe probe);
  // bytes: or else it is a sequence or a device, which FFmpeg reads by itself.
  Result<void> open_io(bool bytes);
  // Whether it is sent as it is made.
  Result<bool> open_live();
  Result<void> choose_stream();
  // By its format: pieces of several films, one behind the other, are such a film too.
  bool stamps_may_jump() const;
  void start_waiting();
  static int interrupted(void* self);
  static void write_log(void* context, int level, const char* format, va_list arguments);

  const std::string url_;
  const MediaOptions options_;
  std::chrono::steady_clock::time_point deadline_;
  bool gave_up_ = false;  // nothing came until then

  std::unique_ptr<MediaIo> io_;      // null: FFmpeg reads by itself
  AvPtr<AVIOContext> live_;          // by which it does; null: it opens one
  std::unique_ptr<MediaPipe> pipe_;  // of the options' descriptor
  AvPtr<AVFormatContext> format_;
  AVStream* stream_ = nullptr;       // within format_
  int64_t origin_ = AV_NOPTS_VALUE;  // the time stamp of film time 0, in the stream's time base
  int64_t expected_ns_ = 0;          // film time of what has no time stamp
  bool jumped_ = false;              // its time stamps have
  bool at_end_ = false;
  std::optional<std::string> complaint_;
  bool complained_ = false;
};

// Pixels, and rows or columns, that no decoder may go beyond.
constexpr int64_t kMaxMediaPixels = int64_t{kMaxFrameSide} * kMaxFrameSide;
constexpr bool beyond_limits(int width, int height) {
  return width > kMaxFrameSide || height > kMaxFrameSide;
}

// Bounds what decoders take while the container is looked into.
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
