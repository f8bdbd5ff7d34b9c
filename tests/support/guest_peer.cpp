#include "tests/support/guest_peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "sail/media/ffmpeg/media_source_av.h"

namespace test {
namespace {

constexpr int kOpcode = 0x0f;
constexpr int kLast = 0x80;
constexpr int kMasked = 0x80;
constexpr int kShort = 126;  // the length follows in 2 bytes
constexpr int kLong = 127;

void put_big_endian(std::string& to, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

// Converts to BT.601, limited range.
std::array<uint8_t, 3> yuv_of(uint32_t colour) {
  const double red = colour >> 16 & 0xff;
  const double green = colour >> 8 & 0xff;
  const double blue = colour & 0xff;
  const double luma = 0.299 * red + 0.587 * green + 0.114 * blue;
  return {static_cast<uint8_t>(16.5 + luma * 219 / 255),
          static_cast<uint8_t>(128.5 + (blue - luma) / 1.772 * 224 / 255),
          static_cast<uint8_t>(128.5 + (red - luma) / 1.402 * 224 / 255)};
}

}  // namespace

PageSocket::PageSocket(uint16_t port, const std::string& origin) {
  descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(descriptor_, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
  send_raw("GET /guest HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
           "\r\nOrigin: " + origin +
           "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
           "Sec-WebSocket-Protocol: vitrail-guest\r\n\r\n");
  size_t end = std::string::npos;
  while ((end = incoming_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill(incoming_.size() + 1)) return;
  }
  status_ = incoming_.substr(0, incoming_.find('\r'));
  incoming_.erase(0, end + 4);
}

PageSocket::~PageSocket() {
  close();
}

void PageSocket::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

bool PageSocket::send_raw(const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t now = ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<size_t>(now);
  }
  return true;
}

bool PageSocket::send(int kind, const std::string& payload) {
  std::string frame(1, static_cast<char>(kLast | kind));
  if (payload.size() < kShort) {
    frame += static_cast<char>(kMasked | payload.size());
  } else if (payload.size() <= 0xffff) {
    frame += static_cast<char>(kMasked | kShort);
    put_big_endian(frame, payload.size(), 2);
  } else {
    frame += static_cast<char>(kMasked | kLong);
    put_big_endian(frame, payload.size(), 8);
  }
  return send_raw(frame + std::string(4, '\0') + payload);  // a mask of zeros changes nothing
}

bool PageSocket::send_hello(const std::string& secret) {
  return send_text(R"({"type":"hello","secret":")" + secret + "\"}");
}

bool PageSocket::fill(size_t bytes) {
  while (incoming_.size() < bytes) {
    std::array<char, 4096> some{};
    const ssize_t got = recv(descriptor_, some.data(), some.size(), 0);
    if (got <= 0) return false;
    incoming_.append(some.data(), static_cast<size_t>(got));
  }
  return true;
}

// Server frames are not masked. A guest's messages are short enough for a 16-bit length.
std::optional<std::string> PageSocket::receive() {
  for (;;) {
    if (!fill(2)) return std::nullopt;
    const int kind = incoming_[0] & kOpcode;
    size_t size = static_cast<uint8_t>(incoming_[1]);
    size_t head = 2;
    if (size == kShort) {
      head = 4;
      if (!fill(head)) return std::nullopt;
      size = static_cast<size_t>(static_cast<uint8_t>(incoming_[2])) << 8 |
             static_cast<uint8_t>(incoming_[3]);
    }
    if (!fill(head + size)) return std::nullopt;
    std::string payload = incoming_.substr(head, size);
    incoming_.erase(0, head + size);
    if (kind == 0x1) return payload;
    if (kind == 0x8) return std::nullopt;
  }
}

std::string video_text(const std::string& codec) {
  return R"({"type":"video","codec":")" + codec + "\"}";
}

std::string chunk_message(bool key, const std::string& bytes) {
  std::string message(sail::kGuestHeaderBytes, '\0');
  message[0] = 1;
  message[1] = key ? 1 : 0;
  return message + bytes;
}

std::string sound_message(int64_t timestamp_us, const std::string& bytes) {
  std::string message(sail::kGuestHeaderBytes, '\0');
  message[0] = 2;
  for (size_t i = 0; i < sizeof timestamp_us; ++i) {
    message[4 + i] = static_cast<char>(timestamp_us >> 8 * i);
  }
  return message + bytes;
}

struct ChunkEncoder::Impl {
  sail::AvPtr<AVCodecContext> codec;
  sail::AvFramePtr frame{av_frame_alloc()};
  sail::AvPtr<AVPacket> packet{av_packet_alloc()};
};

ChunkEncoder::ChunkEncoder(sail::VideoCodec codec, sail::Size size)
    : impl_(std::make_unique<Impl>()) {
  const bool h264 = codec == sail::VideoCodec::kH264;
  const AVCodec* encoder = avcodec_find_encoder_by_name(h264 ? "libx264" : "libvpx");
  if (encoder == nullptr) throw std::runtime_error("FFmpeg lacks an encoder");
  impl_->codec.reset(avcodec_alloc_context3(encoder));
  AVCodecContext& context = *impl_->codec;
  context.width = size.width;
  context.height = size.height;
  context.pix_fmt = AV_PIX_FMT_YUV420P;
  context.time_base = {1, 30};
  context.bit_rate = 4'000'000;
  context.gop_size = 1000;
  context.thread_count = 1;
  if (h264) {
    av_opt_set(context.priv_data, "preset", "ultrafast", 0);
    av_opt_set(context.priv_data, "tune", "zerolatency", 0);
    av_opt_set(context.priv_data, "profile", "baseline", 0);
    av_opt_set(context.priv_data, "forced-idr", "1", 0);
  } else {
    av_opt_set(context.priv_data, "deadline", "realtime", 0);
    av_opt_set(context.priv_data, "lag-in-frames", "0", 0);
  }
  EXPECT_EQ(avcodec_open2(&context, encoder, nullptr), 0);
  impl_->frame->format = context.pix_fmt;
  impl_->frame->width = size.width;
  impl_->frame->height = size.height;
  impl_->frame->pts = -1;
  EXPECT_EQ(av_frame_get_buffer(impl_->frame.get(), 0), 0);
}

ChunkEncoder::~ChunkEncoder() = default;

EncodedChunk ChunkEncoder::encode(const VideoColours& colours, bool key) {
  AVFrame& frame = *impl_->frame;
  EXPECT_EQ(av_frame_make_writable(&frame), 0);
  for (int y = 0; y < frame.height; ++y) {
    for (int x = 0; x < frame.width; ++x) {
      const auto yuv = yuv_of(colours(x, y));
      frame.data[0][y * frame.linesize[0] + x] = yuv[0];
      if ((x | y) % 2 != 0) continue;
      frame.data[1][y / 2 * frame.linesize[1] + x / 2] = yuv[1];
      frame.data[2][y / 2 * frame.linesize[2] + x / 2] = yuv[2];
    }
  }
  ++frame.pts;
  frame.pict_type = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  EXPECT_EQ(avcodec_send_frame(impl_->codec.get(), &frame), 0);
  EXPECT_EQ(avcodec_receive_packet(impl_->codec.get(), impl_->packet.get()), 0);
  AVPacket& packet = *impl_->packet;
  EncodedChunk chunk{
      (packet.flags & AV_PKT_FLAG_KEY) != 0,
      {reinterpret_cast<const char*>(packet.data), static_cast<size_t>(packet.size)}};
  av_packet_unref(&packet);
  return chunk;
}

struct ToneEncoder::Impl {
  int hz = 0;
  sail::AvPtr<AVCodecContext> codec;
  sail::AvFramePtr frame{av_frame_alloc()};
  sail::AvPtr<AVPacket> packet{av_packet_alloc()};
};

ToneEncoder::ToneEncoder(int hz) : impl_(std::make_unique<Impl>()) {
  const AVCodec* encoder = avcodec_find_encoder_by_name("libopus");
  if (encoder == nullptr) throw std::runtime_error("FFmpeg lacks an encoder");
  impl_->hz = hz;
  impl_->codec.reset(avcodec_alloc_context3(encoder));
  AVCodecContext& context = *impl_->codec;
  context.sample_rate = 48000;
  context.sample_fmt = AV_SAMPLE_FMT_FLT;
  context.time_base = {1, context.sample_rate};
  context.bit_rate = 128'000;
  av_channel_layout_default(&context.ch_layout, 2);
  EXPECT_EQ(avcodec_open2(&context, encoder, nullptr), 0);
  AVFrame& frame = *impl_->frame;
  frame.format = context.sample_fmt;
  frame.sample_rate = context.sample_rate;
  frame.nb_samples = context.sample_rate * kPacketMs / 1000;
  frame.pts = 0;
  EXPECT_EQ(av_channel_layout_copy(&frame.ch_layout, &context.ch_layout), 0);
  EXPECT_EQ(av_frame_get_buffer(&frame, 0), 0);
}

ToneEncoder::~ToneEncoder() = default;

std::string ToneEncoder::next() {
  AVFrame& frame = *impl_->frame;
  EXPECT_EQ(av_frame_make_writable(&frame), 0);
  auto* values = reinterpret_cast<float*>(frame.data[0]);
  for (int i = 0; i < frame.nb_samples; ++i) {
    const double at = 2 * std::numbers::pi * impl_->hz * static_cast<double>(frame.pts + i) /
                      impl_->codec->sample_rate;
    values[2 * i] = values[2 * i + 1] = 0.5f * static_cast<float>(std::sin(at));
  }
  EXPECT_EQ(avcodec_send_frame(impl_->codec.get(), &frame), 0);
  EXPECT_EQ(avcodec_receive_packet(impl_->codec.get(), impl_->packet.get()), 0);
  frame.pts += frame.nb_samples;
  std::string bytes(reinterpret_cast<const char*>(impl_->packet->data),
                    static_cast<size_t>(impl_->packet->size));
  av_packet_unref(impl_->packet.get());
  return bytes;
}

}  // namespace test
