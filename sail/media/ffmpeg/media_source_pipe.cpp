#include "sail/media/ffmpeg/media_source_pipe.h"

#include <cstddef>
#include <span>
#include <utility>

#include "sail/media/source/input_pipe.h"

namespace sail {
namespace {

constexpr int kPipeBytes = 64 << 10;  // the capacity of a kernel pipe

}  // namespace

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
