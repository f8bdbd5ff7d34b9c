#include "sail/media/ffmpeg/media_source_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "sail/media/ffmpeg/media_source_display.h"

namespace sail {
namespace {

constexpr int kMaxFailures = 1000;  // consecutive decoder errors without a frame
// Pictures that no other refers to, one after the other. More of them must be decoded, because
// films may have no others.
constexpr int kMostHurriedOver = 32;
constexpr int kMostBeforeKey = 2000;                // packets that are skipped after a jump
constexpr int64_t kLongestHurryNs = 1'000'000'000;  // a longer gap is one of the film
// FFmpeg's decoders of these codecs do not report fields: only the container does.
constexpr std::array kFieldsInContainer = {AV_CODEC_ID_CFHD, AV_CODEC_ID_FFVHUFF,
                                           AV_CODEC_ID_HUFFYUV, AV_CODEC_ID_MAGICYUV};

// FFmpeg's own decoders of VP8 and VP9 ignore transparency.
const AVCodec* decoder_for(const AVStream& stream) {
  const AVCodecID id = stream.codecpar->codec_id;
  const AVDictionaryEntry* alpha = av_dict_get(stream.metadata, "alpha_mode", nullptr, 0);
  if (alpha != nullptr && std::string_view(alpha->value) == "1") {
    const char* name = id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : "libvpx";
    const AVCodec* decoder = avcodec_find_decoder_by_name(name);
    if (decoder != nullptr && decoder->id == id) return decoder;
  }
  return avcodec_find_decoder(id);
}

void mark_fields(AVFrame& frame, const AVCodecParameters& stream) {
  if (stream.field_order <= AV_FIELD_PROGRESSIVE) return;
  if (std::ranges::find(kFieldsInContainer, stream.codec_id) == kFieldsInContainer.end()) return;
  set_interlaced(frame, stream.field_order == AV_FIELD_TT || stream.field_order == AV_FIELD_BT);
}

bool is_damaged(const AVFrame& frame) {
  return frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0;
}

// OpenEXR 3.4 stores HTJ2K codestreams as compression 10 and 11, which FFmpeg does not read.
bool is_exr_of_htj2k(std::span<const uint8_t> picture) {
  using namespace std::string_view_literals;
  constexpr auto kAttribute = "compression\0compression\0\1\0\0\0"sv;  // its name, type and size
  constexpr size_t kMostHeader = 64 << 10;
  constexpr uint8_t kHtj2k256 = 10, kHtj2k32 = 11;
  const auto* text = reinterpret_cast<const char*>(picture.data());
  const std::string_view header(text, std::min(picture.size(), kMostHeader));
  const size_t value = header.find(kAttribute) + kAttribute.size();
  if (value < kAttribute.size() || value >= header.size()) return false;
  return picture[value] == kHtj2k256 || picture[value] == kHtj2k32;
}

// In H.265 with several temporal layers, frames that no frame of their layer refers to may still be
// needed. Only the container tells (ISO/IEC 14496-15, 8.3.3.1).
bool may_skip_frames(const AVCodecContext& codec) {
  constexpr int kLayers = 21, kLayersShift = 3, kLayersMask = 7;
  if (codec.codec_id != AV_CODEC_ID_HEVC) return true;
  if (codec.extradata_size <= kLayers || codec.extradata[0] != 1) return false;
  return (codec.extradata[kLayers] >> kLayersShift & kLayersMask) == 1;
}

// Of a packet of H.264 with start codes: all pictures that follow an IDR picture are shown after
// it.
bool is_idr(const AVPacket& packet) {
  constexpr int kTypeMask = 0x1f, kFirstSlice = 1, kIdrSlice = 5;
  const std::span bytes(packet.data, static_cast<size_t>(std::max(packet.size, 0)));
  for (size_t i = 2; i + 1 < bytes.size(); ++i) {
    if (bytes[i] != 1 || bytes[i - 1] != 0 || bytes[i - 2] != 0) continue;
    const int type = bytes[i + 1] & kTypeMask;
    if (type >= kFirstSlice && type <= kIdrSlice) return type == kIdrSlice;
  }
  return false;
}

}  // namespace

MediaInput::MediaInput(std::string url, MediaOptions options)
    : file_(std::move(url), std::move(options)),
      packet_(av_packet_alloc()),
      still_decoder_({.keep_alpha = file_.options().keep_alpha, .deep = file_.options().for_j2k},
                     file_.options().threads) {}

Result<void> MediaInput::open() {
  codec_.reset();
  draining_ = hurries_ = packet_is_read_ = false;
  following_.reset();
  key_within_ = 0;
  leave_out_before_ns_.reset();
  returned_.reset();
  decoded_here_.reset();
  fault_.clear();
  if (!packet_) return fail(ErrorCode::kLimit, "out of memory");
  av_packet_unref(packet_.get());
  return file_.open(MediaConnection::Probe::kStreams).and_then([this] { return open_decoder(); });
}

Result<void> MediaInput::open_decoder() {
  const AVStream& stream = file_.stream();
  const std::string& url = file_.url();
  const AVCodec* decoder = decoder_for(stream);
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
  AVDictionary* settings = nullptr;
  // OpenEXR is linear light, which would look too dark.
  if (decoder->id == AV_CODEC_ID_EXR) av_dict_set(&settings, "apply_trc", "iec61966_2_1", 0);
  if (done >= 0) done = avcodec_open2(codec_.get(), decoder, &settings);
  av_dict_free(&settings);
  if (done < 0) {
    return fail(ErrorCode::kBadData, fmt::format("{}: cannot decode {}: {}", url, decoder->name,
                                                 file_.error_text(done)));
  }
  return {};
}

// Decoders of H.264 and H.265 return a frame only after the packets that could come before it in
// film time, and one more packet for each of their threads.
bool MediaInput::begins_late(const AVPacket& packet) const {
  const bool may_wait =
      codec_->codec_id == AV_CODEC_ID_H264 || codec_->codec_id == AV_CODEC_ID_HEVC;
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  const bool shown = (packet.flags & AV_PKT_FLAG_DISCARD) == 0;
  if (!may_wait || !key || !shown) return false;
  if (packet.pts != AV_NOPTS_VALUE) return packet.pts == file_.stream().start_time;
  // The first packet of RTSP, and those of elementary streams, have no times.
  return codec_->codec_id == AV_CODEC_ID_H264 && packet.dts == AV_NOPTS_VALUE && is_idr(packet);
}

// Afterwards the decoder begins again with the same packet. Pictures that are shown before a key
// picture follow it at once.
std::optional<Decoded> MediaInput::decode_first() {
  AvFramePtr frame(av_frame_alloc());
  if (!frame || file_.is_numbered() || !read_packet()) return std::nullopt;
  packet_is_read_ = true;
  if (!begins_late(*packet_)) return std::nullopt;
  following_.reset(av_packet_alloc());
  if (!following_) return std::nullopt;
  const bool alone = !file_.read(*following_);
  if (alone) following_.reset();
  if (!alone && following_->pts < packet_->pts) return std::nullopt;
  avcodec_send_packet(codec_.get(), packet_.get());
  avcodec_send_packet(codec_.get(), nullptr);
  if (alone) {
    // The end must not be read again: decode() receives the frame.
    packet_is_read_ = false;
    draining_ = true;
    return std::nullopt;
  }
  const bool received = avcodec_receive_frame(codec_.get(), frame.get()) == 0;
  avcodec_flush_buffers(codec_.get());
  const bool whole = received && !is_damaged(*frame) && !is_interlaced(*frame) &&
                     !beyond_limits(frame->width, frame->height) &&
                     frame->best_effort_timestamp == packet_->pts;
  if (!whole) return std::nullopt;
  returned_ = packet_->pts;
  return stamp(frame);
}

std::optional<Decoded> MediaInput::decode() {
  AvFramePtr frame(av_frame_alloc());
  int failures = 0;
  while (frame && failures < kMaxFailures) {
    const int received = receive(*frame);
    if (received == 0) {
      if (std::exchange(returned_, std::nullopt) == frame->best_effort_timestamp) {
        av_frame_unref(frame.get());
        continue;
      }
      if (beyond_limits(frame->width, frame->height)) {
        file_.note_damage(AVERROR_INVALIDDATA);
      } else if (auto decoded = stamp(frame)) {
        return decoded;
      }
      av_frame_unref(frame.get());
      continue;
    }
    if (received == AVERROR_EOF) break;
    if (received != AVERROR(EAGAIN)) {
      file_.note_damage(received);
      ++failures;
    } else if (draining_) {
      break;
    }
    if (!draining_) feed();
    if (std::exchange(refused_, false)) ++failures;
  }
  if (key_within_ == 0) file_.note_early_end();
  return std::nullopt;
}

void MediaInput::hurry(bool hurry) {
  if (hurry ? !may_skip_frames(*codec_) : !hurries_) return;
  hurries_ = true;
  codec_->skip_frame = hurry ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
}

void MediaInput::leave_out_before(std::optional<int64_t> position_ns) {
  if (position_ns && !may_skip_frames(*codec_)) return;
  leave_out_before_ns_ = position_ns;
  codec_->skip_frame = AVDISCARD_DEFAULT;
}

void MediaInput::leave_out_if_over(const AVPacket& packet) {
  if (!leave_out_before_ns_) return;
  const bool over = packet.pts != AV_NOPTS_VALUE && packet.duration > 0 &&
                    file_.film_time_ns(packet.pts + packet.duration) <= *leave_out_before_ns_;
  codec_->skip_frame = over ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
  if (over) left_out_to_ns_ = std::max(left_out_to_ns_, file_.film_time_ns(packet.pts));
}

void MediaInput::count_hurried(const Decoded& decoded) {
  const int64_t gap_ns = decoded.pts_ns - decoded_to_ns_;
  if (hurries_ && decoded.duration_ns > 0 && gap_ns > 0 && gap_ns < kLongestHurryNs) {
    hurried_over_ +=
        static_cast<uint64_t>((gap_ns + decoded.duration_ns / 2) / decoded.duration_ns);
  }
  decoded_to_ns_ = decoded.pts_ns + decoded.duration_ns;
  fed_ = 0;
}

int MediaInput::receive(AVFrame& frame) {
  if (!decoded_here_) return avcodec_receive_frame(codec_.get(), &frame);
  av_frame_move_ref(&frame, decoded_here_.get());
  decoded_here_.reset();
  return 0;
}

bool MediaInput::read_packet() {
  if (std::exchange(packet_is_read_, false)) return true;
  if (following_) {
    packet_ = std::move(following_);
    return true;
  }
  if (file_.read(*packet_)) return true;
  draining_ = true;
  if (!file_.fell_silent()) avcodec_send_packet(codec_.get(), nullptr);
  return false;
}

void MediaInput::feed() {
  if (!read_packet()) return;
  if (key_within_ > 0 && (packet_->flags & AV_PKT_FLAG_KEY) == 0) {
    draining_ = --key_within_ == 0;
    return av_packet_unref(packet_.get());
  }
  key_within_ = 0;
  if (++fed_ > kMostHurriedOver) hurry(false);
  if (codec_->codec_id == AV_CODEC_ID_DPX) {
    film_density_ = has_film_density({packet_->data, static_cast<size_t>(packet_->size)});
  }
  leave_out_if_over(*packet_);
  if (!decode_here(*packet_)) {
    if (codec_->codec_id == AV_CODEC_ID_JPEG2000) add_end_of_codestream(*packet_);
    const int sent = avcodec_send_packet(codec_.get(), packet_.get());
    if (sent < 0 && sent != AVERROR(EAGAIN)) file_.note_damage(sent);
  }
  av_packet_unref(packet_.get());
}

bool MediaInput::decode_here(const AVPacket& packet) {
  const std::span picture(packet.data, static_cast<size_t>(std::max(packet.size, 0)));
  const bool still = StillDecoder::accepts(codec_->codec_id, file_.is_numbered(), picture);
  const bool ht = codec_->codec_id == AV_CODEC_ID_JPEG2000 && HtDecoder::accepts(picture);
  if (codec_->codec_id == AV_CODEC_ID_EXR && is_exr_of_htj2k(picture)) {
    refuse("OpenEXR with HTJ2K is not read: convert it with: oiiotool IN --compression zip -o OUT",
           packet.pts);
    return true;
  }
  if (codec_->codec_id == AV_CODEC_ID_JPEG2000 && is_truncated_j2k(picture)) {
    refuse("the picture is a codestream that is truncated", packet.pts);
    return true;
  }
  if (!still && !ht) return false;
  auto frame = still ? still_decoder_.decode(picture)
                     : ht_decoder_.decode(picture, *file_.stream().codecpar);
  file_.note_about_pictures(still ? still_decoder_.notice() : ht_decoder_.notice());
  if (!frame) {
    refuse(std::move(frame.error().message), packet.pts);
    return true;
  }
  decoded_here_ = std::move(*frame);
  decoded_here_->pts = packet.pts;
  decoded_here_->best_effort_timestamp = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
  set_frame_duration(*decoded_here_, packet.duration);
  return true;
}

void MediaInput::refuse(std::string fault, int64_t stamp) {
  file_.note_fault(stamp, fault);
  fault_ = std::move(fault);
  refused_ = true;
}

std::optional<Decoded> MediaInput::stamp(AvFramePtr& frame) {
  Decoded decoded;
  decoded.pts_ns = file_.film_time_ns(frame->best_effort_timestamp);
  decoded.duration_ns = file_.duration_ns(frame_duration(*frame), frame.get());
  file_.expect(decoded.pts_ns + decoded.duration_ns);
  if (!file_.note_frame(frame->best_effort_timestamp, is_damaged(*frame))) return std::nullopt;
  mark_fields(*frame, *file_.stream().codecpar);
  add_light_levels(file_.stream(), *frame);
  if (film_density_) mark_film_density(*frame);
  file_.note_remarks(*frame);
  count_hurried(decoded);
  decoded.frame = std::move(frame);
  return decoded;
}

bool MediaInput::jump_before(int64_t position_ns) {
  if (!file_.jump_before(position_ns)) return false;
  avcodec_flush_buffers(codec_.get());
  hurry(false);
  leave_out_before(std::nullopt);
  left_out_to_ns_ = INT64_MIN;
  draining_ = hurries_ = false;
  packet_is_read_ = false;
  av_packet_unref(packet_.get());
  following_.reset();
  returned_.reset();
  // FFmpeg's decoder of H.265 would show grey pictures in place of those before the jump.
  key_within_ = codec_->codec_id == AV_CODEC_ID_HEVC ? kMostBeforeKey : 0;
  return true;
}

Orientation MediaInput::orientation(const AVFrame& frame) const {
  std::span<const uint8_t> matrix = stream_side_data(file_.stream(), AV_PKT_DATA_DISPLAYMATRIX);
  if (const AVFrameSideData* side = av_frame_get_side_data(&frame, AV_FRAME_DATA_DISPLAYMATRIX)) {
    matrix = {side->data, side->size};
  }
  std::array<int32_t, 9> values{};
  if (matrix.size() < sizeof(values)) return {};
  std::memcpy(values.data(), matrix.data(), sizeof(values));
  return orientation_of(values);
}

double MediaInput::pixel_aspect(const AVFrame& frame) const {
  // Prefer the frame's value, because the container's does not consider rotation.
  AVRational aspect = frame.sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) aspect = file_.stream().sample_aspect_ratio;
  return MediaFile::usual_aspect(aspect);
}

}  // namespace sail
