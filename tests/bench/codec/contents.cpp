#include "tests/bench/codec/contents.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "sail/media/ffmpeg/media_source_av.h"
#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

uint8_t to_byte(double value) {
  return static_cast<uint8_t>(std::clamp(value, 0.0, 255.0));
}

// A fully saturated colour; hue 0 … 1 is the whole colour circle.
void set_hue(double hue, double level, uint8_t* rgba) {
  for (int c = 0; c < 3; ++c) {
    const double away = std::abs(std::fmod(hue + 1 - c / 3.0, 1.0) * 6 - 3);
    rgba[c] = to_byte(255 * level * std::clamp(away - 1, 0.0, 1.0));
  }
}

void set_grey(double value, uint8_t* rgba) {
  for (int c = 0; c < 3; ++c) rgba[c] = to_byte(value);
}

// A pixel of the test card at (u, v), both from 0 to 1.
void test_card_pixel(int x, int y, double u, double v, uint8_t* rgba) {
  if (v < 0.15) {  // eight bars
    const auto bits = 7 - static_cast<unsigned>(u * 8);
    for (unsigned c = 0; c < 3; ++c) rgba[c] = (bits >> (c == 0 ? 1 : c == 1 ? 2 : 0) & 1) * 255;
  } else if (v < 0.2) {
    set_grey(255 * u, rgba);
  } else if (v < 0.3) {  // checks of 1 … 64 pixels in two colours
    const int shift = static_cast<int>(u * 7);
    const bool odd = ((x >> shift ^ y >> shift) & 1) != 0;
    set_hue(std::floor(u * 14) / 14 + (odd ? 0.5 : 0), 1, rgba);
  } else if (v < 0.85) {  // diagonal colour gradients cut by steps, with discs
    const double disc_u = std::fmod(u * 8, 1.0) - 0.5, disc_v = std::fmod(v * 4.5, 1.0) - 0.5;
    if (disc_u * disc_u + disc_v * disc_v < 0.1) {
      set_hue(std::floor(u * 8) / 8 + 0.5, 0.8, rgba);
      return;
    }
    const int steps = (x / 96 ^ y / 96) & 15;
    set_hue(std::fmod(u + v, 1.0), 0.25 + steps / 20.0, rgba);
  } else {  // rings that become finer
    const double du = u - 0.5, dv = (v - 0.925) * 9 / 16;
    set_grey(127.5 + 127.5 * std::cos(3000 * (du * du + dv * dv)), rgba);
  }
}

void draw_test_card(Picture& picture, sail::WorkerPool& pool) {
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    test_card_pixel(x, y, static_cast<double>(x) / picture.size.width,
                    static_cast<double>(y) / picture.size.height, rgba);
    rgba[3] = 255;
  });
}

// Iterations until z² + c leaves the circle, smoothed; 0 inside the set.
double escape_time(double cr, double ci) {
  constexpr int kMost = 160;
  double zr = 0, zi = 0;
  for (int i = 0; i < kMost; ++i) {
    const double next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    const double square = zr * zr + zi * zi;
    if (square > 64) return i + 1 - std::log2(std::log2(square) / 6);
  }
  return 0;
}

void draw_fractal(Picture& picture, sail::WorkerPool& pool) {
  const double step = 0.018 / picture.size.width;
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    const double time = escape_time(-0.7555 + step * x, 0.113 + step * y);
    for (int c = 0; c < 3; ++c) {
      const double colour = time > 0 ? 127 + 110 * std::sin(time * (0.13 + 0.05 * c) + c) : 20;
      const double noise =
          hash(static_cast<uint32_t>(x), static_cast<uint32_t>(y), static_cast<uint32_t>(50 + c)) &
          31;
      rgba[c] = to_byte(colour + noise - 16);
    }
    rgba[3] = 255;
  });
}

// Soft patches of alpha, and a row of sharp stripes.
void draw_translucent(Picture& picture, sail::WorkerPool& pool) {
  draw_photo(picture, 2, pool);
  picture.translucent = true;
  paint_pixels(picture, pool, [&](int x, int y, uint8_t* rgba) {
    const double soft = 0.7 * value_noise(x, y, 211, 90) + 0.25 * value_noise(x, y, 37, 91) +
                        0.05 * value_noise(x, y, 3, 92);
    const bool stripes = y % 400 < 40;
    rgba[3] = stripes ? (x / 24 % 2 != 0 ? 255 : 0) : to_byte(255 * (soft * 2.2 - 0.6));
  });
}

}  // namespace

const std::vector<std::string>& content_names() {
  static const std::vector<std::string> names = {"testcard", "photo", "fractal", "desktop",
                                                 "translucent"};
  return names;
}

Picture draw_content(const std::string& name, sail::Size size, sail::WorkerPool& pool) {
  Picture picture(name, size);
  if (name == "testcard") {
    draw_test_card(picture, pool);
  } else if (name == "photo") {
    draw_photo(picture, 1, pool);
  } else if (name == "fractal") {
    draw_fractal(picture, pool);
  } else if (name == "desktop") {
    draw_desktop(picture, pool);
  } else {
    assert(name == "translucent");
    draw_translucent(picture, pool);
  }
  return picture;
}

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
