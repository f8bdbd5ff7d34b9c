// Owning pointers for FFmpeg's objects, and wrappers for names that differ between FFmpeg 5.1 and
// 7.1. Only for the media_source files.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/buffer.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
}

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace sail {

constexpr AVRational kNanoseconds{1, 1'000'000'000};

struct AvFree {
  void operator()(AVIOContext* io) const { avio_closep(&io); }
  void operator()(AVFormatContext* context) const { avformat_close_input(&context); }
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
  void operator()(SwrContext* context) const { swr_free(&context); }
  void operator()(SwsContext* context) const { sws_freeContext(context); }
  void operator()(AVBufferPool* pool) const { av_buffer_pool_uninit(&pool); }
};

template <typename T>
using AvPtr = std::unique_ptr<T, AvFree>;
using AvFramePtr = AvPtr<AVFrame>;

// Frees a context of avio_alloc_context with its buffer, which FFmpeg may have replaced.
struct AvIoFree {
  void operator()(AVIOContext* io) const {
    av_freep(&io->buffer);
    avio_context_free(&io);
  }
};
using AvIoPtr = std::unique_ptr<AVIOContext, AvIoFree>;

// Creates an I/O context that reads through callbacks, which receive `self`. seek may be null.
// Null: out of memory.
inline AvIoPtr reading_io(int buffer_bytes, void* self, int (*read)(void*, uint8_t*, int),
                          int64_t (*seek)(void*, int64_t, int)) {
  auto* buffer = static_cast<uint8_t*>(av_malloc(static_cast<size_t>(buffer_bytes)));
  if (!buffer) return nullptr;
  AvIoPtr io(avio_alloc_context(buffer, buffer_bytes, 0, self, read, nullptr, seek));
  if (!io) av_free(buffer);
  return io;
}

// The text for an FFmpeg error code.
inline std::string words_of(int error) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> words{};
  return av_make_error_string(words.data(), words.size(), error);
}

// In the stream's time base; 0: unknown.
inline int64_t frame_duration(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame.duration;
#else
  return frame.pkt_duration;
#endif
}

inline void set_frame_duration(AVFrame& frame, int64_t duration) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  frame.duration = duration;
#else
  frame.pkt_duration = duration;
#endif
}

inline bool is_interlaced(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame.interlaced_frame != 0;
#endif
}

inline void set_interlaced(AVFrame& frame, bool top_field_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  frame.flags |= AV_FRAME_FLAG_INTERLACED;
  if (top_field_first) frame.flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  frame.interlaced_frame = 1;
  frame.top_field_first = top_field_first ? 1 : 0;
#endif
}

// Side data of the stream in the container, such as its rotation; empty: none.
inline std::span<const uint8_t> stream_side_data(const AVStream& stream,
                                                 AVPacketSideDataType type) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
  const AVPacketSideData* side = av_packet_side_data_get(stream.codecpar->coded_side_data,
                                                         stream.codecpar->nb_coded_side_data, type);
  if (side == nullptr) return {};
  return {side->data, side->size};
#else
  size_t bytes = 0;
  const uint8_t* data = av_stream_get_side_data(&stream, type, &bytes);
  if (data == nullptr) return {};
  return {data, bytes};
#endif
}

}  // namespace sail
