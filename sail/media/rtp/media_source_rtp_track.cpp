#include "sail/media/rtp/media_source_rtp_track.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

extern "C" {
#include <libavutil/opt.h>
}

namespace sail {
namespace {

constexpr int kFirstFreeType = 96;  // dynamic payload types, defined in the SDP
constexpr int kSoundTogetherUs = 100'000;

uint32_t big_endian32(const uint8_t* at) {
  return uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3];
}

void put_big_endian16(uint8_t* at, uint32_t value) {
  at[0] = static_cast<uint8_t>(value >> 8);
  at[1] = static_cast<uint8_t>(value);
}

void put_big_endian32(uint8_t* at, uint32_t value) {
  put_big_endian16(at, value >> 16);
  put_big_endian16(at + 2, value);
}

int channels_of(const AVCodecParameters& stored) {
  return stored.ch_layout.nb_channels;
}

// ADTS AAC (as in broadcasts) repeats its configuration in every packet; RTP needs it once, in
// advance.
bool lacks_description(const AVCodecParameters& stored) {
  return stored.codec_id == AV_CODEC_ID_AAC && stored.extradata_size == 0;
}

}  // namespace

void RtpTrack::MuxerFree::operator()(AVFormatContext* muxer) const {
  if (muxer->pb) {
    // Frees the packetizer's buffers.
    av_write_trailer(muxer);
    av_freep(&muxer->pb->buffer);
    avio_context_free(&muxer->pb);
  }
  avformat_free_context(muxer);
}

bool RtpTrack::begin(size_t number) {
  if (is_ac3()) {
    payload_type_ = kFirstFreeType + static_cast<int>(number);
    time_base_ = {1, stream_.codecpar->sample_rate};
    // The SDP begins with the video's muxer, so AC-3 cannot be the first track.
    return number > 0 && stream_.codecpar->sample_rate > 0 && restart(0);
  }
  if (lacks_description(*stream_.codecpar) || !restart(0)) return false;
  if (muxer_->streams[0]->id < kFirstFreeType) return true;
  payload_type_ = kFirstFreeType + static_cast<int>(number);
  return restart(0);
}

bool RtpTrack::restart(uint16_t sequence) {
  sequence_ = sequence;
  fed_ = false;
  based_ = false;
  muxer_.reset();
  if (is_ac3()) return true;
  AVFormatContext* context = nullptr;
  if (avformat_alloc_output_context2(&context, nullptr, "rtp", nullptr) < 0) return false;
  std::unique_ptr<AVFormatContext, MuxerFree> muxer(context);
  AVStream* out = avformat_new_stream(context, nullptr);
  if (!out || avcodec_parameters_copy(out->codecpar, stream_.codecpar) < 0) return false;
  out->codecpar->codec_tag = 0;
  out->time_base = stream_.time_base;
  context->max_delay = kSoundTogetherUs;
  context->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;  // for VP9
  context->avoid_negative_ts = 0;                               // keep the time stamps
  av_opt_set(context->priv_data, "rtpflags", "skip_rtcp", 0);
  if (payload_type_ >= 0) av_opt_set_int(context->priv_data, "payload_type", payload_type_, 0);
  auto* buffer = static_cast<uint8_t*>(av_malloc(kRtpPacketBytes));
  if (!buffer) return false;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  const auto taker = &RtpTrack::take<const uint8_t*>;
#else
  const auto taker = &RtpTrack::take<uint8_t*>;
#endif
  AVIOContext* io = avio_alloc_context(buffer, kRtpPacketBytes, 1, this, nullptr, taker, nullptr);
  if (!io) {
    av_free(buffer);
    return false;
  }
  io->max_packet_size = kRtpPacketBytes;
  context->pb = io;
  if (avformat_write_header(context, nullptr) < 0) {
    av_freep(&io->buffer);
    avio_context_free(&context->pb);
    return false;
  }
  // Written only once, because a sender may read it from another thread.
  if (av_cmp_q(time_base_, out->time_base) != 0) time_base_ = out->time_base;
  muxer_ = std::move(muxer);
  return true;
}

uint32_t RtpTrack::rtp_time(int64_t film_ns) const {
  return zero_time_ + static_cast<uint32_t>(av_rescale_q(film_ns, kNanoseconds, time_base_));
}

void RtpTrack::write(AVPacket& packet, RtpBurst& burst) {
  av_packet_rescale_ts(&packet, kNanoseconds, time_base_);
  if (!fed_) first_pts_ = packet.pts;
  if (fed_) packet.dts = std::max(packet.dts, last_dts_);
  packet.pts = std::max(packet.pts, packet.dts);
  fed_ = true;
  last_dts_ = packet.dts;
  packet.stream_index = 0;
  out_ = &burst;
  // A packet refused by the packetizer is damaged; it is missing like a lost packet.
  is_ac3() ? append_ac3(packet) : static_cast<void>(av_write_frame(muxer_.get(), &packet));
  out_ = nullptr;
}

std::string RtpTrack::sdp(size_t number) const {
  return fmt::format("m=audio 0 RTP/AVP {}\r\na=rtpmap:{} ac3/{}/{}\r\na=control:streamid={}\r\n",
                     payload_type_, payload_type_, time_base_.den, channels_of(*stream_.codecpar),
                     number);
}

// A stored packet is a frame. A larger one is split into fragments; the header tells whether the
// first one has the 5/8 of the frame that can be decoded alone.
void RtpTrack::append_ac3(const AVPacket& packet) {
  constexpr size_t kHeader = 2;
  constexpr size_t kRoom = kRtpPacketBytes - kRtpHeaderBytes - kHeader;
  constexpr uint8_t kVersion2 = 0x80;
  constexpr uint32_t kMarker = 0x80;
  enum Type : uint8_t { kWhole, kFirstWithMost, kFirst, kOther };
  const auto size = static_cast<size_t>(packet.size);
  const size_t fragments = (size + kRoom - 1) / kRoom;
  std::array<uint8_t, kRtpPacketBytes> bytes{kVersion2};
  for (size_t i = 0; i < fragments; ++i) {
    const size_t count = std::min(kRoom, size - i * kRoom);
    const uint32_t marker = i + 1 == fragments ? kMarker : 0;
    bytes[1] = static_cast<uint8_t>(marker | static_cast<uint32_t>(payload_type_));
    put_big_endian32(&bytes[4], static_cast<uint32_t>(packet.pts));
    const Type first = 8 * count >= 5 * size ? kFirstWithMost : kFirst;
    bytes[kRtpHeaderBytes] = fragments == 1 ? kWhole : i == 0 ? first : kOther;
    bytes[kRtpHeaderBytes + 1] = static_cast<uint8_t>(fragments);
    std::copy_n(packet.data + i * kRoom, count, &bytes[kRtpHeaderBytes + kHeader]);
    append(bytes.data(), kRtpHeaderBytes + kHeader + count);
  }
}

template <typename Bytes>
int RtpTrack::take(void* self, Bytes bytes, int count) {
  static_cast<RtpTrack*>(self)->append(bytes, static_cast<size_t>(count));
  return count;
}

void RtpTrack::append(const uint8_t* bytes, size_t count) {
  if (!out_ || count < kRtpHeaderBytes || count > kRtpPacketBytes) return;
  const uint32_t stamp = big_endian32(bytes + 4);
  if (!based_) base_ = stamp - static_cast<uint32_t>(first_pts_);
  based_ = true;
  std::vector<uint8_t>& all = out_->bytes;
  const size_t at = all.size();
  all.resize(at + kRtpFrameBytes);
  all[at] = '$';
  put_big_endian16(&all[at + 2], static_cast<uint32_t>(count));
  all.insert(all.end(), bytes, bytes + count);
  uint8_t* header = &all[at + kRtpFrameBytes];
  put_big_endian16(header + 2, sequence_++);
  put_big_endian32(header + 4, stamp - base_ + zero_time_);
  put_big_endian32(header + 8, ssrc_);
  ++out_->packets;
}

}  // namespace sail
