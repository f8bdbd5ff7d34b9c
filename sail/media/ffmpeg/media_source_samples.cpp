#include "sail/media/ffmpeg/media_source_samples.h"

#include <array>
#include <cstring>

#include "sail/media/ffmpeg/media_source_formats.h"

namespace sail {
namespace {

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

// Rotates a plane of samples of kBytes bytes. For odd turns the target has the source's sides
// swapped.
template <size_t kBytes>
void turn_plane(const AVFrame& frame, AVFrame& turned, int index, int quarter_turns) {
  const Plane source = plane_of(frame, index);
  const Plane target = plane_of(turned, index);
  for (int y = 0; y < target.height; ++y) {
    uint8_t* to = target.pixels + y * target.stride;
    for (int x = 0; x < target.width; ++x, to += kBytes) {
      int from_x = source.width - 1 - x;
      int from_y = source.height - 1 - y;
      if (quarter_turns == 1) {
        from_x = y;
        from_y = source.height - 1 - x;
      } else if (quarter_turns == 3) {
        from_x = source.width - 1 - y;
        from_y = x;
      }
      std::memcpy(to, source.pixels + from_y * source.stride + from_x * static_cast<int>(kBytes),
                  kBytes);
    }
  }
}

template <size_t kBytes>
void turn_planes(const AVFrame& frame, AVFrame& turned, int quarter_turns) {
  for (int index = 0; index < 3; ++index) {
    turn_plane<kBytes>(frame, turned, index, quarter_turns);
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

void turn_samples(const AVFrame& frame, AVFrame& turned, int quarter_turns) {
  switch (native_format(frame.format)) {
    case SAIL_RGBA:
    case SAIL_BGRA:
      turn_plane<4>(frame, turned, 0, quarter_turns);
      break;
    case SAIL_RGB:
      turn_plane<3>(frame, turned, 0, quarter_turns);
      break;
    case SAIL_RGB_DEEP:
      turn_plane<3 * kSampleBytes>(frame, turned, 0, quarter_turns);
      break;
    case SAIL_NV12:
    case SAIL_NV16:
      turn_plane<1>(frame, turned, 0, quarter_turns);
      turn_plane<2>(frame, turned, 1, quarter_turns);
      break;
    case SAIL_I420:
    case SAIL_I422:
    case SAIL_I444:
      turn_planes<1>(frame, turned, quarter_turns);
      break;
    case SAIL_I420_DEEP:
    case SAIL_I422_DEEP:
    case SAIL_I444_DEEP:
      turn_planes<kSampleBytes>(frame, turned, quarter_turns);
      break;
  }
}

int pack_samples(const AVFrame& frame, AVFrame& packed) {
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
