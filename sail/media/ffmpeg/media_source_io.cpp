#include "sail/media/ffmpeg/media_source_io.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <span>
#include <utility>

#include "sail/media/source/raw_source.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

constexpr int kBufferBytes = 64 << 10;  // longer reads bypass the buffer

constexpr int kPipeBytes = 64 << 10;  // the capacity of a kernel pipe

}  // namespace

Result<std::unique_ptr<MediaIo>> MediaIo::open(const std::string& name, GiveUp give_up) {
  auto source = open_bytes(name, give_up);
  if (!source) {
    const bool no_file = source.error().code == ErrorCode::kUnavailable && !is_ours_alone(name);
    if (is_far(name) && !no_file) return source.error();
    return nullptr;
  }
  return std::unique_ptr<MediaIo>(new MediaIo(std::move(*source), std::move(give_up)));
}

MediaIo::MediaIo(std::unique_ptr<const ByteSource> source, GiveUp give_up)
    : source_(std::move(source)), give_up_(std::move(give_up)), ahead_(*source_) {}

AVIOContext* MediaIo::rewound() {
  place_ = 0;
  context_ = reading_io(kBufferBytes, this, &MediaIo::read, &MediaIo::seek);
  return context_.get();
}

int MediaIo::read(void* self, uint8_t* bytes, int count) {
  auto& io = *static_cast<MediaIo*>(self);
  if (io.give_up_ && io.give_up_()) return AVERROR_EXIT;
  const std::span<uint8_t> room(bytes, static_cast<size_t>(count));
  auto got = io.ahead_.read(io.place_, room, io.give_up_);
  if (!got) {
    if (got.error().code == ErrorCode::kTimeout) return AVERROR_EXIT;
    io.failure_ = std::move(got.error().message);
    return AVERROR(EIO);
  }
  if (*got == 0) return AVERROR_EOF;
  io.place_ += *got;
  return static_cast<int>(*got);
}

int64_t MediaIo::seek(void* self, int64_t offset, int whence) {
  auto& io = *static_cast<MediaIo*>(self);
  const auto size = io.source_->size();
  if (!size) return AVERROR(EIO);
  const auto end = static_cast<int64_t>(*size);
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE:
      return end;
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += static_cast<int64_t>(io.place_);
      break;
    case SEEK_END:
      offset += end;
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  io.place_ = static_cast<uint64_t>(offset);
  return offset;
}

MediaPipe::MediaPipe(int descriptor, std::function<bool()> give_up)
    : descriptor_(descriptor),
      give_up_(std::move(give_up)),
      context_(reading_io(kPipeBytes, this, &MediaPipe::read, nullptr)) {
  if (context_) context_->seekable = 0;
}

int MediaPipe::read(void* self, uint8_t* bytes, int count) {
  auto& pipe = *static_cast<MediaPipe*>(self);
  const std::span<uint8_t> room(bytes, static_cast<size_t>(count));
  const auto got = read_some(pipe.descriptor_, room, pipe.give_up_);
  if (!got) return got.error().code == ErrorCode::kTimeout ? AVERROR_EXIT : AVERROR(EIO);
  return *got == 0 ? AVERROR_EOF : static_cast<int>(*got);
}

}  // namespace sail
