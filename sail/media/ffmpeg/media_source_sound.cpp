#include "sail/media/ffmpeg/media_source_sound.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_device.h"
#include "sail/media/ffmpeg/media_source_io.h"

namespace sail {
namespace {

// Combine the tiny pieces that sound cards deliver.
constexpr size_t kLeastLive = size_t{kSoundRate} / 100 * kSoundChannels;

}  // namespace

class MediaSound::Impl {
 public:
  Impl() = default;
  ~Impl() { av_channel_layout_uninit(&from_layout_); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  Result<void> open(const std::string& file);
  std::optional<Samples> next();
  bool seek(int64_t position_ns);
  bool live() const { return live_; }

 private:
  Result<void> open_container(const std::string& file);
  Result<void> open_decoder(const std::string& file);
  bool decode();
  bool prepare_conversion();
  std::optional<Samples> convert();
  int64_t film_time_ns(int64_t stamp) const {
    return av_rescale_q(stamp, stream_->time_base, kNanoseconds) - origin_ns_;
  }

  std::unique_ptr<MediaIo> io_;  // null: FFmpeg reads itself
  AvPtr<AVFormatContext> format_;
  AVStream* stream_ = nullptr;  // owned by format_
  int64_t origin_ns_ = 0;       // the container's time of film time 0
  AvPtr<AVCodecContext> codec_;
  AvPtr<AVPacket> packet_{av_packet_alloc()};
  AvFramePtr frame_{av_frame_alloc()};
  AvPtr<SwrContext> conversion_;
  AVChannelLayout from_layout_{};  // input format of the current conversion
  int from_rate_ = 0;
  int from_format_ = -1;
  int64_t next_ns_ = 0;  // film time of a frame without a time stamp
  bool draining_ = false;
  bool live_ = false;
};

Result<void> MediaSound::Impl::open_container(const std::string& file) {
  const auto device = capture_device(file);
  if (!device) return device.error();
  live_ = device->has_value();
  if (!live_) {
    auto io = MediaIo::open(file, nullptr);
    if (!io) return std::move(io.error());
    io_ = std::move(*io);
  }
  AVFormatContext* context = avformat_alloc_context();
  if (!context) return fail(ErrorCode::kLimit, "out of memory");
  if (io_) context->pb = io_->rewound();
  const std::string& address = live_ ? (*device)->address : file;
  const AVInputFormat* demuxer = live_ ? (*device)->format : nullptr;
  const int opened = avformat_open_input(&context, address.c_str(), demuxer, nullptr);
  if (opened < 0) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot open the sound of {}: {}", file, words_of(opened)));
  }
  format_.reset(context);
  // A sound card's format is known; probing would delay the sound permanently.
  if (!live_ && avformat_find_stream_info(context, nullptr) < 0) {
    return fail(ErrorCode::kBadData, fmt::format("cannot read the sound of {}", file));
  }
  return {};
}

Result<void> MediaSound::Impl::open(const std::string& file) {
  auto opened = open_container(file);
  if (!opened) return opened;
  AVFormatContext* context = format_.get();
  const int best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  if (best < 0) return fail(ErrorCode::kNotFound, fmt::format("{} has no sound", file));
  stream_ = context->streams[best];
  // As for the video: film time 0 is its first picture.
  const int pictures = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  const AVStream& origin = *context->streams[pictures >= 0 ? pictures : best];
  if (origin.start_time != AV_NOPTS_VALUE) {
    origin_ns_ = av_rescale_q(origin.start_time, origin.time_base, kNanoseconds);
  }
  for (unsigned i = 0; i < context->nb_streams; ++i) {
    if (static_cast<int>(i) != best) context->streams[i]->discard = AVDISCARD_ALL;
  }
  return open_decoder(file);
}

Result<void> MediaSound::Impl::open_decoder(const std::string& file) {
  const AVCodec* decoder = avcodec_find_decoder(stream_->codecpar->codec_id);
  codec_.reset(decoder == nullptr ? nullptr : avcodec_alloc_context3(decoder));
  if (!codec_ || avcodec_parameters_to_context(codec_.get(), stream_->codecpar) < 0 ||
      avcodec_open2(codec_.get(), decoder, nullptr) < 0) {
    return fail(ErrorCode::kBadData, fmt::format("cannot decode the sound of {}", file));
  }
  codec_->pkt_timebase = stream_->time_base;
  return {};
}

// Decodes into frame_. Skips damaged packets.
bool MediaSound::Impl::decode() {
  for (;;) {
    const int got = avcodec_receive_frame(codec_.get(), frame_.get());
    if (got == 0) return true;
    if (got != AVERROR(EAGAIN) || draining_) return false;
    if (av_read_frame(format_.get(), packet_.get()) < 0) {
      draining_ = true;
      avcodec_send_packet(codec_.get(), nullptr);
      continue;
    }
    if (packet_->stream_index == stream_->index) avcodec_send_packet(codec_.get(), packet_.get());
    av_packet_unref(packet_.get());
  }
}

// Creates the conversion again when the sound's format changes within the film.
bool MediaSound::Impl::prepare_conversion() {
  if (conversion_ && from_rate_ == frame_->sample_rate && from_format_ == frame_->format &&
      av_channel_layout_compare(&from_layout_, &frame_->ch_layout) == 0) {
    return true;
  }
  AVChannelLayout to{};
  av_channel_layout_default(&to, kSoundChannels);
  SwrContext* context = nullptr;
  const int made = swr_alloc_set_opts2(
      &context, &to, AV_SAMPLE_FMT_FLT, kSoundRate, &frame_->ch_layout,
      static_cast<AVSampleFormat>(frame_->format), frame_->sample_rate, 0, nullptr);
  conversion_.reset(context);
  if (made < 0 || swr_init(context) < 0) {
    conversion_.reset();
    return false;
  }
  av_channel_layout_copy(&from_layout_, &frame_->ch_layout);
  from_rate_ = frame_->sample_rate;
  from_format_ = frame_->format;
  return true;
}

std::optional<MediaSound::Samples> MediaSound::Impl::convert() {
  if (frame_->sample_rate <= 0 || !prepare_conversion()) return std::nullopt;
  const int room = swr_get_out_samples(conversion_.get(), frame_->nb_samples);
  if (room < 0) return std::nullopt;
  Samples samples;
  const int64_t stamp = frame_->best_effort_timestamp;
  // Samples buffered in the conversion come before those passed now.
  const int64_t held_ns = swr_get_delay(conversion_.get(), kNanoseconds.den);
  // For sound cards, counting samples is more even than FFmpeg's time stamps.
  const bool counted = live_ || stamp == AV_NOPTS_VALUE;
  samples.pts_ns = counted ? next_ns_ : film_time_ns(stamp) - held_ns;
  samples.values.resize(static_cast<size_t>(room) * kSoundChannels);
  auto* out = reinterpret_cast<uint8_t*>(samples.values.data());
  const int count =
      swr_convert(conversion_.get(), &out, room, const_cast<const uint8_t**>(frame_->extended_data),
                  frame_->nb_samples);
  if (count < 0) return std::nullopt;
  samples.values.resize(static_cast<size_t>(count) * kSoundChannels);
  next_ns_ = samples.pts_ns + int64_t{count} * kNanoseconds.den / kSoundRate;
  return samples;
}

std::optional<MediaSound::Samples> MediaSound::Impl::next() {
  std::optional<Samples> gathered;
  while (decode()) {
    auto samples = convert();
    if (!samples || samples->values.empty()) continue;
    if (!gathered) {
      gathered = std::move(samples);
    } else {
      gathered->values.insert(gathered->values.end(), samples->values.begin(),
                              samples->values.end());
    }
    if (!live_ || gathered->values.size() >= kLeastLive) break;
  }
  return gathered;
}

bool MediaSound::Impl::seek(int64_t position_ns) {
  const int64_t stamp = av_rescale_q(position_ns + origin_ns_, kNanoseconds, stream_->time_base);
  if (avformat_seek_file(format_.get(), stream_->index, INT64_MIN, stamp, stamp, 0) < 0 &&
      avformat_seek_file(format_.get(), stream_->index, INT64_MIN, stamp, INT64_MAX, 0) < 0) {
    return false;
  }
  avcodec_flush_buffers(codec_.get());
  conversion_.reset();
  draining_ = false;
  return true;
}

Result<std::unique_ptr<MediaSound>> MediaSound::open(const std::string& file) {
  auto impl = std::make_unique<Impl>();
  auto opened = impl->open(file);
  if (!opened) return std::move(opened.error());
  return std::unique_ptr<MediaSound>(new MediaSound(std::move(impl)));
}

MediaSound::MediaSound(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MediaSound::~MediaSound() = default;

std::optional<MediaSound::Samples> MediaSound::next() {
  return impl_->next();
}
bool MediaSound::seek(int64_t position_ns) {
  return impl_->seek(position_ns);
}
bool MediaSound::live() const {
  return impl_->live();
}

}  // namespace sail
