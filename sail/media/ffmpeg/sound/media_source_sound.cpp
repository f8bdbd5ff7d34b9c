#include "sail/media/ffmpeg/sound/media_source_sound.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_connection.h"
#include "sail/media/ffmpeg/media_source_container.h"
#include "sail/media/ffmpeg/media_source_io.h"
#include "sail/media/ffmpeg/media_source_tracks.h"
#include "sail/media/ffmpeg/sound/media_source_track.h"
#include "sail/media/ffmpeg/sound/track_mix.h"

namespace sail {
namespace {

// Combine the tiny pieces that sound cards deliver.
constexpr size_t kLeastLive = size_t{kSoundRate} / 100 * kSoundChannels;
constexpr size_t kMostTracks = 16;       // of one programme
constexpr size_t kMostNamedTracks = 32;  // in a sentence

std::string language_of(const AVStream& stream) {
  return track_tag(stream, "language", kMaxTrackWord);
}

std::vector<const AVStream*> sound_streams(const AVFormatContext& format) {
  std::vector<const AVStream*> streams;
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    const AVStream& stream = *format.streams[i];
    if (stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO) streams.push_back(&stream);
  }
  return streams;
}

std::string layout_of(const AVChannelLayout& layout) {
  if (layout.order == AV_CHANNEL_ORDER_UNSPEC) return "";
  std::array<char, 2 * kMaxTrackWord> text{};
  if (av_channel_layout_describe(&layout, text.data(), text.size()) < 0) return "";
  return make_plain_text(text.data(), kMaxTrackWord);
}

// Titles are foreign text.
std::vector<SoundTrackFacts> facts_of(const std::vector<const AVStream*>& streams) {
  std::vector<SoundTrackFacts> tracks;
  for (const AVStream* stream : streams) {
    if (tracks.size() == static_cast<size_t>(kMostSoundTracks)) break;
    const AVChannelLayout& layout = stream->codecpar->ch_layout;
    tracks.push_back({.language = language_of(*stream),
                      .title = track_tag(*stream, "title", kMaxTrackTitle),
                      .format = avcodec_get_name(stream->codecpar->codec_id),
                      .channels = std::clamp(layout.nb_channels, 0, kMaxTrackChannels),
                      .layout = layout_of(layout)});
  }
  return tracks;
}

// 'its sound tracks are 1: eng, aac, 2 channels, "Film"; 2: …'.
std::string list_of(const std::vector<SoundTrackFacts>& facts) {
  std::vector<std::string> tracks;
  for (const SoundTrackFacts& one : facts) {
    if (tracks.size() == kMostNamedTracks) {
      tracks.emplace_back("and others");
      break;
    }
    std::string track = fmt::format("{}: ", tracks.size() + 1);
    if (!one.language.empty()) track += one.language + ", ";
    track +=
        fmt::format("{}, {} channel{}", one.format, one.channels, one.channels == 1 ? "" : "s");
    if (!one.title.empty()) track += fmt::format(", \"{}\"", one.title);
    tracks.push_back(std::move(track));
  }
  return fmt::format("its sound tracks are {}", fmt::join(tracks, "; "));
}

int number_of(const std::vector<const AVStream*>& all, const AVStream& stream) {
  const auto place = std::ranges::find(all, &stream) - all.begin();
  return place < kMostSoundTracks ? static_cast<int>(place) + 1 : kUsualSoundTrack;
}

// True if both are mono tracks of one programme.
bool belongs_with(const AVStream& a, const AVStream& b) {
  const AVCodecParameters& sound = *a.codecpar;
  const AVCodecParameters& other = *b.codecpar;
  const bool is_pcm = av_get_exact_bits_per_sample(sound.codec_id) > 0;
  return is_pcm && sound.codec_id == other.codec_id && sound.sample_rate == other.sample_rate &&
         sound.ch_layout.nb_channels == 1 && language_of(a) == language_of(b);
}

class FileSound : public MediaSound {
 public:
  Result<void> begin(const std::string& file, int track);
  std::optional<Samples> next() override;
  bool seek(int64_t position_ns) override;
  bool live() const override { return live_; }
  const std::vector<SoundTrackFacts>& tracks() const override { return facts_; }
  int track() const override { return track_; }
  const std::string& other_tracks() const override { return other_tracks_; }

 private:
  Result<void> open_container(const std::string& file);
  Result<void> open_tracks(const std::string& file, int track);
  // The stream of the wanted track, or all streams of one programme. best: FFmpeg's choice.
  Result<std::vector<const AVStream*>> chosen_streams(const std::string& file, int track,
                                                      int best) const;
  // The best stream, or all if they are one programme: mono PCM of one rate and language.
  std::vector<const AVStream*> usual_streams(int best) const;
  // Gives the next packet to its track; false at the end.
  bool feed();
  std::optional<Samples> receive();

  std::unique_ptr<MediaIo> io_;  // null: FFmpeg reads itself
  AvPtr<AVFormatContext> format_;
  int64_t origin_ns_ = 0;  // container time that is film time 0
  AvPtr<AVPacket> packet_{av_packet_alloc()};
  std::vector<SoundTrack> tracks_;
  std::optional<TrackMix> mix_;  // set if several tracks are mixed
  std::vector<SoundTrackFacts> facts_;
  int track_ = kUsualSoundTrack;
  std::string other_tracks_;
  bool draining_ = false;
  bool live_ = false;
};

Result<void> FileSound::open_container(const std::string& file) {
  MediaConnection::catch_messages();
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
  if (auto open = check_encryption(*format_, file); !open) return open;
  probe_without_pictures(*format_);
  // A sound card's format is known; probing would delay the sound permanently.
  if (!live_ && avformat_find_stream_info(context, nullptr) < 0) {
    return fail(ErrorCode::kBadData, fmt::format("cannot read the sound of {}", file));
  }
  return {};
}

Result<void> FileSound::begin(const std::string& file, int track) {
  return open_container(file).and_then([&] { return open_tracks(file, track); });
}

Result<void> FileSound::open_tracks(const std::string& file, int wanted) {
  AVFormatContext* context = format_.get();
  const int best = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
  if (best < 0) return fail(ErrorCode::kNotFound, fmt::format("{} has no sound", file));
  // As for the video: film time 0 is its first picture.
  const int pictures = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  const AVStream& origin = *context->streams[pictures >= 0 ? pictures : best];
  if (origin.start_time != AV_NOPTS_VALUE) {
    origin_ns_ = av_rescale_q(origin.start_time, origin.time_base, kNanoseconds);
  }
  for (unsigned i = 0; i < context->nb_streams; ++i) context->streams[i]->discard = AVDISCARD_ALL;
  const auto all = sound_streams(*context);
  if (!live_) facts_ = facts_of(all);
  const auto streams = chosen_streams(file, wanted, best);
  if (!streams) return streams.error();
  track_ = streams->size() > 1 ? kAllSoundTracks : number_of(all, *streams->front());
  if (all.size() > streams->size()) {
    other_tracks_ = fmt::format("{}: {}", file, list_of(facts_of(all)));
  }
  const int channels = streams->size() > 1 ? 1 : kSoundChannels;
  for (const AVStream* stream : *streams) {
    context->streams[stream->index]->discard = AVDISCARD_DEFAULT;
    // For sound cards, counting samples is more even than FFmpeg's time stamps.
    auto track = SoundTrack::open(*stream, channels, origin_ns_, live_, file);
    if (!track) return std::move(track.error());
    tracks_.push_back(std::move(*track));
  }
  if (tracks_.size() > 1) mix_.emplace(tracks_.size());
  return {};
}

Result<std::vector<const AVStream*>> FileSound::chosen_streams(const std::string& file, int track,
                                                               int best) const {
  if (track == kUsualSoundTrack) return usual_streams(best);
  std::vector<const AVStream*> streams = sound_streams(*format_);
  if (track != kAllSoundTracks) {
    const auto index = static_cast<size_t>(track) - 1;
    if (index < streams.size()) return std::vector{streams[index]};
    return fail(ErrorCode::kInvalidParams, fmt::format("{} has no sound track {}: {}", file, track,
                                                       list_of(facts_of(streams))));
  }
  const bool mono = std::ranges::all_of(
      streams, [](const AVStream* stream) { return stream->codecpar->ch_layout.nb_channels == 1; });
  if (mono && streams.size() <= kMostTracks) return streams;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: all sound tracks make one programme only if each is mono, and there "
                          "are at most {}; {}",
                          file, kMostTracks, list_of(facts_of(streams))));
}

std::vector<const AVStream*> FileSound::usual_streams(int best) const {
  const AVStream& first = *format_->streams[best];
  std::vector<const AVStream*> streams = sound_streams(*format_);
  const bool one_programme =
      streams.size() <= kMostTracks &&
      std::ranges::all_of(streams, [&](const auto* other) { return belongs_with(*other, first); });
  return one_programme ? streams : std::vector{&first};
}

bool FileSound::feed() {
  if (draining_) return false;
  if (av_read_frame(format_.get(), packet_.get()) < 0) {
    draining_ = true;
    for (SoundTrack& track : tracks_) track.send(nullptr);
    return true;
  }
  const auto track = std::ranges::find(tracks_, packet_->stream_index, &SoundTrack::index);
  if (track != tracks_.end()) track->send(packet_.get());
  av_packet_unref(packet_.get());
  return true;
}

std::optional<MediaSound::Samples> FileSound::receive() {
  do {
    if (!mix_) {
      if (auto samples = tracks_.front().receive()) return samples;
      continue;
    }
    for (size_t i = 0; i < tracks_.size(); ++i) {
      while (auto samples = tracks_[i].receive()) mix_->add(i, *samples);
    }
    if (auto samples = mix_->take(draining_)) return samples;
  } while (feed());
  return std::nullopt;
}

std::optional<MediaSound::Samples> FileSound::next() {
  std::optional<Samples> gathered;
  while (auto samples = receive()) {
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

bool FileSound::seek(int64_t position_ns) {
  const int index = tracks_.front().index();
  const int64_t stamp =
      av_rescale_q(position_ns + origin_ns_, kNanoseconds, format_->streams[index]->time_base);
  if (avformat_seek_file(format_.get(), index, INT64_MIN, stamp, stamp, 0) < 0 &&
      avformat_seek_file(format_.get(), index, INT64_MIN, stamp, INT64_MAX, 0) < 0) {
    return false;
  }
  for (SoundTrack& track : tracks_) track.reset();
  if (mix_) mix_->clear();
  draining_ = false;
  return true;
}

}  // namespace

bool is_sound_device(const std::string& url) {
  return url.starts_with(kSoundCardPrefix);
}

Result<std::unique_ptr<MediaSound>> MediaSound::open(const std::string& file, int track) {
  auto sound = std::make_unique<FileSound>();
  auto begun = sound->begin(file, track);
  if (!begun) return std::move(begun.error());
  return std::unique_ptr<MediaSound>(std::move(sound));
}

}  // namespace sail
