#include "sail/media/ffmpeg/media_source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"
#include "sail/media/ffmpeg/media_source_container.h"
#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/source/film_time.h"
#include "sail/media/storage/http/web_address.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

// A live source that ends after a wait of this length had fallen silent before its end.
constexpr std::chrono::seconds kSilence(1);
// Three years: damaged time stamps are clamped to this, so that sums do not overflow.
constexpr int64_t kLatest = 100'000'000'000'000'000;
constexpr int64_t kShortfall =
    500'000'000;  // missing time at the end before a film counts as truncated
constexpr double kStrangestPixelAspect = 8;
// Subtitles that began earlier are shown after a seek only if they were read before.
constexpr int64_t kSubtitlesBefore = 10'000'000'000;
constexpr int64_t kMostBytesBefore = 64 << 20;   // of pictures that are read to find such subtitles
constexpr int64_t kLongestJump = 1'000'000'000;  // between pictures; a larger step is a jump

// FFmpeg writes the end time as the duration of Matroska files that do not begin at 0.
int64_t late_begin(const AVFormatContext& format) {
  const AVDictionaryEntry* writer = av_dict_get(format.metadata, "encoder", nullptr, 0);
  const bool matroska = std::string_view(format.iformat->name).starts_with("matroska");
  const bool of_ffmpeg = writer != nullptr && std::string_view(writer->value).starts_with("Lavf");
  if (!matroska || !of_ffmpeg || format.start_time == AV_NOPTS_VALUE) return 0;
  return format.start_time > 0 && format.start_time < format.duration ? format.start_time : 0;
}

// The first number of the range, and the first after it.
std::pair<int64_t, int64_t> numbers_in(const ClipRange& range, AVRational time_base) {
  const auto number_at = [&](int64_t time_ns, AVRounding rounding) {
    return av_rescale_q_rnd(time_ns, kNanoseconds, time_base, rounding);
  };
  return {number_at(range.from_ns, AV_ROUND_DOWN),
          range.to_ns ? number_at(*range.to_ns, AV_ROUND_UP) : INT64_MAX};
}

}  // namespace

MediaFile::MediaFile(std::string url, MediaOptions options)
    : url_(std::move(url)),
      options_(std::move(options)),
      connection_(url_, options_),
      subtitles_(url_,
                 options_.alone || options_.descriptor || options_.open
                     ? FilmSubtitles::Beside::kIgnore
                     : FilmSubtitles::Beside::kRead,
                 options_.interrupted) {}

Result<void> MediaFile::open(MediaConnection::Probe probe) {
  subtitles_.close();
  stream_ = nullptr;
  at_end_ = false;
  fell_silent_ = false;
  expected_ns_ = 0;
  jumped_ = false;
  origin_ = AV_NOPTS_VALUE;
  if (auto opened = connection_.open(probe); !opened) return opened;
  return choose_stream().and_then([this] { return choose_subtitles(); });
}

Result<void> MediaFile::choose_stream() {
  const int best = av_find_best_stream(format(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  const auto count = format()->nb_streams;
  // The cover of a song is a video stream, too.
  if (best < 0 || (format()->streams[best]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    const bool sound = std::any_of(
        format()->streams, format()->streams + count,
        [](AVStream* stream) { return stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO; });
    return fail(ErrorCode::kBadData,
                fmt::format("{} has no picture{}", url_, sound ? ": only sound" : ""));
  }
  for (unsigned i = 0; i < count; ++i) {
    if (static_cast<int>(i) != best) format()->streams[i]->discard = AVDISCARD_ALL;
  }
  stream_ = format()->streams[best];
  const AVCodecParameters& picture = *stream_->codecpar;
  if (beyond_limits(picture.width, picture.height)) {
    return fail(ErrorCode::kLimit,
                fmt::format("{} is {}x{}: at most {} pixels per side can be shown", url_,
                            picture.width, picture.height, kMaxFrameSide));
  }
  if (is_dolby_vision_alone(stream_side_data(*stream_, AV_PKT_DATA_DOVI_CONF))) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} is Dolby Vision of profile 5, whose colours cannot be converted: "
                            "export the film as HDR10 or as profile 8",
                            url_));
  }
  origin_ = stream_->start_time;
  choose_pictures();
  return {};
}

void MediaFile::choose_pictures() {
  auto pictures = connection_.take_pictures();
  if (!pictures.empty() && !pictures_) {
    const auto [first, end] = numbers_in(options_.range, stream_->time_base);
    const auto gaps = closed_gaps(url_, pictures);
    pictures_.emplace(std::move(pictures), options_.missing, first, end);
    if (gaps) pictures_->missing().report_closed(*gaps);
  }
  if (!pictures_) return;
  pictures_->seek(0);
  origin_ = 0;
  stream_->duration = pictures_->count();
}

Result<void> MediaFile::choose_subtitles() {
  subtitles_.open(*format());
  if (std::exchange(subtitles_chosen_, true)) return {};
  auto chosen = subtitles_.choose(options_.subtitles);
  if (chosen || options_.needs_subtitles) return chosen;
  complain(fmt::format("{}; playing without subtitles", chosen.error().message));
  return {};
}

bool MediaFile::read(AVPacket& packet) {
  if (pictures_) {
    at_end_ = !pictures_->read(packet);
    return !at_end_;
  }
  for (;;) {
    connection_.start_waiting();
    const int read = av_read_frame(format(), &packet);
    if (read == AVERROR(EAGAIN)) continue;
    fell_silent_ = ended_in_silence(read);
    if (read < 0 || fell_silent_) {
      av_packet_unref(&packet);
      note_end(read < 0 ? read : AVERROR_EOF);
      at_end_ = true;
      return false;
    }
    if (packet.stream_index == stream_->index) return true;
    const int64_t origin = origin_ == AV_NOPTS_VALUE ? 0 : origin_;
    subtitles_.take(packet, av_rescale_q(origin, stream_->time_base, kNanoseconds));
    av_packet_unref(&packet);
  }
}

// After the end, demuxers still deliver the packets that they held back.
bool MediaFile::ended_in_silence(int read) const {
  if (connection_.waited() < kSilence || !info().reconnects) return false;
  if (read < 0 || connection_.gave_up()) return true;
  // For a playlist (HLS) the end of `pb` says nothing: FFmpeg reads the pieces through other
  // contexts.
  const bool list = (format()->ctx_flags & AVFMTCTX_UNSEEKABLE) != 0;
  return !list && format()->pb && format()->pb->eof_reached != 0;
}

int64_t MediaFile::film_time_ns(int64_t stamp) {
  if (stamp == AV_NOPTS_VALUE) return expected_ns_;
  if (origin_ == AV_NOPTS_VALUE) origin_ = stamp;
  return std::clamp(av_rescale_q(av_sat_sub64(stamp, origin_), stream_->time_base, kNanoseconds),
                    -kLatest, kLatest);
}

int64_t MediaFile::duration_ns(int64_t duration, AVFrame* frame) const {
  if (duration > 0) {
    return std::clamp<int64_t>(av_rescale_q(duration, stream_->time_base, kNanoseconds), 0,
                               kLatest);
  }
  const AVRational rate = av_guess_frame_rate(format(), stream_, frame);
  return rate.num > 0 && rate.den > 0 ? av_rescale_q(1, av_inv_q(rate), kNanoseconds) : 0;
}

std::vector<PictureTime> MediaFile::numbered_times() {
  std::vector<PictureTime> times;
  for (const SequenceFile& file : pictures_->files()) {
    times.push_back({.pts_ns = film_time_ns(file.number), .key = true});
  }
  return times;
}

bool MediaFile::jump_before(int64_t position_ns) {
  if (options_.descriptor) return false;  // demuxers would try, and hit the end
  const int64_t offset = av_rescale_q(position_ns, kNanoseconds, stream_->time_base);
  if (pictures_) {
    pictures_->seek(offset);
    at_end_ = false;
    expected_ns_ = position_ns;
    return true;
  }
  const int64_t origin = origin_ == AV_NOPTS_VALUE ? 0 : origin_;
  connection_.start_waiting();
  if (avformat_seek_file(format(), stream_->index, INT64_MIN, origin + offset, origin + offset, 0) <
      0) {
    return false;
  }
  at_end_ = false;
  expected_ns_ = position_ns;
  return true;
}

void MediaFile::read_subtitles_before(int64_t position_ns) {
  subtitles_.jump();
  if (!subtitles_.reads_packets() || position_ns <= 0) return;
  if (!jump_before(std::max<int64_t>(position_ns - kSubtitlesBefore, 0))) return;
  const AvPtr<AVPacket> packet(av_packet_alloc());
  int64_t bytes = 0;
  while (packet && bytes < kMostBytesBefore && read(*packet)) {
    const int64_t stamp = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
    const bool there = stamp != AV_NOPTS_VALUE && film_time_ns(stamp) >= position_ns;
    bytes += packet->size;
    av_packet_unref(packet.get());
    if (there) break;
  }
}

bool MediaFile::repeatable() const {
  if (!format() || (format()->ctx_flags & AVFMTCTX_UNSEEKABLE) != 0) return false;
  return !info().live && (!format()->pb || format()->pb->seekable != 0);
}

SourceInfo MediaFile::info() const {
  SourceInfo info;
  const AVCodecParameters& picture = *stream_->codecpar;
  // AV_NOPTS_VALUE is negative. FLV streams have 0.
  const bool unknown = format()->duration <= 0 && stream_->duration <= 0;
  if (stream_->duration != AV_NOPTS_VALUE) {
    info.duration_ns = av_rescale_q(stream_->duration, stream_->time_base, kNanoseconds);
  } else if (!unknown) {
    info.duration_ns =
        av_rescale_q(format()->duration - late_begin(*format()), AV_TIME_BASE_Q, kNanoseconds);
  }
  info.duration_ns = std::clamp<int64_t>(info.duration_ns, 0, kLatest);
  // For example a playlist (HLS) to which more pieces are added.
  const bool grows = (format()->ctx_flags & AVFMTCTX_UNSEEKABLE) != 0;
  // Check for seeking by bytes: RTMP can seek by time in some films, but claims this for cameras,
  // too.
  const bool once = !format()->pb || (format()->pb->seekable & AVIO_SEEKABLE_NORMAL) == 0 || grows;
  info.live = unknown && once;
  // A stream of known length is a film, even if the server does not support ranges.
  const bool endless = grows || !connection_.is_sent_once();
  info.reconnects = info.live && endless && (is_far(url_) || is_capture_device(url_)) &&
                    !options_.descriptor && !options_.open;
  info.jumps = stamps_may_jump() || info.reconnects;
  info.description =
      fmt::format("{}, {}x{}", avcodec_get_name(picture.codec_id), picture.width, picture.height);
  if (stream_->avg_frame_rate.num > 0 && stream_->avg_frame_rate.den > 0) {
    info.rate = {static_cast<uint32_t>(stream_->avg_frame_rate.num),
                 static_cast<uint32_t>(stream_->avg_frame_rate.den)};
  }
  const double fps = av_q2d(stream_->avg_frame_rate);
  if (std::isfinite(fps) && fps > 0) info.description += fmt::format(", {:.4g} fps", fps);
  return info;
}

double MediaFile::usual_aspect(AVRational aspect) {
  if (aspect.num <= 0 || aspect.den <= 0) return 1;
  const double value = av_q2d(aspect);
  return value <= kStrangestPixelAspect && value >= 1 / kStrangestPixelAspect ? value : 1;
}

bool MediaFile::stamps_may_jump() const {
  return (format()->iformat->flags & AVFMT_TS_DISCONT) != 0;
}

void MediaFile::expect(int64_t position_ns) {
  jumped_ |= position_ns < expected_ns_ || position_ns > expected_ns_ + kLongestJump;
  expected_ns_ = position_ns;
}

void MediaFile::note_damage(int error) {
  // pictures_ finds pictures that never come out.
  if (pictures_ || is_after_range()) return;
  ++left_out_;
  complain_once(fmt::format("{}: damaged at {} ({}); playing what can be decoded", url_,
                            format_time(expected_ns_), connection_.error_text(error)));
}

void MediaFile::note_remarks(const AVFrame& frame) {
  if (remarked_) return;
  const std::string sentences =
      remarks_on(frame, options_.deinterlacing != Deinterlacing::kOff, options_.display);
  if (sentences.empty()) return;
  remarked_ = true;
  complain(fmt::format("{} {}", url_, sentences));
}

void MediaFile::note_about_pictures(const std::string& notice) {
  if (notice.empty() || std::exchange(remarked_, true)) return;
  complain(fmt::format("{}: {}", url_, notice));
}

bool MediaFile::note_frame(int64_t stamp, bool damaged) {
  if (pictures_) return pictures_->decoded(stamp, damaged);
  if (damaged) note_damage(AVERROR_INVALIDDATA);
  return true;
}

void MediaFile::note_fault(int64_t stamp, const std::string& fault) {
  if (pictures_) return pictures_->refused(stamp, fault);
  if (is_after_range()) return;
  ++left_out_;
  complain_once(fmt::format("{}: at {}, {}", url_, format_time(film_time_ns(stamp)), fault));
}

// FFmpeg reports an aborted read as the end, after its buffered packets.
void MediaFile::note_end(int error) {
  if (error == AVERROR_EOF && format()->pb && format()->pb->error < 0) error = format()->pb->error;
  const bool ended = error == AVERROR_EOF || error == AVERROR_EXIT;
  if (info().reconnects) {
    if (connection_.gave_up())
      complain(fmt::format("{}: {}", url_, connection_.error_text(AVERROR_EXIT)));
    if (!connection_.gave_up() && !ended) {
      complain(fmt::format("{}: the connection broke ({})", url_, words_of(error)));
    }
    return;
  }
  if (connection_.gave_up()) {
    ++left_out_;
    complain_once(fmt::format("{}: {}: treated as the end of the film", url_,
                              connection_.error_text(AVERROR_EXIT)));
  }
  if (connection_.has_failed()) note_damage(AVERROR(EIO));
  if (!ended) note_damage(error);
}

void MediaFile::note_early_end() {
  if (!at_end_) return;
  if (options_.interrupted && options_.interrupted()) return;
  if (pictures_) return pictures_->finish();
  if (complained_ || is_after_range() || stream_->duration == AV_NOPTS_VALUE) return;
  if (jumped_ && stamps_may_jump()) return;  // the real duration is unknown
  const int64_t promised = info().duration_ns;
  if (expected_ns_ + kShortfall >= promised) return;
  ++left_out_;
  complain_once(fmt::format("{}: ends at {} of {}: the file is cut short", url_,
                            format_time(expected_ns_), format_time(promised)));
}

void MediaFile::complain(std::string sentence) {
  constexpr size_t kMost = 64;
  if (complaints_.size() < kMost) complaints_.push_back(std::move(sentence));
}

void MediaFile::complain_once(std::string sentence) {
  if (!std::exchange(complained_, true)) complain(std::move(sentence));
}

std::optional<std::string> MediaFile::take_complaint() {
  if (complaints_.empty()) {
    if (auto sentence = subtitles_.take_complaint()) return sentence;
    return pictures_ ? pictures_->missing().take_complaint() : std::nullopt;
  }
  std::string sentence = std::move(complaints_.front());
  complaints_.pop_front();
  return sentence;
}

uint64_t MediaFile::take_left_out() {
  return pictures_ ? pictures_->missing().take_left_out() : std::exchange(left_out_, 0);
}

}  // namespace sail
