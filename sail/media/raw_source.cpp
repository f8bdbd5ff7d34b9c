#include "sail/media/raw_source.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

namespace sail {
namespace {

constexpr int kAskEveryMs = 50;
constexpr double kSecond = 1e9;

size_t luma_bytes(Size size) {
  return static_cast<size_t>(size.width) * static_cast<size_t>(size.height);
}

Size chroma_size(const RawFormat& format) {
  if (format.pixels == SAIL_I444) return format.size;
  const bool every_row = format.pixels == SAIL_NV16 || format.pixels == SAIL_I422;
  const int rows = every_row ? format.size.height : (format.size.height + 1) / 2;
  return {(format.size.width + 1) / 2, rows};
}

size_t frame_bytes(const RawFormat& format) {
  switch (format.pixels) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      return luma_bytes(format.size) * 4;
    case SAIL_RGB:
      return luma_bytes(format.size) * 3;
    case SAIL_NV12:
    case SAIL_NV16:
    case SAIL_I420:
    case SAIL_I422:
    case SAIL_I444:
      return luma_bytes(format.size) + 2 * luma_bytes(chroma_size(format));
    default:  // no RawFormat
      return 0;
  }
}

sail_frame describe(const RawFormat& format, const uint8_t* bytes) {
  const int width = format.size.width;
  const Size chroma = chroma_size(format);
  const uint8_t* second = bytes + luma_bytes(format.size);
  sail_frame frame{};
  frame.format = format.pixels;
  frame.planes[0] = bytes;
  switch (format.pixels) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      frame.strides[0] = ptrdiff_t{width} * 4;
      break;
    case SAIL_RGB:
      frame.strides[0] = ptrdiff_t{width} * 3;
      break;
    case SAIL_NV12:
    case SAIL_NV16:
      frame.strides[0] = width;
      frame.planes[1] = second;
      frame.strides[1] = ptrdiff_t{chroma.width} * 2;
      break;
    case SAIL_I420:
    case SAIL_I422:
    case SAIL_I444:
      frame.strides[0] = width;
      frame.planes[1] = second;
      frame.planes[2] = second + luma_bytes(chroma);
      frame.strides[1] = frame.strides[2] = chroma.width;
      break;
    default:  // no RawFormat
      break;
  }
  frame.matrix = width >= 1280 || format.size.height >= 720 ? SAIL_BT709 : SAIL_BT601;
  frame.range = SAIL_LIMITED;
  return frame;
}

}  // namespace

RawSource::RawSource(int descriptor, const RawFormat& format, std::function<bool()> interrupted)
    : descriptor_(descriptor), format_(format), interrupted_(std::move(interrupted)) {
  info_.live = true;
  info_.description =
      fmt::format("raw, {}x{}, {:g} fps", format.size.width, format.size.height, format.fps);
}

Result<size_t> RawSource::read_frame(std::vector<uint8_t>& bytes) {
  size_t have = 0;
  while (have < bytes.size()) {
    pollfd ready{descriptor_, POLLIN, 0};
    const int polled = poll(&ready, 1, kAskEveryMs);
    if (interrupted_ && interrupted_()) return have;
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t got = read(descriptor_, bytes.data() + have, bytes.size() - have);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      return fail(ErrorCode::kIo, fmt::format("cannot read frames: {}", std::strerror(errno)));
    }
    have += static_cast<size_t>(got);
  }
  return have;
}

Result<std::optional<Picture>> RawSource::next() {
  auto loan = memory_.take(frame_bytes(format_));
  std::vector<uint8_t>& bytes = loan->memory;
  const auto have = read_frame(bytes);
  if (!have) return tl::make_unexpected(have.error());
  if (*have < bytes.size()) {
    if (*have == 0 || (interrupted_ && interrupted_())) return std::nullopt;
    return fail(ErrorCode::kBadData,
                fmt::format("the input ends within frame {}: {} bytes of {} came", frames_ + 1,
                            *have, bytes.size()));
  }
  Picture picture;
  picture.pixels = describe(format_, bytes.data());
  memory_.lend(std::move(loan), picture);
  picture.size = picture.display_size = format_.size;
  if (format_.fps > 0) {
    picture.pts_ns = std::llround(static_cast<double>(frames_) * kSecond / format_.fps);
    picture.duration_ns = std::llround(kSecond / format_.fps);
  }
  ++frames_;
  return std::optional<Picture>(std::move(picture));
}

Result<void> RawSource::seek(int64_t /*position_ns*/) {
  return fail(ErrorCode::kUnavailable, "cannot seek in frames that come on standard input");
}

}  // namespace sail
