#include "sail/media/source/black_pictures.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sail/core/time/clock.h"
#include "sail/media/source/picture_encoder.h"
#include "sail/media/source/raw_source.h"

namespace sail {
namespace {

// Times are rounded to nanoseconds.
constexpr double kRounding = 0.01;  // pictures

// Writes the sample, whose lower `bits` are significant, everywhere.
void fill(std::span<uint8_t> plane, int sample, int bits) {
  constexpr int kBitsOfByte = 8;
  if (bits <= kBitsOfByte) {
    std::ranges::fill(plane, static_cast<uint8_t>(sample));
    return;
  }
  for (size_t i = 0; i + 1 < plane.size(); i += 2) {
    plane[i] = static_cast<uint8_t>(sample);
    plane[i + 1] = static_cast<uint8_t>(sample >> kBitsOfByte);
  }
}

// The memory of a frame of raw_frame(): packed RGB, or luma and chroma.
void fill_with_black(std::vector<uint8_t>& bytes, const sail_frame& frame, Size size) {
  const std::span all(bytes);
  if (frame.planes[1] == nullptr) {
    fill(all, 0, frame.bits);
    const bool alpha = frame.format == SAIL_RGBA || frame.format == SAIL_BGRA;
    for (size_t i = 3; alpha && i < all.size(); i += 4) all[i] = UINT8_MAX;
    return;
  }
  constexpr int kDarkest = 16;  // of limited range, in eight bits
  const int luma = frame.range == SAIL_FULL ? 0 : kDarkest << (frame.bits - 8);
  const size_t length = static_cast<size_t>(frame.strides[0]) * static_cast<size_t>(size.height);
  fill(all.first(length), luma, frame.bits);
  fill(all.subspan(length), 1 << (frame.bits - 1), frame.bits);
}

}  // namespace

struct BlackPictures::Black {
  std::vector<uint8_t> pixels;
  sail_frame frame{};
  std::vector<uint8_t> codestream;
  uint32_t length = 0;
  std::optional<CompressedPicture> compressed;
};

BlackPictures::BlackPictures(std::unique_ptr<Source> source, double fps)
    : source_(std::move(source)),
      fps_(fps),
      count_(std::llround(static_cast<double>(source_->info().duration_ns) * fps / kSecondNs)) {}

int64_t BlackPictures::number_at(int64_t time_ns) const {
  const double number = static_cast<double>(time_ns) * fps_ / kSecondNs;
  return static_cast<int64_t>(std::floor(number + kRounding));
}

int64_t BlackPictures::time_ns(int64_t number) const {
  return std::llround(static_cast<double>(number) * kSecondNs / fps_);
}

BlackPictures::Kind BlackPictures::kind_of(const Picture& picture) {
  Kind kind{.size = picture.size,
            .display_size = picture.display_size,
            .format = picture.pixels.format,
            .bits = picture.pixels.bits,
            .matrix = picture.pixels.matrix,
            .range = picture.pixels.range,
            .stored = {},
            .block_size = {}};
  if (picture.compressed) {
    kind.format = SAIL_I420;
    kind.matrix = SAIL_BT709;
    kind.range = SAIL_LIMITED;
    kind.stored = picture.compressed->codec;
    kind.block_size = picture.compressed->block_size;
    kind.max_reduction = picture.compressed->max_reduction;
  }
  return kind;
}

Result<void> BlackPictures::read() {
  while (!ahead_ && !at_end_) {
    auto picture = source_->next();
    if (!picture) return std::move(picture.error());
    at_end_ = !*picture;
    if (at_end_) break;
    if (const Kind kind = kind_of(**picture); kind != kind_) {
      kind_ = kind;
      black_.reset();
    }
    // After a seek, the source begins with the picture before those that are left out.
    if (number_at((*picture)->pts_ns) >= first_) ahead_ = std::move(**picture);
  }
  return {};
}

Result<std::optional<Picture>> BlackPictures::next() {
  if (auto done = read(); !done) return done.error();
  const int64_t number = ahead_ ? number_at(ahead_->pts_ns) : count_;
  if (expected_ < number && kind_) return give_black();
  if (!ahead_) return std::nullopt;
  expected_ = number + 1;
  std::optional<Picture> picture = std::exchange(ahead_, std::nullopt);
  const int64_t most_ns = time_ns(expected_) - picture->pts_ns;
  picture->duration_ns = std::min(picture->duration_ns, most_ns);
  return picture;
}

Result<void> BlackPictures::seek(int64_t position_ns) {
  if (auto done = source_->seek(position_ns); !done) return done;
  ahead_.reset();
  at_end_ = false;
  first_ = expected_ =
      std::clamp<int64_t>(number_at(position_ns), 0, std::max<int64_t>(count_, 1) - 1);
  return {};
}

Result<std::optional<Picture>> BlackPictures::give_black() {
  if (!black_) {
    auto painted = paint(*kind_);
    if (!painted) return std::move(painted.error());
    black_ = std::move(*painted);
  }
  Picture picture;
  picture.pixels = black_->frame;
  picture.compressed = black_->compressed;
  if (picture.compressed) picture.pixels = {};
  picture.pixels.opaque = new std::shared_ptr<const Black>(black_);
  picture.pixels.release = [](void* memory) {
    delete static_cast<std::shared_ptr<const Black>*>(memory);
  };
  picture.size = kind_->size;
  picture.display_size = kind_->display_size;
  picture.pts_ns = time_ns(expected_++);
  picture.duration_ns = time_ns(expected_) - picture.pts_ns;
  return std::optional<Picture>(std::move(picture));
}

Result<std::shared_ptr<const BlackPictures::Black>> BlackPictures::paint(const Kind& kind) {
  const RawFormat format{.size = kind.size, .pixels = kind.format, .bits = std::max(kind.bits, 8)};
  auto black = std::make_shared<Black>();
  black->pixels.resize(raw_frame_bytes(format));
  black->frame = raw_frame(format, black->pixels.data());
  black->frame.matrix = kind.matrix;
  black->frame.range = kind.range;
  fill_with_black(black->pixels, black->frame, kind.size);
  if (kind.stored) {
    if (auto encoded = encode(*black, kind); !encoded) return std::move(encoded.error());
  }
  black->frame.bits = kind.bits;
  return std::shared_ptr<const Black>(std::move(black));
}

Result<void> BlackPictures::encode(Black& black, const Kind& kind) {
  Picture pixels;
  pixels.pixels = black.frame;
  pixels.size = kind.size;
  PictureBlocks blocks({kind.size, kind.block_size});
  CodecSpec codec{.codec = *kind.stored, .rate = {}};
  codec.rate.unit = CodecRate::Unit::kLossless;
  if (PictureEncoder(codec).encode(pixels, 0, 0, blocks) == 0) {
    return fail(ErrorCode::kInternal, "a black picture could not be encoded");
  }
  blocks.join();
  black.codestream.assign(blocks.bytes().begin(), blocks.bytes().end());
  black.length = static_cast<uint32_t>(black.codestream.size());
  black.compressed = CompressedPicture{.codec = *kind.stored,
                                       .bytes = black.codestream,
                                       .lengths = {&black.length, 1},
                                       .block_size = kind.block_size,
                                       .color = codecs::color_of(view_of(pixels)),
                                       .max_reduction = kind.max_reduction};
  black.pixels = {};
  return {};
}

}  // namespace sail
