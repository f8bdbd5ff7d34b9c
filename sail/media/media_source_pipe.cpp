#include "sail/media/media_source_pipe.h"

#include <cstddef>
#include <span>
#include <utility>

#include "sail/media/input_pipe.h"

namespace sail {
namespace {

constexpr int kPipeBytes = 64 << 10;  // what the kernel's pipes hold

}  // namespace

MediaPipe::MediaPipe(int descriptor, std::function<bool()> give_up)
    : descriptor_(descriptor), give_up_(std::move(give_up)) {
  auto* buffer = static_cast<uint8_t*>(av_malloc(kPipeBytes));
  if (!buffer) return;
  context_ = avio_alloc_context(buffer, kPipeBytes, 0, this, &MediaPipe::read, nullptr, nullptr);
  if (!context_) {
    av_free(buffer);
    return;
  }
  context_->seekable = 0;
}

MediaPipe::~MediaPipe() {
  if (!context_) return;
  av_freep(&context_->buffer);
  avio_context_free(&context_);
}

int MediaPipe::read(void* self, uint8_t* bytes, int count) {
  auto& pipe = *static_cast<MediaPipe*>(self);
  const std::span<uint8_t> room(bytes, static_cast<size_t>(count));
  const auto got = read_some(pipe.descriptor_, room, pipe.give_up_);
  if (!got) return got.error().code == ErrorCode::kTimeout ? AVERROR_EXIT : AVERROR(EIO);
  return *got == 0 ? AVERROR_EOF : static_cast<int>(*got);
}

}  // namespace sail
