// Finds the test card's patches in a picture that shows the card 1:1, at any offset and cut
// anywhere, also after DXT1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/base/image.h"
#include "sail/apps/play/test_card.h"

namespace test {

struct FoundPatch {
  uint32_t frame = 0;  // modulo 2^24
  int source_x = 0;    // the patch's top left pixel on the test card
  int source_y = 0;
  int x = 0;  // position in the picture
  int y = 0;

  bool operator==(const FoundPatch&) const = default;
};

// Maximum distance of a channel from 0 or 255.
inline constexpr int kChannelTolerance = 48;
inline constexpr uint8_t kNoColour = 0xFF;

// Returns R, G and B as bits, or kNoColour if a channel is neither 0 nor 255.
inline uint8_t colour_bits(const uint8_t* bgra) {
  unsigned bits = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    if (bgra[channel] >= 255 - kChannelTolerance) {
      bits |= 1U << channel;
    } else if (bgra[channel] > kChannelTolerance) {
      return kNoColour;
    }
  }
  return static_cast<uint8_t>(bits);
}

// Returns the square's colour if its four corners agree. With an offset of one pixel some corner
// lies in the next square, so that only the true position passes.
inline uint8_t square_colour(const uint8_t* top_left, ptrdiff_t stride) {
  constexpr ptrdiff_t kFar = sail::kPatchSquare - 1;
  const uint8_t colour = colour_bits(top_left);
  if (colour == kNoColour || colour_bits(top_left + kFar * 4) != colour ||
      colour_bits(top_left + kFar * stride) != colour ||
      colour_bits(top_left + kFar * stride + kFar * 4) != colour) {
    return kNoColour;
  }
  return colour;
}

// Empty: the check does not match.
inline std::optional<sail::PatchContent> decode_patch(const sail::PatchSquares& squares) {
  uint64_t first = 0;
  for (size_t i = 0; i < 21; ++i) first = first << 3U | squares[i];
  first = first << 1U | (squares[21] >> 2U & 1U);
  first ^= sail::kPatchMask[0];
  const sail::PatchContent content{static_cast<uint32_t>(first >> 40U),
                                   static_cast<uint8_t>(first >> 32U),
                                   static_cast<uint8_t>(first >> 24U)};
  return sail::encode_patch(content) == squares ? std::optional(content) : std::nullopt;
}

inline std::optional<sail::PatchContent> patch_at(const uint8_t* top_left, ptrdiff_t stride) {
  sail::PatchSquares squares{};
  for (int i = 0; i < sail::kPatchColumns * sail::kPatchRows; ++i) {
    const uint8_t colour =
        square_colour(top_left + (i / sail::kPatchColumns) * sail::kPatchSquare * stride +
                          (i % sail::kPatchColumns) * sail::kPatchSquare * 4,
                      stride);
    if (colour == kNoColour) return std::nullopt;
    squares[static_cast<size_t>(i)] = colour;
  }
  return decode_patch(squares);
}

// Returns all patches that lie completely in the picture (BGRA), top to bottom and left to right. A
// pixel (dx, dy) from a found patch's corner shows the card's pixel (source_x + dx, source_y + dy).
inline std::vector<FoundPatch> read_test_card(const codecs::ImageView& picture) {
  std::vector<FoundPatch> found;
  for (int y = 0; y + sail::kPatchHeight <= picture.height; ++y) {
    const uint8_t* row = picture.planes[0] + y * picture.strides[0];
    for (int x = 0; x + sail::kPatchWidth <= picture.width; ++x) {
      const auto content = patch_at(row + static_cast<ptrdiff_t>(x) * 4, picture.strides[0]);
      if (!content) continue;
      found.push_back({content->frame, content->column * sail::kCardCell + sail::kPatchInset,
                       content->row * sail::kCardCell + sail::kPatchInset, x, y});
    }
  }
  return found;
}

}  // namespace test
