#include "sail/media/source/same_picture.h"

#include <algorithm>
#include <vector>

#include "codecs/j2k/j2k.h"

namespace sail {
namespace {

// A slightly different step changes levels slightly, and more in coarsely coded noise. Another
// picture differs by about twice its variance.
constexpr double kMostMeanSquare = 4;
constexpr double kMostOfVariance = 0.25;

bool decode(codecs::J2kDecoder& decoder, const Rect& block, std::span<const uint8_t> codestream,
            std::vector<uint8_t>& pixels) {
  const auto header = codecs::read_j2k_header(codestream);
  if (!header) return false;
  // The colour does not matter as long as both are decoded with the same one.
  const codecs::PictureColor color =
      header->color_transform
          ? codecs::PictureColor{}
          : codecs::PictureColor{codecs::ColorMatrix::kBt709, codecs::ColorRange::kFull};
  const ptrdiff_t stride = ptrdiff_t{4} * block.width;
  pixels.resize(static_cast<size_t>(stride * block.height));
  return decoder.decode(codestream, {.width = block.width,
                                     .height = block.height,
                                     .reduction = 0,
                                     .color = color,
                                     .frame_x = block.x,
                                     .frame_y = block.y,
                                     .pixels = {pixels.data(), stride}});
}

double mean_square(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const int difference = a[i] - b[i];
    sum += difference * difference;
  }
  return sum / static_cast<double>(a.size());
}

double variance(const std::vector<uint8_t>& pixels) {
  double sum = 0;
  double squares = 0;
  for (const uint8_t level : pixels) {
    sum += level;
    squares += level * level;
  }
  const auto count = static_cast<double>(pixels.size());
  return squares / count - sum / count * (sum / count);
}

bool decodes_to_same(codecs::CodecId codec, const BlockGrid& grid, const EncodedPicture& a,
                     const EncodedPicture& b) {
  const auto decoder = codecs::make_j2k_decoder(codec);
  std::vector<uint8_t> of_a;
  std::vector<uint8_t> of_b;
  size_t at_a = 0;
  size_t at_b = 0;
  for (size_t i = 0; i < a.lengths.size(); ++i) {
    const auto block_a = a.bytes.subspan(at_a, a.lengths[i]);
    const auto block_b = b.bytes.subspan(at_b, b.lengths[i]);
    at_a += block_a.size();
    at_b += block_b.size();
    if (std::ranges::equal(block_a, block_b)) continue;
    const auto columns = static_cast<size_t>(grid.columns());
    const Rect rect = grid.block_rect(static_cast<int>(i % columns), static_cast<int>(i / columns));
    if (!decode(*decoder, rect, block_a, of_a) || !decode(*decoder, rect, block_b, of_b)) {
      return false;
    }
    const double most = std::max(kMostMeanSquare, kMostOfVariance * variance(of_a));
    if (mean_square(of_a, of_b) > most) return false;
  }
  return true;
}

}  // namespace

bool same_picture(codecs::CodecId codec, const BlockGrid& grid, const EncodedPicture& a,
                  const EncodedPicture& b) {
  if (a.lengths.size() != b.lengths.size()) return false;
  if (codecs::is_j2k(codec)) return decodes_to_same(codec, grid, a, b);
  return std::ranges::equal(a.lengths, b.lengths) && std::ranges::equal(a.bytes, b.bytes);
}

}  // namespace sail
