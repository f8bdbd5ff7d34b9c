#include "codecs/streamed_copy.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstring>

namespace codecs {
namespace {

// Only whole lines pay.
constexpr size_t kCacheLine = 64;

void stream_line(const uint8_t* from, uint8_t* to) {
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  for (size_t i = 0; i < kCacheLine / sizeof(__m128i); ++i) {
    _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  }
}

}  // namespace

void copy_streamed(const uint8_t* from, size_t bytes, uint8_t* to) {
  const size_t behind_line = reinterpret_cast<uintptr_t>(to) % kCacheLine;
  const size_t head = std::min(bytes, (kCacheLine - behind_line) % kCacheLine);
  std::memcpy(to, from, head);
  size_t at = head;
  for (; bytes - at >= kCacheLine; at += kCacheLine) stream_line(from + at, to + at);
  std::memcpy(to + at, from + at, bytes - at);
}

void finish_streaming() {
  _mm_sfence();
}

}  // namespace codecs
