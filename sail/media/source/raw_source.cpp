#include "sail/media/source/raw_source.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "codecs/base/format.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int kAskEveryMs = 50;

size_t samples_of(Size size) {
  return static_cast<size_t>(size.width) * static_cast<size_t>(size.height);
}

Size chroma_size(const RawFormat& format) {
  const int half_width = (format.size.width + 1) / 2;
  switch (format.pixels) {
    case SAIL_I444:
    case SAIL_I444_DEEP:
      return format.size;
    case SAIL_NV16:
    case SAIL_I422:
    case SAIL_I422_DEEP:
      return {half_width, format.size.height};
    default:
      return {half_width, (format.size.height + 1) / 2};
  }
}

// Number of interleaved components in the first plane.
int packed_components(sail_pixel_format pixels) {
  switch (pixels) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      return 4;
    case SAIL_RGB:
    case SAIL_RGB_DEEP:
      return 3;
    default:
      return 1;
  }
}

size_t sample_bytes(const RawFormat& format) {
  constexpr int kBitsOfByte = 8;
  return format.bits > kBitsOfByte ? 2 : 1;
}

}  // namespace

size_t raw_frame_bytes(const RawFormat& format) {
  const int packed = packed_components(format.pixels);
  if (packed > 1)
    return samples_of(format.size) * static_cast<size_t>(packed) * sample_bytes(format);
  return (samples_of(format.size) + 2 * samples_of(chroma_size(format))) * sample_bytes(format);
}

sail_frame raw_frame(const RawFormat& format, const uint8_t* bytes) {
  const size_t sample = sample_bytes(format);
  const auto stride = [sample](int samples) { return static_cast<ptrdiff_t>(sample) * samples; };
  const int packed = packed_components(format.pixels);
  sail_frame frame{};
  frame.format = format.pixels;
  frame.bits = format.bits;
  frame.planes[0] = bytes;
  frame.strides[0] = stride(format.size.width * packed);
  if (packed == 1) {
    const Size chroma = chroma_size(format);
    const uint8_t* second = bytes + samples_of(format.size) * sample;
    const bool interleaved =
        codecs::has_interleaved_chroma(static_cast<codecs::PixelFormat>(format.pixels));
    frame.planes[1] = second;
    frame.strides[1] = stride(chroma.width * (interleaved ? 2 : 1));
    if (!interleaved) {
      frame.planes[2] = second + samples_of(chroma) * sample;
      frame.strides[2] = frame.strides[1];
    }
  }
  const bool high_definition = format.size.width >= 1280 || format.size.height >= 720;
  frame.matrix = high_definition ? SAIL_BT709 : SAIL_BT601;
  frame.range = SAIL_LIMITED;
  return frame;
}

Result<size_t> read_some(int descriptor, std::span<uint8_t> room,
                         const std::function<bool()>& give_up) {
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    const int polled = poll(&ready, 1, kAskEveryMs);
    if (give_up && give_up()) return fail(ErrorCode::kTimeout, "given up");
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    const ssize_t got = read(descriptor, room.data(), room.size());
    if (got >= 0) return static_cast<size_t>(got);
    if (errno == EINTR || errno == EAGAIN) continue;
    return fail(ErrorCode::kIo, fmt::format("cannot read the input: {}", std::strerror(errno)));
  }
}

RawSource::RawSource(int descriptor, const RawFormat& format, std::function<bool()> interrupted)
    : descriptor_(descriptor), format_(format), interrupted_(std::move(interrupted)) {
  info_.live = true;
  info_.description =
      fmt::format("raw, {}x{}, {:g} fps", format.size.width, format.size.height, format.fps);
}

Result<size_t> RawSource::read_frame(std::vector<uint8_t>& bytes) {
  size_t have = 0;
  while (have < bytes.size()) {
    const auto got = read_some(descriptor_, std::span(bytes).subspan(have), interrupted_);
    if (!got && got.error().code == ErrorCode::kTimeout) return have;
    if (!got) return got.error();
    if (*got == 0) break;
    have += *got;
  }
  return have;
}

Result<std::optional<Picture>> RawSource::next() {
  auto loan = memory_.take(raw_frame_bytes(format_));
  std::vector<uint8_t>& bytes = loan->memory;
  const auto have = read_frame(bytes);
  if (!have) return have.error();
  if (*have < bytes.size()) {
    if (*have == 0 || (interrupted_ && interrupted_())) return std::nullopt;
    return fail(ErrorCode::kBadData,
                fmt::format("the input ends within frame {}: received {} of {} bytes", frames_ + 1,
                            *have, bytes.size()));
  }
  Picture picture;
  picture.pixels = raw_frame(format_, bytes.data());
  memory_.lend(std::move(loan), picture);
  picture.size = picture.display_size = format_.size;
  if (format_.fps > 0) {
    picture.pts_ns = std::llround(static_cast<double>(frames_) * kSecondNs / format_.fps);
    picture.duration_ns = std::llround(kSecondNs / format_.fps);
  }
  ++frames_;
  return std::optional<Picture>(std::move(picture));
}

Result<void> RawSource::seek(int64_t /*position_ns*/) {
  return fail(ErrorCode::kUnavailable, "cannot seek in frames from standard input");
}

}  // namespace sail
