// One sound track of a file, decoded to 48 kHz float samples. One thread at a time. Only for the
// media_source files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

class SoundTrack {
 public:
  // channels: of the samples, 1 or kSoundChannels. counted: times follow from the number of samples
  // instead of the track's time stamps.
  static Result<SoundTrack> open(const AVStream& stream, int channels, int64_t origin_ns,
                                 bool counted, const std::string& file);

  // Gives a packet of this track to the decoder; null: no more follows.
  void send(const AVPacket* packet) { avcodec_send_packet(codec_.get(), packet); }
  // The next samples; empty: the decoder needs another packet. Skips damaged packets.
  std::optional<MediaSound::Samples> receive();
  // Call after a seek.
  void reset();

  int index() const { return stream_->index; }

 private:
  SoundTrack(const AVStream& stream, int channels, int64_t origin_ns, bool counted)
      : stream_(&stream), channels_(channels), origin_ns_(origin_ns), counted_(counted) {}
  struct ChannelLayout {
    ChannelLayout() = default;
    ChannelLayout(ChannelLayout&& other) noexcept : value(std::exchange(other.value, {})) {}
    ChannelLayout& operator=(ChannelLayout&&) = delete;
    ~ChannelLayout() { av_channel_layout_uninit(&value); }
    AVChannelLayout value{};
  };
  bool prepare_conversion();
  std::optional<MediaSound::Samples> convert();
  int64_t film_time_ns(int64_t stamp) const {
    return av_rescale_q(stamp, stream_->time_base, kNanoseconds) - origin_ns_;
  }

  const AVStream* stream_;
  int channels_;
  int64_t origin_ns_;  // container time that is film time 0
  bool counted_;
  AvPtr<AVCodecContext> codec_;
  AvFramePtr frame_{av_frame_alloc()};
  AvPtr<SwrContext> conversion_;
  ChannelLayout from_layout_;  // input format of the current conversion
  int from_rate_ = 0;
  int from_format_ = -1;
  int64_t next_ns_ = 0;  // film time of a frame without a time stamp
};

}  // namespace sail
