#include "tests/bench/codec/scene.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <cstring>
#include <utility>

#include "sail/media/ffmpeg/media_source_av.h"

namespace bench {
namespace {

using codecs::CodecId;

constexpr const char* kKernel = "ffmpeg-texturedsp";

// Identifiers of the three textures: FFmpeg's option, the container's tag, and the low half of a
// frame header's last byte (the high half, 0xA, means "no second-stage compression"). Vidvox, "Hap
// Video".
struct Texture {
  const char* option;
  uint32_t tag;
  uint8_t type;
};

Texture texture_of(CodecId codec) {
  switch (codec) {
    case CodecId::kDxt1:
      return {"hap", MKTAG('H', 'a', 'p', '1'), 0xAB};
    case CodecId::kDxt5:
      return {"hap_alpha", MKTAG('H', 'a', 'p', '5'), 0xAE};
    default:
      break;
  }
  return {"hap_q", MKTAG('H', 'a', 'p', 'Y'), 0xAF};
}

// A frame starts with its payload size in three bytes, and the type; if the size is 0, the next
// four bytes contain it.
constexpr size_t kLongHeader = 8;

const uint8_t* payload(const AVPacket& packet) {
  const bool is_long = (packet.data[0] | packet.data[1] | packet.data[2]) == 0;
  return packet.data + (is_long ? kLongHeader : kLongHeader / 2);
}

// Passes the pixels with an owner, because FFmpeg would copy a frame without one.
sail::AvPtr<AVFrame> frame_of(const Picture& picture) {
  sail::AvPtr<AVFrame> frame(av_frame_alloc());
  auto* pixels = const_cast<uint8_t*>(picture.pixels.data());
  frame->buf[0] = av_buffer_create(
      pixels, picture.pixels.size(), [](void*, uint8_t*) {}, nullptr, AV_BUFFER_FLAG_READONLY);
  frame->data[0] = pixels;
  frame->linesize[0] = static_cast<int>(picture.stride());
  frame->format = AV_PIX_FMT_RGBA;
  frame->width = picture.size.width;
  frame->height = picture.size.height;
  return frame;
}

sail::AvPtr<AVCodecContext> context_of(const AVCodec* codec, sail::Size size, int threads) {
  sail::AvPtr<AVCodecContext> context(avcodec_alloc_context3(codec));
  context->width = size.width;
  context->height = size.height;
  context->time_base = {1, 1};
  context->thread_count = threads;
  context->thread_type = FF_THREAD_SLICE;
  return context;
}

// FFmpeg allocates each packet; at its speed the cost is negligible.
class Encoder {
 public:
  Encoder(const AVCodec* codec, const Texture& texture, const Picture& picture, int threads)
      : context_(context_of(codec, picture.size, threads)),
        frame_(frame_of(picture)),
        packet_(av_packet_alloc()) {
    context_->pix_fmt = AV_PIX_FMT_RGBA;
    av_opt_set(context_->priv_data, "format", texture.option, 0);
    av_opt_set(context_->priv_data, "compressor", "none", 0);
    av_opt_set_int(context_->priv_data, "chunks", 1, 0);
    works_ = avcodec_open2(context_.get(), codec, nullptr) >= 0;
    if (works_) run();
  }

  bool works() const { return works_; }
  const uint8_t* blocks() const { return payload(*packet_); }

  void run() {
    works_ = avcodec_send_frame(context_.get(), frame_.get()) >= 0 &&
             avcodec_receive_packet(context_.get(), packet_.get()) >= 0;
  }

 private:
  sail::AvPtr<AVCodecContext> context_;
  sail::AvPtr<AVFrame> frame_;
  sail::AvPtr<AVPacket> packet_;
  bool works_ = false;
};

class Decoder {
 public:
  Decoder(const AVCodec* codec, const Texture& texture, const uint8_t* blocks, size_t bytes,
          sail::Size size, int threads)
      : context_(context_of(codec, size, threads)),
        packet_(av_packet_alloc()),
        frame_(av_frame_alloc()) {
    context_->codec_tag = texture.tag;
    if (av_new_packet(packet_.get(), static_cast<int>(kLongHeader + bytes)) < 0) return;
    const uint8_t header[kLongHeader] = {0,
                                         0,
                                         0,
                                         texture.type,
                                         static_cast<uint8_t>(bytes),
                                         static_cast<uint8_t>(bytes >> 8),
                                         static_cast<uint8_t>(bytes >> 16),
                                         static_cast<uint8_t>(bytes >> 24)};
    std::memcpy(packet_->data, header, kLongHeader);
    std::memcpy(packet_->data + kLongHeader, blocks, bytes);
    works_ = avcodec_open2(context_.get(), codec, nullptr) >= 0;
    if (works_) run();
  }

  bool works() const { return works_; }

  void run() {
    works_ = avcodec_send_packet(context_.get(), packet_.get()) >= 0 &&
             avcodec_receive_frame(context_.get(), frame_.get()) >= 0;
  }

  void copy_to(uint8_t* pixels) const {
    const size_t row_bytes = size_t{4} * static_cast<size_t>(frame_->width);
    for (int y = 0; y < frame_->height; ++y, pixels += row_bytes) {
      std::memcpy(pixels, frame_->data[0] + ptrdiff_t{frame_->linesize[0]} * y, row_bytes);
    }
  }

 private:
  sail::AvPtr<AVCodecContext> context_;
  sail::AvPtr<AVPacket> packet_;
  sail::AvPtr<AVFrame> frame_;
  bool works_ = false;
};

// FFmpeg's own threads use all cores.
template <typename Coder>
Work work_of(std::shared_ptr<Coder> alone, std::shared_ptr<Coder> together) {
  return {[alone = std::move(alone)] { alone->run(); },
          [together = std::move(together)](sail::WorkerPool&) { together->run(); }};
}

Candidate named(const Scene& scene, CodecId codec, Side side) {
  Candidate candidate;
  candidate.codec = codec;
  candidate.mode = "good";  // a fit along the principal axis, then one refinement
  candidate.kernel = kKernel;
  candidate.side = side;
  candidate.content = scene.picture().name;
  return candidate;
}

void add_encoder(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  const AVCodec* encoder = avcodec_find_encoder_by_name("hap");
  if (encoder == nullptr) return;
  const Texture texture = texture_of(codec);
  const int threads = scene.pool().threads() + 1;
  const auto on = [&](const Picture& picture, int count) {
    return std::make_shared<Encoder>(encoder, texture, picture, count);
  };
  const auto whole = on(scene.picture(), threads);
  const auto alone = on(scene.slow_sample(), 1), together = on(scene.slow_sample(), threads);
  if (!whole->works() || !alone->works() || !together->works()) return;

  Candidate candidate = named(scene, codec, Side::kEncode);
  const size_t bytes =
      codecs::dxt_bytes(codec, scene.picture().size.width, scene.picture().size.height);
  const Work judged = {
      {}, [&](sail::WorkerPool&) { std::memcpy(scene.block_target(), whole->blocks(), bytes); }};
  candidate.psnr_db = scene.encoded_psnr_db(codec, judged, scene.picture());
  candidate.pixels = scene.slow_sample().pixel_count();
  candidate.sampled = true;
  candidate.work = work_of(alone, together);
  candidates.push_back(std::move(candidate));
}

// Verified: FFmpeg's decoder and ours give the same pictures from the same blocks (4K, FFmpeg 5.1):
// within 1 level for DXT1 and DXT5, with equal alpha, and within 2 for YCoCg.
void add_decoder(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  const AVCodec* decoder = avcodec_find_decoder_by_name("hap");
  if (decoder == nullptr) return;
  const sail::Size size = scene.picture().size;
  const auto with = [&](int threads) {
    return std::make_shared<Decoder>(decoder, texture_of(codec), scene.blocks(codec),
                                     codecs::dxt_bytes(codec, size.width, size.height), size,
                                     threads);
  };
  const auto alone = with(1), together = with(scene.pool().threads() + 1);
  if (!alone->works() || !together->works()) return;
  const Work judged = {{}, [&](sail::WorkerPool&) { together->copy_to(scene.pixel_target()); }};

  Candidate candidate = named(scene, codec, Side::kDecode);
  candidate.psnr_db = scene.decoded_psnr_db(codec, judged, codecs::PixelFormat::kRgba);
  candidate.pixels = scene.picture().pixel_count();
  candidate.work = work_of(alone, together);
  candidates.push_back(std::move(candidate));
}

}  // namespace

void add_hap(Scene& scene, CodecId codec, std::vector<Candidate>& candidates) {
  add_encoder(scene, codec, candidates);
  add_decoder(scene, codec, candidates);
}

}  // namespace bench
