#include "codecs/base/streamed_copy.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>

namespace codecs {
namespace {

void copy_opaque(const uint8_t* from, size_t bytes, uint8_t* to) {
  std::memcpy(to, from, bytes);
  for (size_t i = 3; i < bytes; i += 4) to[i] = 255;
}

}  // namespace

#ifdef __x86_64__

namespace {

// Streaming stores are efficient only for whole cache lines.
constexpr size_t kCacheLine = 64;

// Copies a line with the bits of `set` set in every 16 bytes.
void stream_line(const uint8_t* from, __m128i set, uint8_t* to) {
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  for (size_t i = 0; i < kCacheLine / sizeof(__m128i); ++i) {
    _mm_stream_si128(target + i, _mm_or_si128(_mm_loadu_si128(source + i), set));
  }
}

// Number of bytes before the target's first whole cache line.
size_t head_of(const uint8_t* to, size_t bytes) {
  const size_t behind_line = reinterpret_cast<uintptr_t>(to) % kCacheLine;
  return std::min(bytes, (kCacheLine - behind_line) % kCacheLine);
}

}  // namespace

void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to) {
  size_t at = head_of(to, bytes);
  std::memcpy(to, from, at);
  for (; bytes - at >= kCacheLine; at += kCacheLine)
    stream_line(from + at, _mm_setzero_si128(), to + at);
  std::memcpy(to + at, from + at, bytes - at);
}

void copy_streamed_opaque(const uint8_t* from, size_t pixels, uint8_t* to) {
  const size_t bytes = 4 * pixels;
  size_t at = head_of(to, bytes);
  if (at % 4 != 0) return copy_opaque(from, bytes, to);  // pixels straddle cache lines
  copy_opaque(from, at, to);
  const __m128i opaque = _mm_set1_epi32(static_cast<int>(0xff000000));
  for (; bytes - at >= kCacheLine; at += kCacheLine) stream_line(from + at, opaque, to + at);
  copy_opaque(from + at, bytes - at, to + at);
}

void finish_streaming() {
  _mm_sfence();
}

#else

// Other processors copy through the cache.
void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to) {
  std::memcpy(to, from, bytes);
}

void copy_streamed_opaque(const uint8_t* from, size_t pixels, uint8_t* to) {
  copy_opaque(from, 4 * pixels, to);
}

void finish_streaming() {}

#endif

}  // namespace codecs
