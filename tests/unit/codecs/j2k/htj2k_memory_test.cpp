// High-throughput coders allocate memory for the first picture of a size, and none afterwards.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "codecs/j2k/j2k.h"
#include "codecs/picture/block_encoder.h"
#include "tests/unit/codecs/color/pictures.h"
#include "tests/unit/codecs/htj2k/codestream_rewriter.h"
#include "tests/unit/codecs/j2k/htj2k_streams.h"

namespace {

// Allocations of the whole program, by any thread.
std::atomic<size_t> times_taken{0};

void* taken(void* memory) {
  ++times_taken;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined: GCC would warn that memory from new goes to free().
[[gnu::noinline]] void release_memory(void* memory) {
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) {
  return taken(std::malloc(bytes));
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++times_taken;
  return std::malloc(bytes);
}
void* operator new(size_t bytes, std::align_val_t alignment) {
  const auto line = static_cast<size_t>(alignment);
  return taken(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}
void operator delete(void* memory) noexcept {
  release_memory(memory);
}
void operator delete(void* memory, size_t) noexcept {
  release_memory(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release_memory(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  release_memory(memory);
}

namespace codecs::test {
namespace {

template <class Work>
size_t times_of(Work work) {
  const size_t before = times_taken;
  work();
  return times_taken - before;
}

class Htj2kMemory : public testing::Test {
 protected:
  Bytes encode(const ImageView& frame, int width, int height, const J2kQuality& quality) {
    out_.resize(max_block_bytes(CodecId::kHtj2k, frame.width, frame.height));
    std::optional<PrefixBytes> prefix;
    times_ =
        times_of([&] { prefix = encoder_->encode(frame, 0, 0, width, height, quality, out_); });
    EXPECT_TRUE(prefix);
    return {out_.begin(), out_.begin() + (prefix ? prefix->front() : 0)};
  }
  void decode(const Bytes& bytes, const J2kTarget& like, GuardedPixels& pixels) {
    J2kTarget target = like;
    target.pixels = pixels.target();
    bool decoded = false;
    times_ = times_of([&] { decoded = decoder_->decode(bytes, target); });
    EXPECT_TRUE(decoded);
  }

  Bytes out_;
  std::unique_ptr<J2kEncoder> encoder_ = make_j2k_encoder(CodecId::kHtj2k);
  std::unique_ptr<J2kDecoder> decoder_ = make_j2k_decoder(CodecId::kHtj2k);
  size_t times_ = 0;  // allocations by the last encode or decode
  size_t times_of_all_ = 0;
};

TEST_F(Htj2kMemory, IsTakenOnceForPicturesOfASize) {
  for (const PixelFormat format :
       {PixelFormat::kBgra, PixelFormat::kI420, PixelFormat::kI444Deep, PixelFormat::kRgbDeep}) {
    for (const bool lossless : {true, false}) {
      SCOPED_TRACE(testing::Message()
                   << "format " << static_cast<int>(format) << ", lossless " << lossless);
      const J2kQuality quality{lossless, 1.0F / 256};
      const Frame packed = make_frame(make_picture(Content::kPhotograph, 480, 240), format);
      const DeepFrame deep = make_deep_frame(format, 12, 480, 240);
      const ImageView& frame = is_deep(format) ? deep.view : packed.view;
      const Bytes bytes = encode(frame, 480, 240, quality);
      times_of_all_ += times_;
      GuardedPixels pixels(480, 240), half(240, 120);
      J2kTarget target{.width = 480, .height = 240, .color = color_of(frame)};
      decode(bytes, target, pixels);
      for (int i = 0; i < 3; ++i) {
        encode(frame, 480, 240, quality);
        EXPECT_EQ(times_, 0U) << "encoding again";
        decode(bytes, target, pixels);
        EXPECT_EQ(times_, 0U) << "decoding again";
      }
      const Bytes smaller = encode(frame, 480, 216, quality);  // the frame's last row of blocks
      EXPECT_EQ(times_, 0U) << "encoding a smaller one";
      target.height = 216;
      decode(smaller, target, pixels);
      EXPECT_EQ(times_, 0U) << "decoding a smaller one";
      target.height = 240;
      target.reduction = 1;
      decode(bytes, target, half);
      EXPECT_EQ(times_, 0U) << "decoding a reduced one";
      target.reduction = 0;
      target.part = {60, 50, 400, 200};
      decode(bytes, target, pixels);
      EXPECT_EQ(times_, 0U) << "decoding a part";
    }
  }
  EXPECT_GT(times_of_all_, 0U) << "the first pictures took some";
}

TEST_F(Htj2kMemory, IsTakenOnceForCodestreamsOfAnyOrder) {
  for (const char* name :
       {"rgb_pcrl_lossy_tiles", "rgb_pcrl_tiles_precincts", "yuv_420_cprl", "own_headers_in_main",
        "own_headers_in_parts", "own_order_changes", "own_coding_of_components"}) {
    SCOPED_TRACE(name);
    const Bytes bytes = read_stream(name);
    const auto header = read_j2k_header(bytes);
    ASSERT_TRUE(header);
    const bool is_rgb = header->chroma_step_x == 1;
    GuardedPixels pixels(header->width, header->height);
    const J2kTarget target{
        .width = header->width,
        .height = header->height,
        .color = {is_rgb ? ColorMatrix::kRgb : ColorMatrix::kBt709, ColorRange::kFull}};
    decode(bytes, target, pixels);
    decode(bytes, target, pixels);
    EXPECT_EQ(times_, 0U);
  }
}

}  // namespace
}  // namespace codecs::test
