#include "sail/media/media_source_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "sail/media/film_time.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kLongestWait(15);
constexpr AVRational kNanoseconds = {1, 1'000'000'000};
// Three years: what a damaged time stamp is cut to, so that sums stay sums.
constexpr int64_t kLatest = 100'000'000'000'000'000;
constexpr int64_t kShortfall = 500'000'000;  // of a film's end before it counts as cut short
constexpr double kStrangestPixelAspect = 8;
constexpr int kMaxFailures = 1000;  // of a decoder, without a single frame between
constexpr int64_t kMaxPixels = int64_t{kMaxFrameSide} * kMaxFrameSide;

bool beyond_limits(int width, int height) {
  return width > kMaxFrameSide || height > kMaxFrameSide;
}

// A name like "a:b.mp4" is a file, when there is one, and not a protocol.
std::string address_of(const std::string& url) {
  std::error_code ignored;
  return std::filesystem::exists(url, ignored) ? "file:" + url : url;
}

// Bounds what decoders take while the container is looked into.
class ProbeOptions {
 public:
  explicit ProbeOptions(unsigned streams) : dictionaries_(streams) {
    for (AVDictionary*& dictionary : dictionaries_) {
      av_dict_set_int(&dictionary, "max_pixels", kMaxPixels, 0);
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

}  // namespace

MediaInput::MediaInput(std::string url, MediaOptions options)
    : url_(std::move(url)), options_(std::move(options)), packet_(av_packet_alloc()) {}

Result<void> MediaInput::open() {
  av_log_set_callback(&MediaInput::write_log);
  codec_.reset();
  format_.reset();
  draining_ = false;
  expected_ns_ = 0;
  origin_ = AV_NOPTS_VALUE;
  if (!packet_) return fail(ErrorCode::kLimit, "out of memory");
  return open_container().and_then([this] { return choose_stream(); }).and_then([this] {
    return open_decoder();
  });
}

Result<void> MediaInput::open_container() {
  AVFormatContext* context = avformat_alloc_context();
  if (!context) return fail(ErrorCode::kLimit, "out of memory");
  context->opaque = this;
  context->interrupt_callback = {&MediaInput::interrupted, this};
  start_waiting();
  const int opened = avformat_open_input(&context, address_of(url_).c_str(), nullptr, nullptr);
  if (opened < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot open {}: {}", url_, error_text(opened)));
  }
  format_.reset(context);
  // FFmpeg would draw any text as a terminal's screen.
  if (std::strcmp(format_->iformat->name, "tty") == 0) {
    return fail(ErrorCode::kBadData, fmt::format("{} is text, not a film or picture", url_));
  }
  ProbeOptions probe(format_->nb_streams);
  const unsigned streams = format_->nb_streams;
  const int probed = avformat_find_stream_info(format_.get(), streams > 0 ? probe.data() : nullptr);
  if (probed < 0) {
    return fail(ErrorCode::kBadData, fmt::format("cannot read {}: {}", url_, error_text(probed)));
  }
  return {};
}

Result<void> MediaInput::choose_stream() {
  const int best = av_find_best_stream(format_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  const auto count = format_->nb_streams;
  // The cover of a song is a "video" stream, too.
  if (best < 0 || (format_->streams[best]->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    const bool sound = std::any_of(
        format_->streams, format_->streams + count,
        [](AVStream* stream) { return stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO; });
    return fail(ErrorCode::kBadData,
                fmt::format("{} has no picture{}", url_, sound ? ": only sound" : ""));
  }
  for (unsigned i = 0; i < count; ++i) {
    if (static_cast<int>(i) != best) format_->streams[i]->discard = AVDISCARD_ALL;
  }
  stream_ = format_->streams[best];
  const AVCodecParameters& picture = *stream_->codecpar;
  if (beyond_limits(picture.width, picture.height)) {
    return fail(ErrorCode::kLimit, fmt::format("{} is {}x{}: at most {} pixels a side can be shown",
                                               url_, picture.width, picture.height, kMaxFrameSide));
  }
  origin_ = stream_->start_time;
  return {};
}

Result<void> MediaInput::open_decoder() {
  const AVCodec* decoder = avcodec_find_decoder(stream_->codecpar->codec_id);
  if (!decoder) {
    return fail(ErrorCode::kBadData, fmt::format("{}: no decoder for {}", url_,
                                                 avcodec_get_name(stream_->codecpar->codec_id)));
  }
  codec_.reset(avcodec_alloc_context3(decoder));
  if (!codec_) return fail(ErrorCode::kLimit, "out of memory");
  codec_->opaque = this;
  codec_->pkt_timebase = stream_->time_base;
  codec_->max_pixels = kMaxPixels;
  codec_->thread_count = options_.threads;
  int done = avcodec_parameters_to_context(codec_.get(), stream_->codecpar);
  if (done >= 0) done = avcodec_open2(codec_.get(), decoder, nullptr);
  if (done < 0) {
    return fail(ErrorCode::kBadData,
                fmt::format("{}: cannot decode {}: {}", url_, decoder->name, error_text(done)));
  }
  return {};
}

std::optional<Decoded> MediaInput::decode() {
  AvFramePtr frame(av_frame_alloc());
  int failures = 0;
  while (frame && failures < kMaxFailures) {
    const int received = avcodec_receive_frame(codec_.get(), frame.get());
    if (received == 0) {
      if (beyond_limits(frame->width, frame->height)) {
        note_damage(AVERROR_INVALIDDATA);
        av_frame_unref(frame.get());
        continue;
      }
      return stamp(std::move(frame));
    }
    if (received == AVERROR_EOF) break;
    if (received != AVERROR(EAGAIN)) {
      note_damage(received);
      ++failures;
    } else if (draining_) {
      break;
    }
    if (!draining_) feed();
  }
  note_early_end();
  return std::nullopt;
}

void MediaInput::feed() {
  start_waiting();
  const int read = av_read_frame(format_.get(), packet_.get());
  if (read < 0) {
    if (read == AVERROR(EAGAIN)) return;
    if (read != AVERROR_EOF && read != AVERROR_EXIT) note_damage(read);
    draining_ = true;
    avcodec_send_packet(codec_.get(), nullptr);
    return;
  }
  if (packet_->stream_index == stream_->index) {
    const int sent = avcodec_send_packet(codec_.get(), packet_.get());
    if (sent < 0 && sent != AVERROR(EAGAIN)) note_damage(sent);
  }
  av_packet_unref(packet_.get());
}

Decoded MediaInput::stamp(AvFramePtr frame) {
  Decoded decoded;
  if (frame->pkt_duration > 0) {
    decoded.duration_ns = std::clamp<int64_t>(
        av_rescale_q(frame->pkt_duration, stream_->time_base, kNanoseconds), 0, kLatest);
  } else {
    const AVRational rate = av_guess_frame_rate(format_.get(), stream_, frame.get());
    if (rate.num > 0 && rate.den > 0) {
      decoded.duration_ns = av_rescale_q(1, av_inv_q(rate), kNanoseconds);
    }
  }
  const int64_t stamp = frame->best_effort_timestamp;
  decoded.pts_ns = expected_ns_;
  if (stamp != AV_NOPTS_VALUE) {
    if (origin_ == AV_NOPTS_VALUE) origin_ = stamp;
    decoded.pts_ns =
        std::clamp(av_rescale_q(av_sat_sub64(stamp, origin_), stream_->time_base, kNanoseconds),
                   -kLatest, kLatest);
  }
  expected_ns_ = decoded.pts_ns + decoded.duration_ns;
  if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
    note_damage(AVERROR_INVALIDDATA);
  }
  decoded.frame = std::move(frame);
  return decoded;
}

bool MediaInput::jump_before(int64_t position_ns) {
  const int64_t offset = av_rescale_q(position_ns, kNanoseconds, stream_->time_base);
  const int64_t origin = origin_ == AV_NOPTS_VALUE ? 0 : origin_;
  start_waiting();
  if (avformat_seek_file(format_.get(), stream_->index, INT64_MIN, origin + offset, origin + offset,
                         0) < 0) {
    return false;
  }
  avcodec_flush_buffers(codec_.get());
  draining_ = false;
  expected_ns_ = position_ns;
  return true;
}

bool MediaInput::repeatable() const {
  if (!format_ || (format_->ctx_flags & AVFMTCTX_UNSEEKABLE) != 0) return false;
  return !info().live && (!format_->pb || format_->pb->seekable != 0);
}

SourceInfo MediaInput::info() const {
  SourceInfo info;
  const bool unknown = format_->duration == AV_NOPTS_VALUE && stream_->duration == AV_NOPTS_VALUE;
  if (stream_->duration != AV_NOPTS_VALUE) {
    info.duration_ns = av_rescale_q(stream_->duration, stream_->time_base, kNanoseconds);
  } else if (!unknown) {
    info.duration_ns = av_rescale_q(format_->duration, AV_TIME_BASE_Q, kNanoseconds);
  }
  info.duration_ns = std::clamp<int64_t>(info.duration_ns, 0, kLatest);
  info.live = unknown && (!format_->pb || format_->pb->seekable == 0);
  info.description =
      fmt::format("{}, {}x{}", avcodec_get_name(codec_->codec_id), codec_->width, codec_->height);
  if (stream_->avg_frame_rate.num > 0 && stream_->avg_frame_rate.den > 0) {
    info.rate = {static_cast<uint32_t>(stream_->avg_frame_rate.num),
                 static_cast<uint32_t>(stream_->avg_frame_rate.den)};
  }
  const double fps = av_q2d(stream_->avg_frame_rate);
  if (std::isfinite(fps) && fps > 0) info.description += fmt::format(", {:.4g} fps", fps);
  return info;
}

int MediaInput::quarter_turns(const AVFrame& frame) const {
  const uint8_t* matrix = nullptr;
  size_t bytes = 0;
  if (const AVFrameSideData* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX)) {
    matrix = side->data;
    bytes = side->size;
  } else {
    matrix = av_stream_get_side_data(stream_, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  }
  if (!matrix || bytes < 9 * sizeof(int32_t)) return 0;
  int32_t values[9];
  std::memcpy(values, matrix, sizeof(values));
  const double anticlockwise = av_display_rotation_get(values);
  if (!std::isfinite(anticlockwise)) return 0;
  return (static_cast<int>(std::lround(-anticlockwise / 90)) % 4 + 4) % 4;
}

double MediaInput::pixel_aspect(const AVFrame& frame) const {
  // The frame's own value: the container's would not know of a turn.
  AVRational aspect = frame.sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) aspect = stream_->sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) return 1;
  const double value = av_q2d(aspect);
  return value <= kStrangestPixelAspect && value >= 1 / kStrangestPixelAspect ? value : 1;
}

void MediaInput::note_damage(int error) {
  if (std::exchange(complained_, true)) return;
  complaint_ = fmt::format("{}: damaged at {} ({}); playing what can be decoded", url_,
                           format_time(expected_ns_), error_text(error));
}

void MediaInput::note_early_end() {
  if (!draining_ || complained_ || stream_->duration == AV_NOPTS_VALUE) return;
  if (options_.interrupted && options_.interrupted()) return;
  const int64_t promised = info().duration_ns;
  if (expected_ns_ + kShortfall >= promised) return;
  complained_ = true;
  complaint_ = fmt::format("{}: ends at {} of {}: the file is cut short", url_,
                           format_time(expected_ns_), format_time(promised));
}

std::optional<std::string> MediaInput::take_complaint() {
  return std::exchange(complaint_, std::nullopt);
}

std::string MediaInput::error_text(int error) const {
  if (error == AVERROR_EXIT && std::chrono::steady_clock::now() >= deadline_) {
    return fmt::format("nothing came for {} s", kLongestWait.count());
  }
  if (error == AVERROR_EOF) return "it is empty or cut short";
  if (error == AVERROR_INVALIDDATA) return "damaged, or no film or picture that FFmpeg can read";
  char text[AV_ERROR_MAX_STRING_SIZE] = {};
  av_strerror(error, text, sizeof(text));
  return text;
}

void MediaInput::start_waiting() {
  deadline_ = std::chrono::steady_clock::now() + kLongestWait;
}

int MediaInput::interrupted(void* self) {
  const auto& input = *static_cast<const MediaInput*>(self);
  const bool asked = input.options_.interrupted && input.options_.interrupted();
  return asked || std::chrono::steady_clock::now() >= input.deadline_ ? 1 : 0;
}

// FFmpeg has one log for the whole process; the message's root context tells whose it is.
void MediaInput::write_log(void* context, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_WARNING || !context) return;
  const AVClass* type = *static_cast<const AVClass**>(context);
  while (type && type->parent_log_context_offset != 0) {
    void* parent =
        *reinterpret_cast<void**>(static_cast<uint8_t*>(context) + type->parent_log_context_offset);
    if (!parent) break;
    context = parent;
    type = *static_cast<const AVClass**>(context);
  }
  const MediaInput* input = nullptr;
  if (type == avformat_get_class()) {
    input = static_cast<MediaInput*>(static_cast<AVFormatContext*>(context)->opaque);
  } else if (type == avcodec_get_class()) {
    input = static_cast<MediaInput*>(static_cast<AVCodecContext*>(context)->opaque);
  }
  if (!input || !input->options_.log) return;
  char text[512];
  std::vsnprintf(text, sizeof(text), format, arguments);
  const std::string_view line(text);
  input->options_.log->debug("ffmpeg: {}", line.substr(0, line.find_last_not_of('\n') + 1));
}

}  // namespace sail
