#include "sail/media/ffmpeg/media_source_input.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

namespace sail {
namespace {

constexpr int kMaxFailures = 1000;  // consecutive decoder errors without a frame

}  // namespace

MediaInput::MediaInput(std::string url, MediaOptions options)
    : file_(std::move(url), std::move(options)), packet_(av_packet_alloc()) {}

Result<void> MediaInput::open() {
  codec_.reset();
  draining_ = false;
  if (!packet_) return fail(ErrorCode::kLimit, "out of memory");
  return file_.open(MediaFile::Probe::kPictures).and_then([this] { return open_decoder(); });
}

Result<void> MediaInput::open_decoder() {
  const AVStream& stream = file_.stream();
  const std::string& url = file_.url();
  const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
  if (!decoder) {
    return fail(ErrorCode::kBadData, fmt::format("{}: no decoder for {}", url,
                                                 avcodec_get_name(stream.codecpar->codec_id)));
  }
  codec_.reset(avcodec_alloc_context3(decoder));
  if (!codec_) return fail(ErrorCode::kLimit, "out of memory");
  codec_->opaque = file_.log_owner();
  codec_->pkt_timebase = stream.time_base;
  codec_->max_pixels = kMaxMediaPixels;
  codec_->thread_count = file_.options().threads;
  int done = avcodec_parameters_to_context(codec_.get(), stream.codecpar);
  if (done >= 0) done = avcodec_open2(codec_.get(), decoder, nullptr);
  if (done < 0) {
    return fail(ErrorCode::kBadData, fmt::format("{}: cannot decode {}: {}", url, decoder->name,
                                                 file_.error_text(done)));
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
        file_.note_damage(AVERROR_INVALIDDATA);
        av_frame_unref(frame.get());
        continue;
      }
      return stamp(std::move(frame));
    }
    if (received == AVERROR_EOF) break;
    if (received != AVERROR(EAGAIN)) {
      file_.note_damage(received);
      ++failures;
    } else if (draining_) {
      break;
    }
    if (!draining_) feed();
  }
  file_.note_early_end();
  return std::nullopt;
}

void MediaInput::feed() {
  if (!file_.read(*packet_)) {
    draining_ = true;
    if (!file_.fell_silent()) avcodec_send_packet(codec_.get(), nullptr);
    return;
  }
  const int sent = avcodec_send_packet(codec_.get(), packet_.get());
  if (sent < 0 && sent != AVERROR(EAGAIN)) file_.note_damage(sent);
  av_packet_unref(packet_.get());
}

Decoded MediaInput::stamp(AvFramePtr frame) {
  Decoded decoded;
  decoded.pts_ns = file_.film_time_ns(frame->best_effort_timestamp);
  decoded.duration_ns = file_.duration_ns(frame_duration(*frame), frame.get());
  file_.expect(decoded.pts_ns + decoded.duration_ns);
  if (frame->decode_error_flags != 0 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
    file_.note_damage(AVERROR_INVALIDDATA);
  }
  decoded.frame = std::move(frame);
  return decoded;
}

bool MediaInput::jump_before(int64_t position_ns) {
  if (!file_.jump_before(position_ns)) return false;
  avcodec_flush_buffers(codec_.get());
  draining_ = false;
  return true;
}

int MediaInput::quarter_turns(const AVFrame& frame) const {
  std::span<const uint8_t> matrix = display_matrix(file_.stream());
  if (const AVFrameSideData* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX)) {
    matrix = {side->data, side->size};
  }
  int32_t values[9];
  if (matrix.size() < sizeof(values)) return 0;
  std::memcpy(values, matrix.data(), sizeof(values));
  const double anticlockwise = av_display_rotation_get(values);
  if (!std::isfinite(anticlockwise)) return 0;
  return (static_cast<int>(std::lround(-anticlockwise / 90)) % 4 + 4) % 4;
}

double MediaInput::pixel_aspect(const AVFrame& frame) const {
  // Prefer the frame's value, because the container's does not consider rotation.
  AVRational aspect = frame.sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) aspect = file_.stream().sample_aspect_ratio;
  return MediaFile::usual_aspect(aspect);
}

}  // namespace sail
