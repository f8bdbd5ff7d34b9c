#include "receiver/recorder/film_writer_sound.h"

#include <fmt/core.h>

#include <new>
#include <utility>

#include "receiver/recorder/film_writer.h"

namespace receiver {
namespace {

constexpr int64_t kBitsPerS = 192'000;
constexpr int kUsualFrameSamples = 1024;  // for encoders that accept any frame size

// AAC plays everywhere, so it is used if the container supports it.
const AVCodec* sound_encoder_for(const AVOutputFormat& format, const char* name) {
  if (*name != '\0') return avcodec_find_encoder_by_name(name);
  return avcodec_find_encoder(takes(format, AV_CODEC_ID_AAC) ? AV_CODEC_ID_AAC
                                                             : format.audio_codec);
}

AVSampleFormat sample_format_for(const AVCodec& encoder) {
  const AVSampleFormat* const formats = sample_formats(encoder);
  return formats == nullptr ? AV_SAMPLE_FMT_FLT : formats[0];
}

}  // namespace

std::unique_ptr<SoundTrack> SoundTrack::open(AVFormatContext& film, const char* encoder_name,
                                             std::string& trouble) {
  if (film.oformat->audio_codec == AV_CODEC_ID_NONE) return nullptr;
  const AVCodec* encoder = sound_encoder_for(*film.oformat, encoder_name);
  if (encoder == nullptr) {
    trouble = fmt::format(
        "this FFmpeg has no sound encoder '{}'",
        *encoder_name != '\0' ? encoder_name : avcodec_get_name(film.oformat->audio_codec));
    return nullptr;
  }
  auto track = std::make_unique<SoundTrack>();
  return track->start(*encoder, film, trouble) ? std::move(track) : nullptr;
}

bool SoundTrack::start(const AVCodec& encoder, AVFormatContext& film, std::string& trouble) {
  codec_.reset(avcodec_alloc_context3(&encoder));
  frame_.reset(av_frame_alloc());
  stream_ = avformat_new_stream(&film, nullptr);
  if (codec_ == nullptr || frame_ == nullptr || stream_ == nullptr) {
    trouble = "out of memory";
    return false;
  }
  codec_->sample_fmt = sample_format_for(encoder);
  codec_->sample_rate = kFilmSoundRate;
  codec_->time_base = {1, kFilmSoundRate};
  codec_->bit_rate = kBitsPerS;
  av_channel_layout_default(&codec_->ch_layout, kFilmSoundChannels);
  if ((film.oformat->flags & AVFMT_GLOBALHEADER) != 0) {
    codec_->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  }
  int error = avcodec_open2(codec_.get(), &encoder, nullptr);
  SwrContext* convert = nullptr;
  if (error >= 0) {
    error = swr_alloc_set_opts2(&convert, &codec_->ch_layout, codec_->sample_fmt, kFilmSoundRate,
                                &codec_->ch_layout, AV_SAMPLE_FMT_FLT, kFilmSoundRate, 0, nullptr);
  }
  convert_.reset(convert);
  if (error >= 0) error = swr_init(convert);
  frame_samples_ = codec_->frame_size > 0 ? codec_->frame_size : kUsualFrameSamples;
  frame_->format = codec_->sample_fmt;
  frame_->sample_rate = kFilmSoundRate;
  frame_->nb_samples = frame_samples_;
  if (error >= 0) error = av_channel_layout_copy(&frame_->ch_layout, &codec_->ch_layout);
  if (error >= 0) error = av_frame_get_buffer(frame_.get(), 0);
  if (error < 0) {
    trouble = fmt::format("the encoder '{}' does not accept sound at {} Hz: {}", encoder.name,
                          kFilmSoundRate, words_of(error));
    return false;
  }
  avcodec_parameters_from_context(stream_->codecpar, codec_.get());
  stream_->time_base = codec_->time_base;
  return true;
}

int64_t SoundTrack::waiting_samples() const {
  return static_cast<int64_t>(waiting_.size()) / kFilmSoundChannels;
}

void SoundTrack::add(std::span<const float> samples, int64_t first) {
  if (waiting_from_ < 0) waiting_from_ = first;
  waiting_.insert(waiting_.end(), samples.begin(), samples.end());
}

const AVFrame* SoundTrack::whole_frame() {
  return waiting_samples() < frame_samples_ ? nullptr : next_frame(frame_samples_);
}

const AVFrame* SoundTrack::next_frame(int64_t samples) {
  if (samples == 0) return nullptr;
  frame_->nb_samples = frame_samples_;
  // The encoder may still use the previous frame.
  if (av_frame_make_writable(frame_.get()) < 0) throw std::bad_alloc();
  frame_->nb_samples = static_cast<int>(samples);
  frame_->pts = waiting_from_;
  const auto* from = reinterpret_cast<const uint8_t*>(waiting_.data());
  swr_convert(convert_.get(), frame_->extended_data, frame_->nb_samples, &from, frame_->nb_samples);
  waiting_.erase(waiting_.begin(), waiting_.begin() + samples * kFilmSoundChannels);
  waiting_from_ += samples;
  return frame_.get();
}

}  // namespace receiver
