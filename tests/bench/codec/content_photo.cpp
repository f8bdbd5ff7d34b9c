// Photograph-like content: "dead leaves", overlapping discs of all sizes. The distribution of radii
// (density ~ r⁻³) gives the statistics of natural pictures: A. B. Lee, D. Mumford, J. Huang,
// "Occlusion Models for Natural Images", 2001. Each leaf is shaded and textured; a simulated lens
// blurs by about a pixel, and a sensor adds noise.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "tests/bench/codec/contents.h"
#include "tests/bench/pictures/noise.h"

namespace bench {
namespace {

struct Leaf {
  int x;
  int y;
  int radius;
  float colour[3];
  float texture;  // amplitude, levels
};

// A sequence of random numbers 0 … 1.
class Random {
 public:
  explicit Random(uint32_t seed) : seed_(seed) {}
  float next() { return static_cast<float>(hash(count_++, 77, seed_) & 0xFFFFFF) / 16777216.0f; }

 private:
  uint32_t seed_;
  uint32_t count_ = 0;
};

std::vector<Leaf> scatter_leaves(sail::Size size, uint32_t seed) {
  constexpr float kSmallest = 6;
  const float largest = std::max(kSmallest * 2, static_cast<float>(size.height) / 3);
  const float largest_share = 1 - (kSmallest * kSmallest) / (largest * largest);
  Random random(seed);
  std::vector<Leaf> leaves;
  // Enough to hide nearly all of the background.
  for (double covered = 0; covered < 4.0 * size.width * size.height;) {
    Leaf leaf{};
    leaf.radius = static_cast<int>(kSmallest / std::sqrt(1 - largest_share * random.next()));
    leaf.x = static_cast<int>(random.next() * static_cast<float>(size.width));
    leaf.y = static_cast<int>(random.next() * static_cast<float>(size.height));
    // Greys with some colour: earth to sky, sometimes green.
    const float level = 25 + 190 * random.next(), warm = 60 * (random.next() - 0.5f);
    const float green = 40 * (random.next() - 0.5f);
    leaf.colour[0] = level + warm;
    leaf.colour[1] = level + green;
    leaf.colour[2] = level - warm - green / 2;
    leaf.texture = 50 * random.next() * random.next();
    leaves.push_back(leaf);
    covered += 3.14 * leaf.radius * leaf.radius;
  }
  return leaves;
}

// Index of the topmost leaf of each pixel, -1 for the background.
std::vector<int> lay_leaves(const std::vector<Leaf>& leaves, sail::Size size) {
  std::vector<int> top(static_cast<size_t>(size.width) * static_cast<size_t>(size.height), -1);
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Leaf& leaf = leaves[i];
    const int last = std::min(leaf.y + leaf.radius, size.height - 1);
    for (int y = std::max(leaf.y - leaf.radius, 0); y <= last; ++y) {
      const int half =
          static_cast<int>(std::sqrt(leaf.radius * leaf.radius - (y - leaf.y) * (y - leaf.y)));
      const int left = std::max(leaf.x - half, 0), right = std::min(leaf.x + half, size.width);
      int* row = top.data() + static_cast<ptrdiff_t>(size.width) * y;
      if (left < right) std::fill(row + left, row + right, static_cast<int>(i));
    }
  }
  return top;
}

void leaf_pixel(const Leaf& leaf, int x, int y, uint32_t seed, uint8_t* rgba) {
  const auto r = static_cast<float>(leaf.radius);
  const float shade = 1 - 0.25f * static_cast<float>(x - leaf.x + 2 * (y - leaf.y)) / (3 * r);
  const float grain = 0.6f * value_noise(x, y, 5, seed) + 0.4f * value_noise(x, y, 23, seed) - 0.5f;
  for (int c = 0; c < 3; ++c) {
    const float value = leaf.colour[c] * shade + leaf.texture * grain;
    rgba[c] = static_cast<uint8_t>(std::clamp(value, 0.0f, 255.0f));
  }
}

// Blurs with weights 1 2 1 in both directions, then adds noise of about two levels.
void blur_and_add_noise(const Picture& sharp, int x, int y, uint32_t seed, uint8_t* rgba) {
  static constexpr int kWeight[3] = {1, 2, 1};
  const uint32_t random = hash(static_cast<uint32_t>(x), static_cast<uint32_t>(y), seed + 500);
  for (int c = 0; c < 3; ++c) {
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        sum += kWeight[dx + 1] * kWeight[dy + 1] *
               sharp.at(std::clamp(x + dx, 0, sharp.size.width - 1),
                        std::clamp(y + dy, 0, sharp.size.height - 1))[c];
      }
    }
    const auto bits = static_cast<int>(random >> (8 * c));
    rgba[c] =
        static_cast<uint8_t>(std::clamp((sum + 8) / 16 + (bits & 3) + (bits >> 2 & 3) - 3, 0, 255));
  }
  rgba[3] = 255;
}

}  // namespace

void draw_photo(Picture& picture, uint32_t seed, sail::WorkerPool& pool) {
  const std::vector<Leaf> leaves = scatter_leaves(picture.size, seed);
  const std::vector<int> top = lay_leaves(leaves, picture.size);
  const Leaf ground{0, 0, picture.size.height, {150, 170, 200}, 0};
  Picture sharp(picture.name, picture.size);
  paint_pixels(sharp, pool, [&](int x, int y, uint8_t* rgba) {
    const int leaf = top[static_cast<size_t>(y) * static_cast<size_t>(picture.size.width) +
                         static_cast<size_t>(x)];
    const bool bare = leaf < 0;
    leaf_pixel(bare ? ground : leaves[static_cast<size_t>(leaf)], x, y,
               seed + static_cast<uint32_t>(bare ? 0 : leaf), rgba);
  });
  paint_pixels(picture, pool,
               [&](int x, int y, uint8_t* rgba) { blur_and_add_noise(sharp, x, y, seed, rgba); });
}

}  // namespace bench
