// Damaged films never crash the program. The decoded content does not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/unit/sail/apps/play/clips.h"

namespace sail {
namespace {

std::string mutated(std::string bytes, std::mt19937& random) {
  const auto any = [&](size_t bound) { return static_cast<size_t>(random()) % bound; };
  const size_t changes = 1 + any(20);
  for (size_t i = 0; i < changes; ++i) {
    const size_t at = any(bytes.size());
    switch (any(4)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << any(8)));
        break;
      case 2:
        bytes.replace(at, std::min<size_t>(any(16), bytes.size() - at), any(16), '\xFF');
        break;
      default:
        if (any(8) == 0) bytes.resize(std::max<size_t>(at, 16));
        break;
    }
  }
  return bytes;
}

// Plays a film with some seeks and reads every visible byte.
void play(const std::string& file) {
  const auto source = MediaSource::open(file, {2, {}, nullptr, {}});
  if (!source) {
    EXPECT_FALSE(source.error().message.empty());
    return;
  }
  uint32_t sum = 0;
  for (int frame = 0; frame < 40; ++frame) {
    if (frame == 10) (void)(*source)->seek(200'000'000);
    const auto picture = (*source)->next();
    if (!picture || !*picture) break;
    ASSERT_GT((*picture)->size.width, 0);
    ASSERT_LE((*picture)->size.width, 16384);
    ASSERT_LE((*picture)->size.height, 16384);
    for (int y = 0; y < (*picture)->size.height; ++y) {
      sum += (*picture)
                 ->pixels.planes[0][y * (*picture)->pixels.strides[0] + (*picture)->size.width - 1];
    }
  }
  (void)(*source)->take_complaint();
  EXPECT_GE(sum, 0U);
}

class MediaFuzz : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(MediaFuzz, SurvivesDamage) {
  const TempFolder folder;
  const std::string clip = make_clip(folder, GetParam().first, GetParam().second);
  std::ifstream stream(clip, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  std::mt19937 random(20240607);
  for (int i = 0; i < 50; ++i)
    play(folder.write(std::string("bad-") + GetParam().first, mutated(bytes, random)));
}

INSTANTIATE_TEST_SUITE_P(
    Films, MediaFuzz,
    testing::Values(
        std::pair("a.mp4", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 20 -c:v libx264 -g 5"),
        std::pair("a.avi", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 20 -c:v mpeg4 -g 5"),
        std::pair("a.png", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 1"),
        std::pair("a.gif", "-f lavfi -i testsrc2=s=64x48:r=25 -frames:v 6")),
    [](const auto& film) { return std::string(film.param.first).substr(2); });

}  // namespace
}  // namespace sail
