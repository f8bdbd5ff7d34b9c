#include "sail/bindings/sage/pictures.h"

#include <algorithm>
#include <cstring>

namespace vitrail {
namespace {

constexpr int kMaxSide = 16384;  // pixels
constexpr size_t kAlignment = 64;
constexpr int kTexelSide = 4;  // of a texel block, in pixels

struct Form {
  sagePixFmt format;
  const char* name;
  int bytes;          // per pixel or texel block
  const char* codec;  // codec of compressed formats; null: pixels
  bool shown;
};
constexpr Form kForms[] = {{PIXFMT_888, "PIXFMT_888", 3, nullptr, true},
                           {PIXFMT_888_INV, "PIXFMT_888_INV", 3, nullptr, true},
                           {PIXFMT_8888, "PIXFMT_8888", 4, nullptr, true},
                           {PIXFMT_8888_INV, "PIXFMT_8888_INV", 4, nullptr, true},
                           {PIXFMT_YUV, "PIXFMT_YUV", 2, nullptr, true},
                           {PIXFMT_DXT, "PIXFMT_DXT", 8, "dxt1", true},
                           {PIXFMT_DXT5, "PIXFMT_DXT5", 16, "dxt5", true},
                           {PIXFMT_DXT5YCOCG, "PIXFMT_DXT5YCOCG", 16, "dxt5ycocg", true},
                           {PIXFMT_555, "PIXFMT_555", 2, nullptr, false},
                           {PIXFMT_555_INV, "PIXFMT_555_INV", 2, nullptr, false},
                           {PIXFMT_565, "PIXFMT_565", 2, nullptr, false},
                           {PIXFMT_565_INV, "PIXFMT_565_INV", 2, nullptr, false},
                           {PIXFMT_RGBS3D, "PIXFMT_RGBS3D", 6, nullptr, false},
                           {PIXFMT_RLE, "PIXFMT_RLE", 3, nullptr, false},
                           {PIXFMT_LUV, "PIXFMT_LUV", 3, nullptr, false}};

const Form& form_of(sagePixFmt format) {
  static constexpr Form kUnknown = {PIXFMT_NULL, "(unknown)", 4, nullptr, false};
  const auto* found = std::ranges::find(kForms, format, &Form::format);
  return found == std::end(kForms) ? kUnknown : *found;
}

// Flip a texel block: 2 bits per pixel after two colours; DXT5 alpha has 3 bits per pixel after two
// alpha levels (EXT_texture_compression_s3tc).
void copy_color_upside_down(const uint8_t* from, uint8_t* to) {
  std::memcpy(to, from, 4);
  for (int row = 0; row < kTexelSide; ++row) to[4 + row] = from[7 - row];
}

void copy_alpha_upside_down(const uint8_t* from, uint8_t* to) {
  constexpr int kRowBits = 12;
  constexpr uint64_t kRow = (1U << kRowBits) - 1;
  uint64_t rows = 0;
  for (int i = 0; i < 6; ++i) rows |= uint64_t{from[2 + i]} << (8 * i);
  uint64_t turned = 0;
  for (int row = 0; row < kTexelSide; ++row) {
    turned |= ((rows >> (kRowBits * row)) & kRow) << (kRowBits * (kTexelSide - 1 - row));
  }
  std::memcpy(to, from, 2);
  for (int i = 0; i < 6; ++i) to[2 + i] = static_cast<uint8_t>(turned >> (8 * i));
}

void copy_texels_upside_down(const uint8_t* from, uint8_t* to, int count, int bytes) {
  for (int i = 0; i < count; ++i, from += bytes, to += bytes) {
    if (bytes == 16) copy_alpha_upside_down(from, to);
    copy_color_upside_down(from + bytes - 8, to + bytes - 8);
  }
}

}  // namespace

Pictures::Pictures(sagePixFmt format, int width, int height, bool bottom_up)
    : format_(format), width_(width), height_(height), bottom_up_(bottom_up), refusal_(check()) {
  if (width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) return;
  const Form& form = form_of(format);
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  const size_t bytes = static_cast<size_t>(form.bytes);
  byte_count_ = form.codec != nullptr ? (pixels * bytes + 15) / 16 : pixels * bytes;
  front_ = allocate(byte_count_);
  back_ = allocate(byte_count_);
  if (!refusal_.empty()) return;
  if (form.codec != nullptr) prepare_blocks();
  if (form.codec != nullptr || format == PIXFMT_YUV || format == PIXFMT_888_INV) {
    converted_ = allocate(byte_count_);
  }
}

std::string Pictures::check() const {
  const Form& form = form_of(format_);
  const std::string size = std::to_string(width_) + "x" + std::to_string(height_);
  if (width_ < 1 || height_ < 1 || width_ > kMaxSide || height_ > kMaxSide) {
    return "a buffer cannot have " + size + " pixels";
  }
  if (!form.shown) return std::string("the pixel format ") + form.name + " is not supported";
  const bool fits = form.codec != nullptr ? width_ % kTexelSide == 0 && height_ % kTexelSide == 0
                                          : format_ != PIXFMT_YUV || width_ % 2 == 0;
  return fits ? ""
              : std::string(form.name) + " cannot be used with a buffer of " + size + " pixels";
}

Pictures::Bytes Pictures::allocate(size_t bytes) {
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  Bytes made(static_cast<unsigned char*>(std::aligned_alloc(kAlignment, rounded)));
  if (made) std::memset(made.get(), 0, rounded);
  return made;
}

void Pictures::prepare_blocks() {
  const Form& form = form_of(format_);
  sail_block_size(form.codec, &block_width_, &block_height_);
  for (int y = 0; y < height_; y += block_height_) {
    const int height = std::min(block_height_, height_ - y);
    for (int x = 0; x < width_; x += block_width_) {
      const int width = std::min(block_width_, width_ - x);
      block_bytes_.push_back(static_cast<uint32_t>(width * height / 16 * form.bytes));
    }
  }
}

void Pictures::describe(sail_stream_options& options) const {
  options.width = width_;
  options.height = height_;
  options.codec = form_of(format_).codec;
  options.encoded = options.codec != nullptr ? 1 : 0;
}

sail_status Pictures::submit(sail_stream* stream, bool again) {
  return form_of(format_).codec != nullptr ? submit_texels(stream, again)
                                           : submit_pixels(stream, again);
}

sail_status Pictures::submit_pixels(sail_stream* stream, bool again) {
  const ptrdiff_t row = static_cast<ptrdiff_t>(form_of(format_).bytes) * width_;
  sail_frame frame{};
  frame.again = again ? 1 : 0;
  if (format_ == PIXFMT_YUV) {
    if (!again) split_uyvy();
    frame.format = SAIL_NV16;
    frame.planes[0] = converted_.get();
    frame.planes[1] = converted_.get() + static_cast<ptrdiff_t>(width_) * height_;
    frame.strides[0] = frame.strides[1] = width_;
    frame.matrix = height_ >= 720 ? SAIL_BT709 : SAIL_BT601;
    return sail_submit(stream, &frame, nullptr);
  }
  const uint8_t* pixels = back_.get();
  if (format_ == PIXFMT_888_INV) {
    if (!again) turn_bgr();
    pixels = converted_.get();
  }
  frame.format = format_ == PIXFMT_8888       ? SAIL_RGBA
                 : format_ == PIXFMT_8888_INV ? SAIL_BGRA
                                              : SAIL_RGB;
  frame.planes[0] = bottom_up_ ? pixels + row * (height_ - 1) : pixels;
  frame.strides[0] = bottom_up_ ? -row : row;
  return sail_submit(stream, &frame, nullptr);
}

// In U Y V Y …, the second bytes are the luminance, the first bytes the chroma plane of NV16.
void Pictures::split_uyvy() {
  const size_t width = static_cast<size_t>(width_);
  uint8_t* luminance = converted_.get();
  uint8_t* chroma = luminance + width * static_cast<size_t>(height_);
  for (int y = 0; y < height_; ++y, luminance += width, chroma += width) {
    const int row = bottom_up_ ? height_ - 1 - y : y;
    const uint8_t* from = back_.get() + 2 * width * static_cast<size_t>(row);
    for (size_t x = 0; x < width; ++x) {
      chroma[x] = from[2 * x];
      luminance[x] = from[2 * x + 1];
    }
  }
}

void Pictures::turn_bgr() {
  const uint8_t* from = back_.get();
  uint8_t* to = converted_.get();
  for (size_t i = 0; i + 2 < byte_count_; i += 3) {
    to[i] = from[i + 2];
    to[i + 1] = from[i + 1];
    to[i + 2] = from[i];
  }
}

sail_status Pictures::submit_texels(sail_stream* stream, bool again) {
  if (!again) cut_texels();
  sail_encoded_frame frame{};
  frame.bytes = converted_.get();
  frame.byte_count = byte_count_;
  frame.lengths = block_bytes_.data();
  frame.block_count = block_bytes_.size();
  frame.again = again ? 1 : 0;
  return sail_submit_encoded(stream, &frame, nullptr);
}

// SAGE has one picture of texel blocks; libsail needs them separately for each pixel block.
void Pictures::cut_texels() {
  const int bytes = form_of(format_).bytes;
  const int rows = height_ / kTexelSide;
  const int columns = width_ / kTexelSide;
  const int block_rows = block_height_ / kTexelSide;
  const int block_columns = block_width_ / kTexelSide;
  uint8_t* to = converted_.get();
  for (int top = 0; top < rows; top += block_rows) {
    for (int left = 0; left < columns; left += block_columns) {
      const int count = std::min(block_columns, columns - left);
      for (int y = top; y < std::min(top + block_rows, rows); ++y, to += count * bytes) {
        const int row = bottom_up_ ? rows - 1 - y : y;
        const uint8_t* from = back_.get() + static_cast<ptrdiff_t>(bytes) * (row * columns + left);
        if (bottom_up_) {
          copy_texels_upside_down(from, to, count, bytes);
        } else {
          std::memcpy(to, from, static_cast<size_t>(count * bytes));
        }
      }
    }
  }
}

}  // namespace vitrail
