#include "codecs/picture/block_encoder.h"

#include <algorithm>
#include <cstring>

#include "codecs/color/convert.h"
#include "codecs/color/scaling.h"

namespace codecs {
namespace {

// Three components of two bytes, plus a third: entropy coding expands noise.
constexpr size_t kJ2kPixelBytes = 8;
constexpr size_t kJ2kHeaderBytes = 4096;

// Access units since the last key picture.
constexpr size_t kLeastCarriedBytes = size_t{4} << 20;
constexpr size_t kMostCarriedBytes = size_t{64} << 20;

size_t pixels(int width, int height) {
  return static_cast<size_t>(width) * static_cast<size_t>(height);
}

size_t planar_bytes(int width, int height) {
  return pixels(width, height) + 2 * pixels((width + 1) / 2, (height + 1) / 2);
}

void copy_rows(const uint8_t* from, ptrdiff_t stride, int width, int height, uint8_t* to) {
  for (int row = 0; row < height; ++row) {
    std::memcpy(to, from + row * stride, static_cast<size_t>(width));
    to += width;
  }
}

// Copies a rectangle at even x and y to packed kI420.
void copy_planar(const ImageView& frame, int x, int y, int width, int height, uint8_t* out) {
  copy_rows(frame.planes[0] + y * frame.strides[0] + x, frame.strides[0], width, height, out);
  out += pixels(width, height);
  const int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
  const size_t chroma_bytes = pixels(chroma_width, chroma_height);
  if (frame.format == PixelFormat::kI420) {
    for (const int plane : {1, 2}) {
      copy_rows(frame.planes[plane] + y / 2 * frame.strides[plane] + x / 2, frame.strides[plane],
                chroma_width, chroma_height, out);
      out += chroma_bytes;
    }
    return;
  }
  uint8_t* cr = out + chroma_bytes;
  for (int row = 0; row < chroma_height; ++row) {
    const uint8_t* pairs = frame.planes[1] + (y / 2 + row) * frame.strides[1] + x;
    for (int i = 0; i < chroma_width; ++i) {
      *out++ = pairs[2 * i];
      *cr++ = pairs[2 * i + 1];
    }
  }
}

PrefixBytes all_of(size_t bytes) {
  PrefixBytes lengths;
  lengths.fill(static_cast<uint32_t>(bytes));
  return lengths;
}

}  // namespace

size_t max_block_bytes(CodecId codec, int width, int height) {
  if (is_j2k(codec)) return kJ2kPixelBytes * pixels(width, height) + kJ2kHeaderBytes;
  if (codec == CodecId::kRaw) return kBgraBytes * pixels(width, height);
  if (is_carried(codec)) {
    return std::clamp(kBgraBytes * pixels(width, height), kLeastCarriedBytes, kMostCarriedBytes);
  }
  return dxt_bytes(codec, width, height);
}

BlockBounds block_bounds(CodecId codec, Compression compression, ColorMatrix matrix, int width,
                         int height) {
  if (is_planar(codec, compression, matrix)) {
    const size_t bytes = planar_bytes(width, height);
    return {bytes, bytes};
  }
  const size_t most = max_block_bytes(codec, width, height);
  const bool varies = is_j2k(codec) || is_carried(codec) || compression != Compression::kNone;
  return {varies ? 1 : most, most};
}

BlockEncoder::BlockEncoder(CodecId codec, Compression compression)
    : codec_(codec), cpu_(detect_cpu()), second_stage_(make_second_stage(compression)) {
  if (is_j2k(codec)) j2k_ = make_j2k_encoder(codec);
}

PrefixBytes BlockEncoder::encode(const ImageView& frame, int reduction, int x, int y, int width,
                                 int height, const BlockQuality& quality, std::span<uint8_t> out) {
  if (j2k_) {
    const bool whole = reduction == 0;
    const ImageView& source =
        whole ? frame : reduced_.make(frame, reduction, x, y, width, height, cpu_);
    return j2k_->encode(source, whole ? x : 0, whole ? y : 0, width, height, quality.j2k, out)
        .value_or(PrefixBytes{});
  }
  if (quality.planar) {
    copy_planar(frame, x, y, width, height, out.data());
    return all_of(planar_bytes(width, height));
  }
  const size_t bytes = max_block_bytes(codec_, width, height);
  if (!second_stage_) {
    encode_pixels(frame, reduction, x, y, width, height, quality.mode, out.data());
    return all_of(bytes);
  }
  if (plain_.size() < bytes) plain_.resize(bytes);
  encode_pixels(frame, reduction, x, y, width, height, quality.mode, plain_.data());
  const auto plain = std::span(plain_).first(bytes);
  const size_t shorter = second_stage_->compress(plain, out.first(bytes));
  if (shorter > 0) return all_of(shorter);
  std::memcpy(out.data(), plain.data(), bytes);
  return all_of(bytes);
}

void BlockEncoder::encode_pixels(const ImageView& frame, int reduction, int x, int y, int width,
                                 int height, DxtMode mode, uint8_t* out) {
  const auto stride = kBgraBytes * width;
  if (codec_ == CodecId::kRaw) {
    const BgraTarget target{out, stride};
    if (reduction > 0) return reduce_to_bgra(frame, reduction, x, y, width, height, target, cpu_);
    return convert_to_bgra(frame, x, y, width, height, target, cpu_);
  }
  if (reduction == 0) return dxt_encode(codec_, frame, x, y, width, height, mode, out, cpu_);
  dxt_encode(codec_, reduced_.make(frame, reduction, x, y, width, height, cpu_), 0, 0, width,
             height, mode, out, cpu_);
}

}  // namespace codecs
