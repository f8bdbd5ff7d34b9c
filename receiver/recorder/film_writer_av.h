// Owning pointers for FFmpeg's objects, and wrappers for API differences between its versions (5.1
// to 7.1). Only for the film_writer files.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavdevice/version.h>
#include <libavformat/avformat.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace receiver {

struct AvFree {
  void operator()(AVFormatContext* context) const { avformat_free_context(context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
  void operator()(SwrContext* context) const { swr_free(&context); }
};

template <typename T>
using AvPtr = std::unique_ptr<T, AvFree>;

inline std::string words_of(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> words{};
  av_strerror(error, words.data(), words.size());
  return words.data();
}

// avformat_query_codec() does not know these muxers, which support more codecs than it reports.
inline bool takes(const AVOutputFormat& format, AVCodecID codec) {
  for (const char* carrier : {"mpegts", "rtp_mpegts", "rtsp"}) {
    if (std::string_view(format.name) == carrier) return true;
  }
  return avformat_query_codec(&format, codec, FF_COMPLIANCE_NORMAL) == 1;
}

// Returns the encoder's pixel formats, terminated by AV_PIX_FMT_NONE; null: not specified.
inline const AVPixelFormat* pixel_formats(const AVCodec& encoder) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void* formats = nullptr;
  avcodec_get_supported_config(nullptr, &encoder, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, nullptr);
  return static_cast<const AVPixelFormat*>(formats);
#else
  return encoder.pix_fmts;
#endif
}

// Returns the encoder's sample formats, terminated by AV_SAMPLE_FMT_NONE; null: not specified.
inline const AVSampleFormat* sample_formats(const AVCodec& encoder) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void* formats = nullptr;
  avcodec_get_supported_config(nullptr, &encoder, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &formats,
                               nullptr);
  return static_cast<const AVSampleFormat*>(formats);
#else
  return encoder.sample_fmts;
#endif
}

}  // namespace receiver
