#include "sail/media/ffmpeg/sound/media_source_opus.h"

#include <fmt/core.h>

#include <utility>
#include <vector>

#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {
namespace {

Error unreadable_sound(int why) {
  return fail(ErrorCode::kBadData, fmt::format("the sound cannot be decoded: {}", words_of(why)));
}

}  // namespace

struct OpusDecoder::Impl {
  void take(const AVFrame& frame);

  AvPtr<AVCodecContext> codec;
  AvPtr<AVPacket> packet{av_packet_alloc()};
  AvFramePtr frame{av_frame_alloc()};
  std::vector<float> values;
};

Result<std::unique_ptr<OpusDecoder>> OpusDecoder::open() {
  // See ChunkDecoder::open().
  av_log_set_level(AV_LOG_QUIET);
  // FFmpeg's own decoder, which returns planar floats.
  const AVCodec* decoder = avcodec_find_decoder_by_name("opus");
  if (decoder == nullptr) {
    return fail(ErrorCode::kUnavailable, "this FFmpeg has no decoder for Opus");
  }
  auto impl = std::make_unique<Impl>();
  impl->codec.reset(avcodec_alloc_context3(decoder));
  if (!impl->codec || !impl->packet || !impl->frame) {
    return fail(ErrorCode::kLimit, "out of memory");
  }
  AVCodecContext& context = *impl->codec;
  context.sample_rate = kSoundRate;
  av_channel_layout_default(&context.ch_layout, kSoundChannels);
  context.err_recognition = AV_EF_EXPLODE;
  if (const int done = avcodec_open2(&context, decoder, nullptr); done < 0) {
    return unreadable_sound(done);
  }
  return std::unique_ptr<OpusDecoder>(new OpusDecoder(std::move(impl)));
}

OpusDecoder::OpusDecoder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
OpusDecoder::~OpusDecoder() = default;

Result<std::span<const float>> OpusDecoder::decode(std::span<const uint8_t> packet) {
  // See ChunkDecoder::decode().
  impl_->packet->data = const_cast<uint8_t*>(packet.data());
  impl_->packet->size = static_cast<int>(packet.size());
  const int sent = avcodec_send_packet(impl_->codec.get(), impl_->packet.get());
  av_packet_unref(impl_->packet.get());
  if (sent < 0) return unreadable_sound(sent);
  impl_->values.clear();
  for (;;) {
    const int received = avcodec_receive_frame(impl_->codec.get(), impl_->frame.get());
    if (received == AVERROR(EAGAIN) || received == AVERROR_EOF) break;
    if (received < 0) return unreadable_sound(received);
    const AVFrame& frame = *impl_->frame;
    const bool known = frame.format == AV_SAMPLE_FMT_FLTP && frame.sample_rate == kSoundRate &&
                       frame.ch_layout.nb_channels == kSoundChannels;
    if (!known) return unreadable_sound(AVERROR_INVALIDDATA);
    impl_->take(frame);
  }
  return std::span<const float>(impl_->values);
}

void OpusDecoder::Impl::take(const AVFrame& from) {
  const auto* left = reinterpret_cast<const float*>(from.extended_data[0]);
  const auto* right = reinterpret_cast<const float*>(from.extended_data[1]);
  for (int i = 0; i < from.nb_samples; ++i) {
    values.push_back(left[i]);
    values.push_back(right[i]);
  }
}

}  // namespace sail
