#include "sail/media/rtp/media_source_rtp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/media_source_connection.h"
#include "sail/media/ffmpeg/media_source_io.h"
#include "sail/media/rtp/media_source_rtp_track.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kLongestSilence(15);
constexpr size_t kMaxSdpBytes = 16 << 10;

// Keeps only the extension, by which some demuxers are chosen.
std::string harmless_name(const std::string& file) {
  const size_t dot = file.find_last_of("./");
  return dot == std::string::npos || file[dot] == '/' ? "film" : "film" + file.substr(dot);
}

}  // namespace

class RtpFilm::Impl {
 public:
  explicit Impl(GiveUp give_up) : give_up_(std::move(give_up)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Result<void> open(std::unique_ptr<const ByteSource> bytes, const std::string& file,
                    const std::string& title);
  Result<int64_t> seek(int64_t film_ns, const std::vector<std::optional<uint16_t>>& first);
  std::optional<RtpBurst> next();
  bool ready() { return io_->ready(); }

  const std::vector<std::unique_ptr<RtpTrack>>& tracks() const { return tracks_; }
  int64_t duration_ns() const { return duration_ns_; }
  const std::string& sdp() const { return sdp_; }
  const std::string& left_out() const { return left_out_; }

 private:
  Result<void> open_demuxer(std::unique_ptr<const ByteSource> bytes, const std::string& file);
  void choose_track(AVMediaType type);
  Result<void> write_sdp(const std::string& title);
  bool jump_before(int64_t film_ns);
  // Reads the next packet of a wanted track and converts its times to film time. Returns the track.
  std::optional<size_t> read();
  bool to_film_time(const RtpTrack& track);
  bool silent_for_long() const {
    return (give_up_ && give_up_()) || std::chrono::steady_clock::now() >= deadline_;
  }
  void start_waiting() { deadline_ = std::chrono::steady_clock::now() + kLongestSilence; }

  const GiveUp give_up_;
  std::chrono::steady_clock::time_point deadline_;
  std::unique_ptr<MediaIo> io_;
  AvPtr<AVFormatContext> format_;
  std::vector<std::unique_ptr<RtpTrack>> tracks_;  // video first
  int64_t origin_ns_ = 0;                          // container time that is film time 0
  int64_t duration_ns_ = 0;
  std::string sdp_;
  std::string left_out_;

  bool moved_ = false;  // packets have been read
  std::vector<bool> wanted_;
  size_t leading_ = 0;    // the first wanted track
  int64_t start_ns_ = 0;  // packets of other tracks before this time are not sent
  AvPtr<AVPacket> packet_{av_packet_alloc()};
  std::optional<size_t> held_;  // the track of a packet_ already read
};

// --- opening ---------------------------------------------------------------------------------

Result<void> RtpFilm::Impl::open(std::unique_ptr<const ByteSource> bytes, const std::string& file,
                                 const std::string& title) {
  if (!packet_) return fail(ErrorCode::kLimit, "out of memory");
  start_waiting();
  auto opened = open_demuxer(std::move(bytes), file);
  if (!opened) return opened;
  choose_track(AVMEDIA_TYPE_VIDEO);
  choose_track(AVMEDIA_TYPE_AUDIO);
  if (tracks_.empty()) {
    return fail(ErrorCode::kUnavailable,
                "no track can be sent over RTP as stored; convert the film with `ffmpeg -i FILM "
                "-c:v libx264 -c:a aac FILM.mp4`");
  }
  const AVStream& first = *format_->streams[tracks_.front()->stream_index()];
  if (first.start_time != AV_NOPTS_VALUE) {
    origin_ns_ = av_rescale_q(first.start_time, first.time_base, kNanoseconds);
  }
  if (format_->duration > 0) {
    duration_ns_ = av_rescale_q(format_->duration, AV_TIME_BASE_Q, kNanoseconds);
  }
  for (unsigned i = 0; i < format_->nb_streams; ++i) {
    const bool ours = std::ranges::any_of(
        tracks_, [i](const auto& track) { return track->stream_index() == static_cast<int>(i); });
    if (!ours) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  return write_sdp(title);
}

Result<void> RtpFilm::Impl::open_demuxer(std::unique_ptr<const ByteSource> bytes,
                                         const std::string& file) {
  io_ = std::make_unique<MediaIo>(std::move(bytes), [this] { return silent_for_long(); });
  AVFormatContext* context = avformat_alloc_context();
  if (!context) return fail(ErrorCode::kLimit, "out of memory");
  context->pb = io_->rewound();
  // Prevents a playlist from making FFmpeg open other files.
  AVDictionary* settings = nullptr;
  av_dict_set(&settings, "protocol_whitelist", "none", 0);
  const int opened = avformat_open_input(&context, harmless_name(file).c_str(), nullptr, &settings);
  av_dict_free(&settings);
  if (opened < 0) {
    return fail(ErrorCode::kUnavailable, "not a film that FFmpeg can read");
  }
  format_.reset(context);
  ProbeOptions probe(context->nb_streams);
  if (avformat_find_stream_info(context, context->nb_streams > 0 ? probe.data() : nullptr) < 0) {
    return fail(ErrorCode::kBadData, "damaged: FFmpeg cannot read the film's streams");
  }
  return {};
}

// Chooses the stream that FFmpeg ranks best, or else the first one that RTP supports.
void RtpFilm::Impl::choose_track(AVMediaType type) {
  std::vector<int> candidates;
  const int best = av_find_best_stream(format_.get(), type, -1, -1, nullptr, 0);
  if (best >= 0) candidates.push_back(best);
  for (int i = 0; i < static_cast<int>(format_->nb_streams); ++i) {
    if (i != best && format_->streams[i]->codecpar->codec_type == type) candidates.push_back(i);
  }
  for (const int index : candidates) {
    const AVStream& stream = *format_->streams[index];
    if ((stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) continue;
    auto track = std::make_unique<RtpTrack>(stream);
    if (!track->begin(tracks_.size())) continue;
    tracks_.push_back(std::move(track));
    return;
  }
  if (candidates.empty()) return;
  left_out_ +=
      fmt::format("{}the {} ({}) is not sent: RTP does not support this codec here",
                  left_out_.empty() ? "" : "; ", type == AVMEDIA_TYPE_AUDIO ? "sound" : "picture",
                  avcodec_get_name(format_->streams[candidates.front()]->codecpar->codec_id));
}

Result<void> RtpFilm::Impl::write_sdp(const std::string& title) {
  std::vector<AVFormatContext*> muxers;
  std::string more;  // for tracks without a muxer, which follow the others
  for (size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i]->muxer() != nullptr) {
      muxers.push_back(tracks_[i]->muxer());
    } else {
      more += tracks_[i]->sdp(i);
    }
  }
  av_dict_set(&muxers.front()->metadata, "title", title.c_str(), 0);
  std::string text(kMaxSdpBytes, '\0');
  if (av_sdp_create(muxers.data(), static_cast<int>(muxers.size()), text.data(),
                    static_cast<int>(text.size())) < 0) {
    return fail(ErrorCode::kUnavailable, "FFmpeg cannot describe the film for RTP");
  }
  text.resize(text.find('\0'));
  text += more;
  const size_t media = std::min(text.find("m="), text.size());
  const std::string end =
      duration_ns_ > 0 ? fmt::format("{:.6f}", static_cast<double>(duration_ns_) / 1e9) : "";
  sdp_ =
      text.substr(0, media) + "a=control:*\r\na=range:npt=0-" + end + "\r\n" + text.substr(media);
  return {};
}

// --- playing ---------------------------------------------------------------------------------

Result<int64_t> RtpFilm::Impl::seek(int64_t film_ns,
                                    const std::vector<std::optional<uint16_t>>& first) {
  wanted_.clear();
  for (const auto& number : first) wanted_.push_back(number.has_value());
  leading_ = static_cast<size_t>(std::ranges::find(wanted_, true) - wanted_.begin());
  held_.reset();
  av_packet_unref(packet_.get());
  start_waiting();
  if ((film_ns > 0 || moved_) && !jump_before(film_ns)) {
    return fail(ErrorCode::kUnavailable, "cannot seek in this film");
  }
  for (size_t i = 0; i < tracks_.size(); ++i) {
    if (first[i] && !tracks_[i]->restart(*first[i])) {
      return fail(ErrorCode::kLimit, "out of memory");
    }
  }
  start_ns_ = INT64_MIN;
  // Skip sound before the first picture: playback starts at the picture.
  do {
    held_ = read();
  } while (held_ && *held_ != leading_);
  start_ns_ = held_ ? std::max<int64_t>(packet_->pts, 0) : film_ns;
  return start_ns_;
}

bool RtpFilm::Impl::jump_before(int64_t film_ns) {
  const AVStream& stream = *format_->streams[tracks_[leading_]->stream_index()];
  const int64_t stamp = av_rescale_q(film_ns + origin_ns_, kNanoseconds, stream.time_base);
  AVFormatContext* film = format_.get();
  return avformat_seek_file(film, stream.index, INT64_MIN, stamp, stamp, 0) >= 0 ||
         avformat_seek_file(film, stream.index, INT64_MIN, stamp, INT64_MAX, 0) >= 0;
}

std::optional<RtpBurst> RtpFilm::Impl::next() {
  for (;;) {
    const auto track = held_ ? std::exchange(held_, std::nullopt) : read();
    if (!track) return std::nullopt;
    RtpBurst burst;
    burst.track = *track;
    burst.send_ns = packet_->dts;
    if (*track == leading_ || packet_->pts >= start_ns_) tracks_[*track]->write(*packet_, burst);
    av_packet_unref(packet_.get());
    if (burst.packets > 0) return burst;
  }
}

std::optional<size_t> RtpFilm::Impl::read() {
  for (;;) {
    av_packet_unref(packet_.get());
    start_waiting();
    moved_ = true;
    const int got = av_read_frame(format_.get(), packet_.get());
    if (got == AVERROR(EAGAIN)) continue;
    if (got < 0) return std::nullopt;
    for (size_t i = 0; i < tracks_.size(); ++i) {
      if (!wanted_[i] || tracks_[i]->stream_index() != packet_->stream_index) continue;
      if (to_film_time(*tracks_[i])) return i;
    }
  }
}

// False for packets without any time stamp, which cannot be presented.
bool RtpFilm::Impl::to_film_time(const RtpTrack& track) {
  AVPacket& packet = *packet_;
  if (packet.dts == AV_NOPTS_VALUE) packet.dts = packet.pts;
  if (packet.pts == AV_NOPTS_VALUE) packet.pts = packet.dts;
  if (packet.pts == AV_NOPTS_VALUE || packet.size <= 0) return false;
  const AVRational base = format_->streams[track.stream_index()]->time_base;
  packet.pts = av_sat_sub64(av_rescale_q(packet.pts, base, kNanoseconds), origin_ns_);
  packet.dts =
      std::min(packet.pts, av_sat_sub64(av_rescale_q(packet.dts, base, kNanoseconds), origin_ns_));
  return true;
}

// --- RtpFilm ---------------------------------------------------------------------------------

Result<std::unique_ptr<RtpFilm>> RtpFilm::open(std::unique_ptr<const ByteSource> bytes,
                                               const std::string& file, const std::string& title,
                                               GiveUp give_up) {
  av_log_set_level(AV_LOG_QUIET);  // there is no log for FFmpeg's messages here
  auto impl = std::make_unique<Impl>(std::move(give_up));
  auto opened = impl->open(std::move(bytes), file, title);
  if (!opened) return std::move(opened.error());
  return std::unique_ptr<RtpFilm>(new RtpFilm(std::move(impl)));
}

RtpFilm::RtpFilm(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RtpFilm::~RtpFilm() = default;

size_t RtpFilm::tracks() const {
  return impl_->tracks().size();
}
int64_t RtpFilm::duration_ns() const {
  return impl_->duration_ns();
}
const std::string& RtpFilm::sdp() const {
  return impl_->sdp();
}
const std::string& RtpFilm::left_out() const {
  return impl_->left_out();
}
uint32_t RtpFilm::ssrc(size_t track) const {
  return impl_->tracks()[track]->ssrc();
}
uint32_t RtpFilm::rtp_time(size_t track, int64_t film_ns) const {
  return impl_->tracks()[track]->rtp_time(film_ns);
}
Result<int64_t> RtpFilm::seek(int64_t film_ns, const std::vector<std::optional<uint16_t>>& first) {
  return impl_->seek(film_ns, first);
}
bool RtpFilm::ready() {
  return impl_->ready();
}
std::optional<RtpBurst> RtpFilm::next() {
  return impl_->next();
}

}  // namespace sail
