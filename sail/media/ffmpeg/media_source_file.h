// An opened container: reads the packets of its video stream, with film times. One thread at a
// time. Only for the media_source files.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_connection.h"
#include "sail/media/ffmpeg/media_source_pictures.h"
#include "sail/media/ffmpeg/media_source_tracks.h"
#include "sail/media/subtitles/film_subtitles.h"

namespace sail {

class MediaFile {
 public:
  // The connection refers to this object, so the object cannot be moved.
  MediaFile(std::string url, MediaOptions options);
  MediaFile(const MediaFile&) = delete;
  MediaFile& operator=(const MediaFile&) = delete;

  // Opens (or reopens) the file at its beginning. Errors are complete sentences.
  Result<void> open(MediaConnection::Probe probe);

  // Reads the next packet of the video stream; false at the end.
  bool read(AVPacket& packet);
  // True if the end was that of a live source after a silence. Pictures that the decoder still
  // holds are then old, and must not be shown as new ones.
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
  FilmDescription description() const { return describe_film(*format(), *stream_->codecpar); }
  ReadFigures read_figures() const { return connection_.read_figures(); }
  AVStream& stream() const { return *stream_; }
  const std::string& url() const { return url_; }
  bool is_numbered() const { return pictures_.has_value(); }
  // Returns the times of all files of a film of numbered files, readable or not.
  std::vector<PictureTime> numbered_times();
  const MediaOptions& options() const { return options_; }
  // Width of a pixel divided by its height, from the container's value; 1 if unknown or
  // implausible.
  static double usual_aspect(AVRational aspect);

  // Put this pointer into a decoder context's `opaque`, so that its messages go to the film's log.
  void* log_owner() { return &connection_; }
  std::string error_text(int error) const { return connection_.error_text(error); }
  std::string sent_once() const { return connection_.sent_once(); }
  // Records remarks_on() the frame, once per film.
  void note_remarks(const AVFrame& frame);
  // Records a notice for the user about the pictures, once per film. Empty: no notice.
  void note_about_pictures(const std::string& notice);
  // Record damage: all of it is counted, only the first is described. For a film of numbered files,
  // every file is described.
  void note_damage(int error);
  // A frame with this time stamp came out of the decoder. False if it is not to be shown.
  bool note_frame(int64_t stamp, bool damaged);
  // The picture with this time stamp cannot be decoded. `fault` is a sentence.
  void note_fault(int64_t stamp, const std::string& fault);
  void note_early_end();
  // Why a film of numbered files ends before its end; empty: it does not.
  std::optional<std::string> stopped() const {
    return pictures_ ? pictures_->missing().stopped() : std::nullopt;
  }
  // Returns a recorded sentence, once.
  std::optional<std::string> take_complaint();
  // Damaged pictures since the last call.
  uint64_t take_left_out();

 private:
  AVFormatContext* format() const { return connection_.format(); }
  Result<void> choose_stream();
  // Numbers the pictures of a film of numbered files.
  void choose_pictures();
  Result<void> choose_subtitles();
  // True if what follows is not part of the requested range.
  bool is_after_range() const {
    return options_.range.to_ns && expected_ns_ >= *options_.range.to_ns;
  }
  // True for formats with discontinuities, such as concatenated transport streams.
  bool stamps_may_jump() const;
  bool ended_in_silence(int read) const;
  void note_end(int error);
  void complain(std::string sentence);
  // Only the first such sentence of a film is kept.
  void complain_once(std::string sentence);

  const std::string url_;
  const MediaOptions options_;
  MediaConnection connection_;
  bool fell_silent_ = false;
  std::optional<PictureFiles> pictures_;  // files of a film of numbered pictures
  FilmSubtitles subtitles_;
  bool subtitles_chosen_ = false;
  AVStream* stream_ = nullptr;       // owned by the connection
  int64_t origin_ = AV_NOPTS_VALUE;  // time stamp of film time 0, in the stream's time base
  int64_t expected_ns_ = 0;          // film time of a packet without a time stamp
  bool jumped_ = false;              // the time stamps have jumped
  bool at_end_ = false;
  std::deque<std::string> complaints_;
  bool complained_ = false;
  bool remarked_ = false;
  uint64_t left_out_ = 0;
};

}  // namespace sail
