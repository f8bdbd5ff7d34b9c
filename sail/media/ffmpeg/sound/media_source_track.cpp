#include "sail/media/ffmpeg/sound/media_source_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sail/media/ffmpeg/sound/track_mix.h"

namespace sail {
namespace {

// FFmpeg does not mix channels without a layout. By convention the first six are 5.1; others, such
// as commentary, are not heard. Two rows of gains: left, right.
std::vector<double> surround_mix(int channels) {
  const auto count = static_cast<size_t>(channels);
  std::vector<double> mix(count * kSoundChannels);
  for (size_t i = 0; i < std::min(count, kSurroundChannels); ++i) {
    const SurroundGains gains = surround_gains(i);
    mix[i] = gains.left;
    mix[count + i] = gains.right;
  }
  return mix;
}

}  // namespace

Result<SoundTrack> SoundTrack::open(const AVStream& stream, int channels, int64_t origin_ns,
                                    bool counted, const std::string& file) {
  SoundTrack track(stream, channels, origin_ns, counted);
  const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
  track.codec_.reset(decoder == nullptr ? nullptr : avcodec_alloc_context3(decoder));
  AVCodecContext* codec = track.codec_.get();
  if (codec == nullptr || avcodec_parameters_to_context(codec, stream.codecpar) < 0 ||
      avcodec_open2(codec, decoder, nullptr) < 0) {
    return fail(ErrorCode::kBadData, fmt::format("cannot decode the sound of {}", file));
  }
  codec->pkt_timebase = stream.time_base;
  return track;
}

std::optional<MediaSound::Samples> SoundTrack::receive() {
  while (avcodec_receive_frame(codec_.get(), frame_.get()) == 0) {
    auto samples = convert();
    if (samples && !samples->values.empty()) return samples;
  }
  return std::nullopt;
}

void SoundTrack::reset() {
  avcodec_flush_buffers(codec_.get());
  conversion_.reset();
}

// Creates the conversion again when the sound's format changes within the film.
bool SoundTrack::prepare_conversion() {
  AVChannelLayout& layout = frame_->ch_layout;
  if (conversion_ && from_rate_ == frame_->sample_rate && from_format_ == frame_->format &&
      av_channel_layout_compare(&from_layout_.value, &layout) == 0) {
    return true;
  }
  AVChannelLayout to{};
  av_channel_layout_default(&to, channels_);
  SwrContext* context = nullptr;
  const int made = swr_alloc_set_opts2(&context, &to, AV_SAMPLE_FMT_FLT, kSoundRate, &layout,
                                       static_cast<AVSampleFormat>(frame_->format),
                                       frame_->sample_rate, 0, nullptr);
  conversion_.reset(context);
  bool ready = made >= 0;
  const bool unknown = layout.order == AV_CHANNEL_ORDER_UNSPEC;
  if (ready && unknown && channels_ == kSoundChannels && layout.nb_channels > 2) {
    const std::vector<double> mix = surround_mix(layout.nb_channels);
    ready = swr_set_matrix(context, mix.data(), layout.nb_channels) >= 0;
  }
  if (!ready || swr_init(context) < 0) {
    conversion_.reset();
    return false;
  }
  av_channel_layout_copy(&from_layout_.value, &layout);
  from_rate_ = frame_->sample_rate;
  from_format_ = frame_->format;
  return true;
}

std::optional<MediaSound::Samples> SoundTrack::convert() {
  if (frame_->sample_rate <= 0 || !prepare_conversion()) return std::nullopt;
  const int room = swr_get_out_samples(conversion_.get(), frame_->nb_samples);
  if (room < 0) return std::nullopt;
  MediaSound::Samples samples;
  const int64_t stamp = frame_->best_effort_timestamp;
  // Samples buffered in the conversion come before those passed now.
  const int64_t held_ns = swr_get_delay(conversion_.get(), kNanoseconds.den);
  const bool counted = counted_ || stamp == AV_NOPTS_VALUE;
  samples.pts_ns = counted ? next_ns_ : film_time_ns(stamp) - held_ns;
  const auto channels = static_cast<size_t>(channels_);
  samples.values.resize(static_cast<size_t>(room) * channels);
  auto* out = reinterpret_cast<uint8_t*>(samples.values.data());
  const int count =
      swr_convert(conversion_.get(), &out, room, const_cast<const uint8_t**>(frame_->extended_data),
                  frame_->nb_samples);
  if (count < 0) return std::nullopt;
  samples.values.resize(static_cast<size_t>(count) * channels);
  next_ns_ = samples.pts_ns + int64_t{count} * kNanoseconds.den / kSoundRate;
  return samples;
}

}  // namespace sail
