#include "sail/apps/play/test_card_reader.h"

#include <array>
#include <optional>

namespace sail {
namespace {

// Maximum distance of a channel from 0 or 255.
constexpr int kTolerance = 48;
constexpr uint8_t kNoColour = 0xFF;

// Returns R, G and B as bits, or kNoColour if a channel is neither 0 nor 255.
uint8_t colour_bits(const uint8_t* bgra) {
  unsigned bits = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    if (bgra[channel] >= 255 - kTolerance) {
      bits |= 1U << channel;
    } else if (bgra[channel] > kTolerance) {
      return kNoColour;
    }
  }
  return static_cast<uint8_t>(bits);
}

// Returns the square's colour if its four corners agree. With an offset of one pixel some corner
// lies in the next square, so that only the true position passes.
uint8_t square_colour(const uint8_t* top_left, ptrdiff_t stride) {
  constexpr ptrdiff_t kFar = kPatchSquare - 1;
  const uint8_t colour = colour_bits(top_left);
  if (colour == kNoColour || colour_bits(top_left + kFar * 4) != colour ||
      colour_bits(top_left + kFar * stride) != colour ||
      colour_bits(top_left + kFar * stride + kFar * 4) != colour) {
    return kNoColour;
  }
  return colour;
}

std::optional<PatchContent> patch_at(const uint8_t* top_left, ptrdiff_t stride) {
  PatchSquares squares{};
  for (int i = 0; i < kPatchColumns * kPatchRows; ++i) {
    const uint8_t colour = square_colour(top_left + (i / kPatchColumns) * kPatchSquare * stride +
                                             (i % kPatchColumns) * kPatchSquare * 4,
                                         stride);
    if (colour == kNoColour) return std::nullopt;
    squares[static_cast<size_t>(i)] = colour;
  }
  PatchContent content;
  if (!decode_patch(squares, content)) return std::nullopt;
  return content;
}

}  // namespace

std::vector<FoundPatch> read_test_card(const codecs::ImageView& picture) {
  std::vector<FoundPatch> found;
  for (int y = 0; y + kPatchHeight <= picture.height; ++y) {
    const uint8_t* row = picture.planes[0] + y * picture.strides[0];
    for (int x = 0; x + kPatchWidth <= picture.width; ++x) {
      const auto content = patch_at(row + static_cast<ptrdiff_t>(x) * 4, picture.strides[0]);
      if (!content) continue;
      found.push_back({content->frame, content->column * kCardCell + kPatchInset,
                       content->row * kCardCell + kPatchInset, x, y});
    }
  }
  return found;
}

}  // namespace sail
