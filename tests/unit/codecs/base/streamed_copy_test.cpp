#include "codecs/base/streamed_copy.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/codecs/color/pictures.h"

namespace codecs::test {
namespace {

constexpr size_t kMost = 900, kBeside = 80;

// Any source and target alignment, with guards around the target.
TEST(StreamedCopy, CopiesAtAnyAlignment) {
  std::mt19937 random(1);
  Bytes from(kMost + kBeside);
  for (uint8_t& byte : from) byte = static_cast<uint8_t>(random());
  for (int i = 0; i < 4000; ++i) {
    const bool opaque = i % 2 == 0;
    const size_t begin = random() % kBeside, source = random() % kBeside;
    const size_t bytes = opaque ? random() % (kMost / 4) * 4 : random() % kMost;
    Bytes to(kMost + 2 * kBeside, 0x5a), expected = to;
    std::copy_n(from.data() + source, bytes, expected.data() + begin);
    for (size_t k = 3; opaque && k < bytes; k += 4) expected[begin + k] = 255;
    if (opaque) {
      copy_streamed_opaque(from.data() + source, bytes / 4, to.data() + begin);
    } else {
      copy_streamed(from.data() + source, bytes, to.data() + begin);
    }
    finish_streaming();
    ASSERT_EQ(to, expected) << bytes << " bytes from " << source << " to " << begin;
  }
}

}  // namespace
}  // namespace codecs::test
