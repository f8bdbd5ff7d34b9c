// The connection to a film's bytes, and FFmpeg's container on it. Waits a limited time for data.
// One thread at a time. Only for the media_source files.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_io.h"
#include "sail/media/source/file_sequence.h"

namespace sail {

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

class MediaConnection {
 public:
  // Both must outlive the connection. FFmpeg stores this object's address, so the object cannot be
  // moved.
  MediaConnection(const std::string& url, const MediaOptions& options)
      : url_(url), options_(options) {}
  MediaConnection(const MediaConnection&) = delete;
  MediaConnection& operator=(const MediaConnection&) = delete;

  enum class Probe : uint8_t {
    kHeader,   // read the container's header only
    kStreams,  // also find stream parameters; see probe_without_pictures()
    kPictures  // also decode the first pictures
  };
  // Opens (or reopens) the container at its beginning. Errors are complete sentences.
  Result<void> open(Probe probe);

  // Null before open().
  AVFormatContext* format() const { return format_.get(); }
  // Returns the files of a numbered film, once; empty: the film is not numbered.
  std::vector<SequenceFile> take_pictures() { return std::move(pictures_); }
  ReadFigures read_figures() const { return io_ ? io_->figures() : ReadFigures(); }

  // Call before each read: restarts the time limit for data to arrive.
  void start_waiting();
  std::chrono::steady_clock::duration waited() const;
  // Returns true if no data arrived within the time limit.
  bool gave_up() const { return gave_up_; }
  // The reader of bytes has failed; error_text(AVERROR(EIO)) says why.
  bool has_failed() const { return io_ && io_->failure(); }
  // A web server sends a film of known length without support for byte ranges.
  bool is_sent_once() const { return live_ && avio_size(live_.get()) > 0; }

  std::string error_text(int error) const;
  // A hint for error messages that the server does not support byte ranges; else empty.
  std::string sent_once() const;

  // From now on, FFmpeg's messages go to the log of the film concerned, and never to the terminal.
  // A decoder context's `opaque` must point to the film's connection.
  static void catch_messages();

 private:
  // bytes: false for sequences and devices, which FFmpeg reads itself.
  Result<void> open_io(bool bytes);
  // True if the URL is a live stream, which FFmpeg then reads itself.
  Result<bool> open_live();
  Result<void> probe(Probe wanted);
  // Advice about a failed opening; empty: none.
  std::string advice(int error) const;
  static int interrupted(void* self);
  static void write_log(void* context, int level, const char* format, va_list arguments);

  const std::string& url_;
  const MediaOptions& options_;
  std::chrono::steady_clock::time_point asked_at_;
  bool gave_up_ = false;
  std::unique_ptr<MediaIo> io_;  // null: FFmpeg reads itself
  AvPtr<AVIOContext> live_;  // FFmpeg's open connection of a live stream; null: FFmpeg opens one
  std::unique_ptr<MediaPipe> pipe_;  // for options_.descriptor
  AvPtr<AVFormatContext> format_;    // declared last, so that it is closed first
  std::vector<SequenceFile> pictures_;
};

}  // namespace sail
