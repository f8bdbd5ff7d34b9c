#include "sail/media/ffmpeg/media_source_frames.h"

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

#include "sail/media/ffmpeg/media_source_formats.h"

namespace sail {
namespace {

constexpr int kRowAlignment = 64;

struct Plane {
  uint8_t* pixels;
  ptrdiff_t stride;
  int width;   // samples
  int height;  // rows
};

Plane plane_of(const AVFrame& frame, int index) {
  const AVPixFmtDescriptor& shape = *av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  const bool chroma = index > 0;
  return {frame.data[index], frame.linesize[index],
          AV_CEIL_RSHIFT(frame.width, chroma ? shape.log2_chroma_w : 0),
          AV_CEIL_RSHIFT(frame.height, chroma ? shape.log2_chroma_h : 0)};
}

struct Position {
  int x = 0;
  int y = 0;
};

// The stored sample that corresponds to this sample of the upright plane.
Position stored_position(const Plane& stored, Orientation orientation, Position upright) {
  const int last_x = stored.width - 1;
  const int last_y = stored.height - 1;
  Position position = upright;
  if (orientation.quarter_turns == 1) position = {upright.y, last_y - upright.x};
  if (orientation.quarter_turns == 2) position = {last_x - upright.x, last_y - upright.y};
  if (orientation.quarter_turns == 3) position = {last_x - upright.y, upright.x};
  if (orientation.mirrored) position.x = last_x - position.x;
  return position;
}

// Turns a plane of samples of kBytes bytes.
template <size_t kBytes>
void turn_plane(const AVFrame& frame, AVFrame& upright, int index, Orientation orientation) {
  const Plane source = plane_of(frame, index);
  const Plane target = plane_of(upright, index);
  const auto offset = [&](int x, int y) {
    const Position position = stored_position(source, orientation, {x, y});
    return position.y * source.stride + position.x * static_cast<ptrdiff_t>(kBytes);
  };
  const ptrdiff_t begin = offset(0, 0);
  const ptrdiff_t column = offset(1, 0) - begin;
  const ptrdiff_t row = offset(0, 1) - begin;
  for (int y = 0; y < target.height; ++y) {
    uint8_t* to = target.pixels + y * target.stride;
    const uint8_t* from = source.pixels + begin + y * row;
    for (int x = 0; x < target.width; ++x, to += kBytes, from += column) {
      std::memcpy(to, from, kBytes);
    }
  }
}

template <size_t kBytes>
void turn_planes(const AVFrame& frame, AVFrame& upright, Orientation orientation) {
  for (int index = 0; index < 3; ++index) {
    turn_plane<kBytes>(frame, upright, index, orientation);
  }
}

unsigned load(const uint8_t* sample) {
  return sample[0] | unsigned{sample[1]} << 8;
}
void store(uint8_t* sample, unsigned value) {
  sample[0] = static_cast<uint8_t>(value);
  sample[1] = static_cast<uint8_t>(value >> 8);
}

constexpr size_t kSampleBytes = 2;

void pack_planes(const AVFrame& frame, AVFrame& packed) {
  constexpr std::array<int, 3> kPlanes = {2, 0, 1};  // FFmpeg's order is green, blue, red
  for (int y = 0; y < frame.height; ++y) {
    for (size_t channel = 0; channel < kPlanes.size(); ++channel) {
      const int plane = kPlanes[channel];
      const uint8_t* from = frame.data[plane] + static_cast<ptrdiff_t>(y) * frame.linesize[plane];
      uint8_t* to =
          packed.data[0] + static_cast<ptrdiff_t>(y) * packed.linesize[0] + channel * kSampleBytes;
      for (int x = 0; x < frame.width; ++x, from += kSampleBytes, to += 3 * kSampleBytes) {
        std::memcpy(to, from, kSampleBytes);
      }
    }
  }
}

void pack_over_black(const AVFrame& frame, AVFrame& packed) {
  constexpr uint64_t kOpaque = 65535;
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t* from = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    uint8_t* to = packed.data[0] + static_cast<ptrdiff_t>(y) * packed.linesize[0];
    for (int x = 0; x < frame.width; ++x, from += 4 * kSampleBytes) {
      const uint64_t alpha = load(from + 3 * kSampleBytes);
      for (size_t channel = 0; channel < 3; ++channel, to += kSampleBytes) {
        const uint64_t value = load(from + channel * kSampleBytes) * alpha;
        store(to, static_cast<unsigned>((value + kOpaque / 2) / kOpaque));
      }
    }
  }
}

// 255 becomes 65535.
void pack_shallow(const AVFrame& frame, AVFrame& packed) {
  constexpr unsigned kWiden = 257, kOpaque = 255;
  const bool transparent = has_alpha(frame.format);
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t* from = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    uint8_t* to = packed.data[0] + static_cast<ptrdiff_t>(y) * packed.linesize[0];
    for (int x = 0; x < frame.width; ++x, from += transparent ? 4 : 3) {
      const unsigned alpha = transparent ? from[3] : kOpaque;
      for (int channel = 0; channel < 3; ++channel, to += kSampleBytes) {
        store(to, (from[channel] * alpha * kWiden + kOpaque / 2) / kOpaque);
      }
    }
  }
}

// The 12 bits are the upper ones of 16.
void pack_xyz(const AVFrame& frame, AVFrame& packed) {
  constexpr unsigned kUnusedBits = 4;
  for (int y = 0; y < frame.height; ++y) {
    const uint8_t* from = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    uint8_t* to = packed.data[0] + static_cast<ptrdiff_t>(y) * packed.linesize[0];
    for (int i = 0; i < 3 * frame.width; ++i, from += kSampleBytes, to += kSampleBytes) {
      store(to, load(from) >> kUnusedBits);
    }
  }
}

}  // namespace

Result<AvFramePtr> FramePool::make(AVPixelFormat format, Size size) {
  const auto none = [] { return fail(ErrorCode::kLimit, "out of memory"); };
  const int bytes = av_image_get_buffer_size(format, size.width, size.height, kRowAlignment);
  if (bytes < 0) {
    return fail(ErrorCode::kLimit, "pictures of " + std::to_string(size.width) + "x" +
                                       std::to_string(size.height) + " are too large for FFmpeg");
  }
  if (!buffers_ || bytes != bytes_) {
    buffers_.reset(av_buffer_pool_init(static_cast<size_t>(bytes) + kRowAlignment, nullptr));
    bytes_ = bytes;
  }
  AvFramePtr frame(av_frame_alloc());
  if (!frame || !buffers_) return none();
  frame->buf[0] = av_buffer_pool_get(buffers_.get());
  if (!frame->buf[0]) return none();
  av_image_fill_arrays(frame->data, frame->linesize, frame->buf[0]->data, format, size.width,
                       size.height, kRowAlignment);
  frame->format = format;
  frame->width = size.width;
  frame->height = size.height;
  return frame;
}

void lay_over_black(AVFrame& frame) {
  for (int y = 0; y < frame.height; ++y) {
    uint8_t* pixel = frame.data[0] + static_cast<ptrdiff_t>(y) * frame.linesize[0];
    for (int x = 0; x < frame.width; ++x, pixel += 4) {
      const unsigned alpha = pixel[3];
      if (alpha == 255) continue;
      for (int channel = 0; channel < 3; ++channel) {
        pixel[channel] = static_cast<uint8_t>((pixel[channel] * alpha + 127) / 255);
      }
      pixel[3] = 255;
    }
  }
}

Orientation orientation_of(std::span<const int32_t, 9> matrix) {
  // A stored point (x, y) is shown at (a x + c y, b x + d y).
  double a = matrix[0];
  double b = matrix[1];
  const double c = matrix[3];
  const double d = matrix[4];
  Orientation orientation{.mirrored = a * d - b * c < 0};
  if (orientation.mirrored) {
    a = -a;
    b = -b;
  }
  const double width = std::hypot(a, c);
  const double height = std::hypot(b, d);
  if (width == 0 || height == 0) return {};
  const double turns = std::atan2(b / height, a / width) / (std::numbers::pi / 2);
  orientation.quarter_turns = (static_cast<int>(std::lround(turns)) + 4) % 4;
  return orientation;
}

void turn_samples(const AVFrame& frame, AVFrame& upright, Orientation orientation) {
  switch (native_format(frame.format)) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      turn_plane<4>(frame, upright, 0, orientation);
      break;
    case SAIL_RGB:
      turn_plane<3>(frame, upright, 0, orientation);
      break;
    case SAIL_RGB_DEEP:
      turn_plane<3 * kSampleBytes>(frame, upright, 0, orientation);
      break;
    case SAIL_NV12:
    case SAIL_NV16:
      turn_plane<1>(frame, upright, 0, orientation);
      turn_plane<2>(frame, upright, 1, orientation);
      break;
    case SAIL_I420:
    case SAIL_I422:
    case SAIL_I444:
      turn_planes<1>(frame, upright, orientation);
      break;
    case SAIL_I420_DEEP:
    case SAIL_I422_DEEP:
    case SAIL_I444_DEEP:
      turn_planes<kSampleBytes>(frame, upright, orientation);
      break;
  }
}

int pack_samples(const AVFrame& frame, AVFrame& packed) {
  if (is_shallow_rgb(frame.format)) {
    pack_shallow(frame, packed);
    return depth_of(packed.format);
  }
  if (is_xyz(frame.format)) {
    pack_xyz(frame, packed);
  } else if (has_alpha(frame.format)) {
    pack_over_black(frame, packed);
  } else {
    pack_planes(frame, packed);
  }
  return depth_of(frame.format);
}

}  // namespace sail
