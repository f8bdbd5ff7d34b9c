#include "tests/bench/codec/j2k_coder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sail/media/ffmpeg/media_source_av.h"

extern "C" {
#include <libavutil/opt.h>
}

namespace bench {
namespace {

using codecs::PixelFormat;

// FFmpeg's quality for a step: any increasing function works, because the rate is found by
// bisection.
int quality_of(float step) {
  constexpr float kScale = 500'000;
  constexpr int kMost = 32'767;
  return std::clamp(static_cast<int>(std::lround(kScale * step * step)), 1, kMost);
}

// The encoder's input: 24-bit RGB, or the planes unchanged.
sail::AvPtr<AVFrame> frame_of(const codecs::ImageView& view) {
  const bool yuv = view.format == PixelFormat::kI420;
  sail::AvPtr<AVFrame> frame(av_frame_alloc());
  frame->format = yuv ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_RGB24;
  frame->width = view.width;
  frame->height = view.height;
  if (av_frame_get_buffer(frame.get(), 0) < 0) return nullptr;
  for (int plane = 0; yuv && plane < 3; ++plane) {
    const int step = plane == 0 ? 1 : 2;
    for (int y = 0; y < (view.height + step - 1) / step; ++y) {
      std::memcpy(frame->data[plane] + ptrdiff_t{frame->linesize[plane]} * y,
                  view.planes[plane] + view.strides[plane] * y,
                  static_cast<size_t>((view.width + step - 1) / step));
    }
  }
  const bool bgra = view.format == PixelFormat::kBgra;
  for (int y = 0; !yuv && y < view.height; ++y) {
    const uint8_t* from = view.planes[0] + view.strides[0] * y;
    uint8_t* to = frame->data[0] + ptrdiff_t{frame->linesize[0]} * y;
    for (int x = 0; x < view.width; ++x, from += 4, to += 3) {
      to[0] = from[bgra ? 2 : 0];
      to[1] = from[1];
      to[2] = from[bgra ? 0 : 2];
    }
  }
  return frame;
}

class FfmpegCoder : public J2kCoder {
 public:
  explicit FfmpegCoder(const codecs::ImageView& view)
      : frame_(frame_of(view)), packet_(av_packet_alloc()), decoded_(av_frame_alloc()) {
    const AVCodec* encoder = avcodec_find_encoder_by_name("jpeg2000");
    const AVCodec* decoder = avcodec_find_decoder_by_name("jpeg2000");
    if (encoder == nullptr || decoder == nullptr || frame_ == nullptr) return;
    encoder_.reset(avcodec_alloc_context3(encoder));
    encoder_->width = view.width;
    encoder_->height = view.height;
    encoder_->time_base = {1, 1};
    encoder_->pix_fmt = static_cast<AVPixelFormat>(frame_->format);
    encoder_->flags |= AV_CODEC_FLAG_QSCALE;
    encoder_->thread_count = 1;
    av_opt_set(encoder_->priv_data, "format", "j2k", 0);
    decoder_.reset(avcodec_alloc_context3(decoder));
    decoder_->thread_count = 1;
    works_ = avcodec_open2(encoder_.get(), encoder, nullptr) >= 0 &&
             avcodec_open2(decoder_.get(), decoder, nullptr) >= 0;
  }

  size_t encode(const J2kBlock& /*whole*/, float step, std::span<uint8_t> out) override {
    if (!works_) return 0;
    frame_->quality = quality_of(step);
    if (avcodec_send_frame(encoder_.get(), frame_.get()) < 0 ||
        avcodec_receive_packet(encoder_.get(), packet_.get()) < 0) {
      return 0;
    }
    const auto bytes = static_cast<size_t>(packet_->size);
    if (bytes <= out.size()) std::memcpy(out.data(), packet_->data, bytes);
    av_packet_unref(packet_.get());
    return bytes <= out.size() ? bytes : 0;
  }

  bool decode(std::span<const uint8_t> bytes, const J2kBlock& /*whole*/) override {
    if (!works_ || av_new_packet(packet_.get(), static_cast<int>(bytes.size())) < 0) return false;
    std::memcpy(packet_->data, bytes.data(), bytes.size());
    const bool done = avcodec_send_packet(decoder_.get(), packet_.get()) >= 0 &&
                      avcodec_receive_frame(decoder_.get(), decoded_.get()) >= 0;
    av_packet_unref(packet_.get());
    av_frame_unref(decoded_.get());
    return done;
  }

 private:
  sail::AvPtr<AVFrame> frame_;
  sail::AvPtr<AVPacket> packet_;
  sail::AvPtr<AVFrame> decoded_;
  sail::AvPtr<AVCodecContext> encoder_;
  sail::AvPtr<AVCodecContext> decoder_;
  bool works_ = false;
};

}  // namespace

MakeJ2kCoder ffmpeg_jpeg2000(const codecs::ImageView& frame) {
  return [&frame] { return std::make_unique<FfmpegCoder>(frame); };
}

}  // namespace bench
