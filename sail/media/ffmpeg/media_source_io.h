// I/O contexts through which FFmpeg's demuxers read. Only for the media_source files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/storage/reading/byte_source.h"
#include "sail/media/storage/reading/read_cache.h"

namespace sail {

// Reads our byte sources, with prefetching.
class MediaIo {
 public:
  // Null: no random access (device, pipe, live stream) or a missing file, so FFmpeg opens it
  // itself. give_up: polled while waiting (kTimeout); FFmpeg then gets AVERROR_EXIT.
  static Result<std::unique_ptr<MediaIo>> open(const std::string& name, GiveUp give_up);
  MediaIo(std::unique_ptr<const ByteSource> source, GiveUp give_up);
  MediaIo(const MediaIo&) = delete;
  MediaIo& operator=(const MediaIo&) = delete;

  // Creates a context at the beginning, for a new demuxer. Null: out of memory.
  AVIOContext* rewound();
  // True if the next read need not wait. Also requests the data.
  bool ready() { return ahead_.has(place_); }
  // Why FFmpeg got AVERROR(EIO): a sentence with the offset.
  const std::optional<std::string>& failure() const { return failure_; }
  ReadFigures figures() const { return ahead_.figures(); }

 private:
  static int read(void* self, uint8_t* bytes, int count);
  static int64_t seek(void* self, int64_t offset, int whence);

  const std::unique_ptr<const ByteSource> source_;
  const GiveUp give_up_;
  ReadCache ahead_;
  uint64_t place_ = 0;
  std::optional<std::string> failure_;
  AvIoPtr context_;
};

// Reads a descriptor sequentially.
class MediaPipe {
 public:
  // Does not close the descriptor. give_up: polled while waiting; FFmpeg then gets AVERROR_EXIT.
  MediaPipe(int descriptor, std::function<bool()> give_up);
  MediaPipe(const MediaPipe&) = delete;
  MediaPipe& operator=(const MediaPipe&) = delete;

  AVIOContext* context() { return context_.get(); }  // null: out of memory

 private:
  static int read(void* self, uint8_t* bytes, int count);

  const int descriptor_;
  const std::function<bool()> give_up_;
  AvIoPtr context_;
};

}  // namespace sail
