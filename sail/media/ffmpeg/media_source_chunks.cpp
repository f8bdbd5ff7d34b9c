#include "sail/media/ffmpeg/media_source_chunks.h"

#include <fmt/core.h>

#include <utility>

#include "sail/media/ffmpeg/media_source_connection.h"
#include "sail/media/ffmpeg/media_source_convert.h"
#include "sail/media/ffmpeg/media_source_formats.h"

namespace sail {
namespace {

// Slice threading only: frame threading would delay pictures by one per thread.
constexpr int kSliceThreads = 2;

AVCodecID codec_id_of(VideoCodec codec) {
  switch (codec) {
    case VideoCodec::kH264:
      return AV_CODEC_ID_H264;
    case VideoCodec::kVp9:
      return AV_CODEC_ID_VP9;
    case VideoCodec::kVp8:
      break;
  }
  return AV_CODEC_ID_VP8;
}

Error damaged(int why) {
  return fail(ErrorCode::kBadData, fmt::format("the video cannot be decoded: {}", words_of(why)));
}

}  // namespace

struct ChunkDecoder::Impl {
  std::optional<codecs::PictureColor> color;
  AvPtr<AVCodecContext> codec;
  AvPtr<AVPacket> packet{av_packet_alloc()};
  AvFramePtr frame{av_frame_alloc()};
  FrameConverter converter{{.size = {}, .threads = kSliceThreads}};
};

Result<std::unique_ptr<ChunkDecoder>> ChunkDecoder::open(const GuestVideo& video) {
  // FFmpeg has one log per process, which a page could fill. The returned errors are enough.
  av_log_set_level(AV_LOG_QUIET);
  const AVCodecID id = codec_id_of(video.codec);
  const AVCodec* decoder = avcodec_find_decoder(id);
  if (decoder == nullptr) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("this FFmpeg has no decoder for {}", avcodec_get_name(id)));
  }
  auto impl = std::make_unique<Impl>();
  impl->color = video.color;
  impl->codec.reset(avcodec_alloc_context3(decoder));
  if (!impl->codec || !impl->packet || !impl->frame) {
    return fail(ErrorCode::kLimit, "out of memory");
  }
  AVCodecContext& context = *impl->codec;
  context.flags |= AV_CODEC_FLAG_LOW_DELAY;
  context.max_pixels = kMaxChunkPixels;
  context.thread_type = FF_THREAD_SLICE;
  context.thread_count = kSliceThreads;
  // Damaged pictures are not concealed: an error makes the caller request a key frame.
  context.err_recognition = AV_EF_EXPLODE;
  context.error_concealment = 0;
  if (const int done = avcodec_open2(&context, decoder, nullptr); done < 0) return damaged(done);
  return std::unique_ptr<ChunkDecoder>(new ChunkDecoder(std::move(impl)));
}

ChunkDecoder::ChunkDecoder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ChunkDecoder::~ChunkDecoder() = default;

Result<std::optional<Picture>> ChunkDecoder::decode(std::span<const uint8_t> chunk) {
  // The packet has no reference-counted buffer, so FFmpeg copies the data and adds its padding.
  impl_->packet->data = const_cast<uint8_t*>(chunk.data());
  impl_->packet->size = static_cast<int>(chunk.size());
  const int sent = avcodec_send_packet(impl_->codec.get(), impl_->packet.get());
  av_packet_unref(impl_->packet.get());
  if (sent < 0) return damaged(sent);
  AvFramePtr newest;
  for (;;) {
    const int received = avcodec_receive_frame(impl_->codec.get(), impl_->frame.get());
    if (received == AVERROR(EAGAIN) || received == AVERROR_EOF) break;
    if (received < 0) return damaged(received);
    const AVFrame& frame = *impl_->frame;
    if (beyond_limits(frame.width, frame.height)) return damaged(AVERROR_INVALIDDATA);
    if (frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0) {
      return damaged(AVERROR_INVALIDDATA);
    }
    newest.reset(av_frame_alloc());
    if (!newest) return fail(ErrorCode::kLimit, "out of memory");
    av_frame_move_ref(newest.get(), impl_->frame.get());
  }
  if (!newest) return std::optional<Picture>();
  if (impl_->color) {
    set_color(*newest, *impl_->color);
  } else if (newest->colorspace == AVCOL_SPC_UNSPECIFIED) {
    // The default of VP8 (RFC 6386, 9.2), and what browsers use for untagged video of any size.
    newest->colorspace = AVCOL_SPC_SMPTE170M;
  }
  auto converted = impl_->converter.convert(std::move(newest), {});
  if (!converted) return converted.error();
  return std::optional<Picture>(to_picture(std::move(*converted)));
}

}  // namespace sail
