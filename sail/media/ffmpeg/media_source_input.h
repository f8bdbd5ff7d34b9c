// An opened film: demuxer and decoder; returns frames with film times. One thread at a time. Only
// for the media_source files.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_decoders.h"
#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_frames.h"

namespace sail {

// A decoded frame.
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

  // Opens (or reopens) the film at its beginning. Errors are complete sentences.
  Result<void> open();

  // The first frame, right after open(), if the first packet alone shows it. Otherwise, or if the
  // decoder does not hold frames back, or if there is no other packet: empty, and decode() returns
  // it.
  std::optional<Decoded> decode_first();
  // Empty at the end.
  std::optional<Decoded> decode();
  // While this is set, the decoder leaves out frames that no other frame refers to, if the codec
  // allows that; they count as left out. Opening and jumping reset it.
  void hurry(bool hurry);
  // decode() leaves out frames that are over at this film time, as hurry() does, but does not count
  // them. Opening and jumping reset it. Empty: all frames are decoded.
  void leave_out_before(std::optional<int64_t> position_ns);
  // The film time of the last frame that may have been left out so since the last jump.
  int64_t left_out_to_ns() const { return left_out_to_ns_; }
  // See MediaFile.
  bool fell_silent() const { return file_.fell_silent(); }

  // Seeks to a place from which decoding reaches the film time; false if not supported.
  bool jump_before(int64_t position_ns);
  void read_subtitles_before(int64_t position_ns) { file_.read_subtitles_before(position_ns); }
  FilmSubtitles& subtitles() { return file_.subtitles(); }
  // True if reopening starts at the beginning again; false for live streams.
  bool repeatable() const { return file_.repeatable(); }

  SourceInfo info() const { return file_.info(); }
  std::string sent_once() const { return file_.sent_once(); }
  ReadFigures read_figures() const { return file_.read_figures(); }
  Orientation orientation(const AVFrame& frame) const;
  // Width of a pixel divided by its height.
  double pixel_aspect(const AVFrame& frame) const;

  // See MediaFile.
  std::optional<std::string> stopped() const { return file_.stopped(); }
  // Why the last refused picture could not be decoded; empty: no picture was refused.
  const std::string& fault() const { return fault_; }
  // Returns a sentence about damage, once.
  std::optional<std::string> take_complaint() { return file_.take_complaint(); }
  uint64_t take_left_out() { return file_.take_left_out() + std::exchange(hurried_over_, 0); }

 private:
  Result<void> open_decoder();
  // Whether the film begins with the frame of this packet, which the decoder would return only
  // after other packets.
  bool begins_late(const AVPacket& packet) const;
  // Receives a decoded frame: 0 or an error code, as avcodec_receive_frame() does.
  int receive(AVFrame& frame);
  // Reads the next packet. At the end: lets the decoder return what it holds back; false.
  bool read_packet();
  // Sends the next packet to the decoder, or the end of the stream. Skips it while a key picture is
  // awaited.
  void feed();
  // Decodes a packet that FFmpeg must not decode, or refuses it; false if it is for FFmpeg.
  bool decode_here(const AVPacket& packet);
  // Before a packet is decoded: see leave_out_before().
  void leave_out_if_over(const AVPacket& packet);
  void refuse(std::string fault, int64_t stamp);
  // Takes the frame; empty, and the frame stays, if it is not to be shown.
  std::optional<Decoded> stamp(AvFramePtr& frame);
  // Counts frames that the decoder has left out before this one.
  void count_hurried(const Decoded& decoded);

  MediaFile file_;  // declared first: the decoder uses its log
  AvPtr<AVCodecContext> codec_;
  AvPtr<AVPacket> packet_;
  HtDecoder ht_decoder_;
  StillDecoder still_decoder_;
  AvFramePtr decoded_here_;  // decoded here, but not received yet
  std::string fault_;
  bool refused_ = false;         // the last packet was refused
  bool packet_is_read_ = false;  // the packet is the next one to decode
  AvPtr<AVPacket> following_;    // the next one after it; empty: not read yet
  int key_within_ = 0;  // after a jump: packets in which a key picture is awaited; 0: none is
  std::optional<int64_t> leave_out_before_ns_;
  int64_t left_out_to_ns_ = INT64_MIN;
  std::optional<int64_t> returned_;  // stamp of the frame that decode_first() has returned
  bool draining_ = false;
  bool hurries_ = false;       // frames may have been left out since the last jump
  int fed_ = 0;                // packets since the last frame
  int64_t decoded_to_ns_ = 0;  // end of the last frame
  uint64_t hurried_over_ = 0;
  bool film_density_ = false;  // the last DPX header states film densities
};

}  // namespace sail
