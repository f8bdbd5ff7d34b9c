#include "tests/bench/codec/image_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "sail/media/ffmpeg/media_source_av.h"

namespace bench {
namespace {

sail::AvPtr<AVFormatContext> open_file(const std::string& path) {
  AVFormatContext* format = nullptr;
  if (avformat_open_input(&format, ("file:" + path).c_str(), nullptr, nullptr) < 0) return nullptr;
  sail::AvPtr<AVFormatContext> owner(format);
  if (avformat_find_stream_info(format, nullptr) < 0) return nullptr;
  if (format->duration > AV_TIME_BASE) {
    av_seek_frame(format, -1, format->duration / 2, AVSEEK_FLAG_BACKWARD);
  }
  return owner;
}

sail::AvPtr<AVCodecContext> open_decoder(const AVFormatContext& format, int stream) {
  const AVCodecParameters* parameters = format.streams[stream]->codecpar;
  const AVCodec* decoder = avcodec_find_decoder(parameters->codec_id);
  sail::AvPtr<AVCodecContext> context(avcodec_alloc_context3(decoder));
  if (!context || avcodec_parameters_to_context(context.get(), parameters) < 0 ||
      avcodec_open2(context.get(), decoder, nullptr) < 0) {
    return nullptr;
  }
  return context;
}

// Decodes the next frame; null if there is none.
sail::AvPtr<AVFrame> decode_frame(AVFormatContext& format, AVCodecContext& decoder, int stream) {
  sail::AvPtr<AVFrame> frame(av_frame_alloc());
  sail::AvPtr<AVPacket> packet(av_packet_alloc());
  bool ended = false;
  for (;;) {
    const int received = avcodec_receive_frame(&decoder, frame.get());
    if (received >= 0) return frame;
    if (received != AVERROR(EAGAIN) || ended) return nullptr;
    ended = av_read_frame(&format, packet.get()) < 0;
    if (ended) {
      avcodec_send_packet(&decoder, nullptr);
    } else if (packet->stream_index == stream) {
      avcodec_send_packet(&decoder, packet.get());
    }
    av_packet_unref(packet.get());
  }
}

// Converts the frame to R, G, B, 255, scaled down to cover `size` if it is larger in both
// directions.
bool convert(const AVFrame& frame, sail::Size size, Picture& out) {
  const double scale = std::min(1.0, std::max(static_cast<double>(size.width) / frame.width,
                                              static_cast<double>(size.height) / frame.height));
  const auto scaled = [&](int side) { return std::max(1, static_cast<int>(side * scale + 0.5)); };
  out = Picture(out.name, {scaled(frame.width), scaled(frame.height)});
  const sail::AvPtr<SwsContext> scaler(sws_getContext(
      frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), out.size.width,
      out.size.height, AV_PIX_FMT_RGBA, SWS_LANCZOS | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT,
      nullptr, nullptr, nullptr));
  if (!scaler) return false;
  uint8_t* planes[] = {out.pixels.data()};
  const int strides[] = {static_cast<int>(out.stride())};
  if (sws_scale(scaler.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) < 0) {
    return false;
  }
  for (int64_t i = 0; i < out.pixel_count(); ++i) out.pixels.data()[4 * i + 3] = 255;
  return true;
}

// Reflects a position back and forth along a side.
int mirrored(int at, int side) {
  const int within = at % (2 * side);
  return within < side ? within : 2 * side - 1 - within;
}

Picture fill_with(const Picture& part, sail::Size size) {
  Picture whole(part.name, size);
  const int left = std::max(0, (part.size.width - size.width) / 2);
  const int top = std::max(0, (part.size.height - size.height) / 2);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      std::memcpy(whole.at(x, y),
                  part.at(mirrored(x + left, part.size.width), mirrored(y + top, part.size.height)),
                  4);
    }
  }
  return whole;
}

}  // namespace

sail::Result<Picture> read_image(const std::string& path, sail::Size size) {
  const auto unreadable = [&](const char* why) {
    return sail::fail(sail::ErrorCode::kIo, fmt::format("{}: {}", path, why));
  };
  const sail::AvPtr<AVFormatContext> format = open_file(path);
  if (!format) return unreadable("not there, or no picture that FFmpeg can open");
  const int stream = av_find_best_stream(format.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (stream < 0) return unreadable("has no picture");
  const sail::AvPtr<AVCodecContext> decoder = open_decoder(*format, stream);
  if (!decoder) return unreadable("no decoder for it");
  const sail::AvPtr<AVFrame> frame = decode_frame(*format, *decoder, stream);
  if (!frame) return unreadable("cannot be decoded");
  Picture part(std::filesystem::path(path).filename().string(), {0, 0});
  if (!convert(*frame, size, part)) return unreadable("cannot be converted");
  return fill_with(part, size);
}

}  // namespace bench
